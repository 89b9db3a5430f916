import { z } from 'zod';
import type { Logger } from '#base/log/log.ts';
import type { ActionRule, RuleFinding } from '#engine/actions/types.ts';
import { LanguageModelError } from '#llm/failures.ts';
import { createFence } from '#llm/fence.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { atStrictness } from '#llm/verdict.ts';
import type { Judge, JudgeQuestion } from '../evaluate/judge.ts';
import { askedRules } from './asked-rules.ts';
import { recordText, rulePrompt, rulesPrompt } from './prompt.ts';
import { transcript } from './transcript.ts';

export interface LanguageJudgeOptions {
  readonly log: Logger;
  /** Time limit for all calls about one action. */
  readonly timeoutMs: number;
}

/** Rules per call; with more, models become less accurate. */
const batchSize = 25;
/** From this confidence on the model decides a rule; below, the rule is judged again separately. */
const sureFrom = 0.7;
const greyFrom = 0.3;
/** Maximum number of rules judged separately for one action. */
const mostAlone = 8;
const reasonCharacters = 240;
const evidenceTokens = 60;

const answerSchema = z.object({
  broken: z
    .array(z.object({ rule: z.int(), confidence: z.number().min(0).max(1), evidence: z.string() }))
    .max(200),
});
const briefSchema = z.object({
  broken: z.array(z.object({ rule: z.int(), confidence: z.number().min(0).max(1) })).max(200),
});

interface Suspicion {
  readonly rule: ActionRule;
  readonly confidence: number;
  readonly evidence: string;
}

/** Results of several calls, some of which may have failed. */
interface Round<T> {
  readonly found: readonly T[];
  readonly isDegraded: boolean;
}

/**
 * A language model as the second judge: one call for the rules that the action may violate, and a separate call for
 * each uncertain one. It adds violations and raises confidence; violations found by the engine remain. If the model is
 * too slow, unavailable or returns invalid output, the engine's verdict stands, with `degraded`.
 */
export function createLanguageJudge(model: LanguageModel, { log, timeoutMs }: LanguageJudgeOptions): Judge {
  const fence = createFence();

  /** @throws for errors other than the model's */
  async function settle<T>(questions: readonly Promise<readonly T[]>[]): Promise<Round<T>> {
    const outcomes = await Promise.allSettled(questions);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      if (!(outcome.reason instanceof LanguageModelError)) throw outcome.reason;
      log.debug({ code: outcome.reason.code }, 'language model left an action to the engine');
    }
    return {
      found: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
      isDegraded: outcomes.some(({ status }) => status === 'rejected'),
    };
  }

  async function askTogether(
    rules: readonly ActionRule[],
    user: string,
    { fastMode, remainingMs }: { fastMode: boolean; remainingMs: () => number },
  ): Promise<Suspicion[]> {
    const { broken } = await model.structured(
      {
        system: rulesPrompt(rules, !fastMode),
        user,
        name: 'broken_rules',
        schema: fastMode ? briefSchema : answerSchema,
        maxTokens: 64 + rules.length * (fastMode ? 20 : evidenceTokens),
      },
      { timeoutMs: remainingMs() },
    );
    return broken.flatMap((each) => {
      const rule = rules[each.rule - 1];
      if (rule === undefined || each.confidence < greyFrom) return [];
      const evidence = 'evidence' in each ? (each.evidence as string) : '';
      return [{ rule, confidence: each.confidence, evidence }];
    });
  }

  async function askAlone(
    { rule, evidence }: Suspicion,
    user: string,
    timeoutMs: number,
  ): Promise<Suspicion[]> {
    const { verdict } = await model.classify({ system: rulePrompt(rule), user }, { timeoutMs });
    const confidence = atStrictness(verdict, 'medium');
    return confidence < greyFrom ? [] : [{ rule, confidence, evidence }];
  }

  return {
    async judge({ steps, liveSet, verdict, fastMode }: JudgeQuestion) {
      const { findings } = verdict;
      // In the fast mode the model judges only rules that the engine left undecided.
      const isSettled = fastMode && findings.some(({ certainty }) => certainty === 'sure');
      const rules = isSettled ? [] : askedRules(steps, liveSet.rules, findings);
      if (rules.length === 0) return { findings, status: 'ok' };
      const end = performance.now() + timeoutMs;
      const remainingMs = () => Math.max(1, end - performance.now());
      const user = recordText(fence(transcript(steps, fastMode)).block);

      const first = await settle(
        batches(rules).map((batch) => askTogether(batch, user, { fastMode, remainingMs })),
      );
      const doubtful = fastMode ? [] : inDoubt(first.found, rules, findings);
      const second = await settle(doubtful.map((each) => askAlone(each, user, remainingMs())));

      const askedAgain = new Set(doubtful.map(({ rule }) => rule));
      // Uncertain rules that could not be judged separately remain uncertain.
      const kept = first.found.filter(({ rule }) => second.isDegraded || !askedAgain.has(rule));
      return {
        findings: withSuspicions(findings, [...kept, ...second.found]),
        status: first.isDegraded || second.isDegraded ? 'degraded' : 'ok',
      };
    },
  };
}

