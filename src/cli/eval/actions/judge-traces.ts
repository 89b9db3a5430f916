import { createActionEngine } from '#engine/actions/engine.ts';
import type { ActionRule, RuleFinding, Severity } from '#engine/actions/types.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { RuleSources } from './rules.ts';
import { isCall, type LabelledTrace } from './traces.ts';

/** A call that would have been blocked, with the gravest finding. */
export interface BlockedCall {
  at: number;
  rule: string;
  reason: string;
}

export interface JudgedTrace {
  calls: number;
  blocked: BlockedCall[];
}

export interface TraceJudge {
  engineVersion: string;
  rules: number;
  /** Judges every call with all steps before it; `withOutputs` false leaves out tool outputs. */
  judge(trace: LabelledTrace, withOutputs: boolean): JudgedTrace;
  /** Milliseconds of each evaluation so far. */
  times: number[];
}

const formOf = (description: string) => {
  const { rule, compiled } = draftRule(description);
  return { form: rule, compiled };
};

const rank: Readonly<Record<Severity, number>> = { High: 3, Medium: 2, Low: 1 };

/** The embedded engine in this process; a call is blocked as by the mode `severity_level` with this level. */
export async function traceJudge({ rules: sources }: RuleSources, level: Severity): Promise<TraceJudge> {
  const engine = createActionEngine(await loadTextEngine(), judgeByForm);
  const rules = sources.map((source, at): ActionRule => ({
    ruleId: `rul_${at}`,
    ...source,
    ...formOf(source.description),
  }));
  const byId = new Map(rules.map((rule) => [rule.ruleId, rule]));
  const blocks = ({ ruleId, certainty }: RuleFinding) =>
    certainty === 'sure' && rank[byId.get(ruleId)?.severity ?? 'Low'] >= rank[level];
  const times: number[] = [];
  return {
    engineVersion: engine.version,
    rules: rules.length,
    times,
    judge(trace, withOutputs) {
      const steps = withOutputs
        ? trace.steps
        : trace.steps.map((step) => ({ ...step, toolOutput: undefined }));
      const judged: JudgedTrace = { calls: 0, blocked: [] };
      steps.forEach((step, at) => {
        if (!isCall(step)) return;
        judged.calls++;
        const startedAt = performance.now();
        const { findings } = engine.evaluate(steps.slice(0, at + 1), rules);
        times.push(performance.now() - startedAt);
        const [worst] = findings
          .filter(blocks)
          .sort((a, b) => b.confidence - a.confidence || a.ruleId.localeCompare(b.ruleId));
        if (worst !== undefined)
          judged.blocked.push({
            at,
            rule: byId.get(worst.ruleId)?.description ?? '',
            reason: worst.reason,
          });
      });
      return judged;
    },
  };
}