const batches = (rules: readonly ActionRule[]): ActionRule[][] =>
  Array.from({ length: Math.ceil(rules.length / batchSize) }, (_, at) =>
    rules.slice(at * batchSize, (at + 1) * batchSize),
  );

/** Rules that are uncertain for the model or the engine; the most severe first if there are too many. */
function inDoubt(
  suspicions: readonly Suspicion[],
  rules: readonly ActionRule[],
  findings: readonly RuleFinding[],
): Suspicion[] {
  const sure = new Set(suspicions.filter(({ confidence }) => confidence >= sureFrom).map(({ rule }) => rule));
  const grey = new Set(findings.filter(({ certainty }) => certainty === 'grey').map(({ ruleId }) => ruleId));
  const ofModel = suspicions.filter(({ rule }) => !sure.has(rule));
  const known = new Set(ofModel.map(({ rule }) => rule));
  const ofEngine = rules
    .filter((rule) => grey.has(rule.ruleId) && !sure.has(rule) && !known.has(rule))
    .map((rule) => ({ rule, confidence: 0, evidence: '' }));
  const rank = { High: 0, Medium: 1, Low: 2 };
  return [...ofModel, ...ofEngine]
    .sort((a, b) => rank[a.rule.severity] - rank[b.rule.severity])
    .slice(0, mostAlone);
}

/** The engine's violations with at least their confidence, and the model's additional ones. */
function withSuspicions(findings: readonly RuleFinding[], suspicions: readonly Suspicion[]): RuleFinding[] {
  const raised = findings.map((finding) => {
    const of = suspicions.filter(({ rule }) => rule.ruleId === finding.ruleId);
    const confidence = Math.max(finding.confidence, ...of.map((each) => each.confidence));
    const isSure = finding.certainty === 'sure' || of.some((each) => each.confidence >= sureFrom);
    return { ...finding, confidence, certainty: isSure ? ('sure' as const) : ('grey' as const) };
  });
  const known = new Set(findings.map(({ ruleId }) => ruleId));
  return [...raised, ...suspicions.filter(({ rule }) => !known.has(rule.ruleId)).map(findingOf)];
}

function findingOf({ rule, confidence, evidence }: Suspicion): RuleFinding {
  const { ruleId, compiled, form, description } = rule;
  const why = evidence
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, reasonCharacters)
    .toWellFormed();
  return {
    ruleId,
    confidence,
    certainty: confidence >= sureFrom ? 'sure' : 'grey',
    reason: `The language model judged that the action breaks the rule${why === '' ? ` "${description.slice(0, 160)}"` : `: ${why}`}.`,
    threatCategory: compiled.threatCategory,
    wantsPerson: form?.on_missing === 'ask',
  };
}
