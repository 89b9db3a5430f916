/** Selects the rules that the model judges: those that the action may violate and that are not decided yet. */
import { readCall } from '#engine/actions/calls/call.ts';
import type { RuleClause } from '#engine/actions/clauses.ts';
import type { ActionRule, RuleFinding, TraceStep } from '#engine/actions/types.ts';
import { effectsOf } from '#engine/actions/verbs.ts';

/** Above this confidence the model has nothing to add. */
const settledFrom = 0.9;

/** Whether the rule fits the kind of action, as far as known. The kind is more reliable than the details. */
function canBreak({ when }: RuleClause, effects: ReadonlySet<string>): boolean {
  return when.every((condition) => {
    if (condition.test === 'effect') return condition.effects.some((effect) => effects.has(effect));
    if (condition.test !== 'verb') return true;
    const meant = condition.senses.flatMap((sense) => effectsOf(sense));
    return meant.length === 0 || meant.some((effect) => effects.has(effect));
  });
}

export function askedRules(
  steps: readonly TraceStep[],
  rules: readonly ActionRule[],
  findings: readonly RuleFinding[],
): ActionRule[] {
  const judged = steps.findLast(({ role }) => role === 'agent');
  if (judged === undefined) return [];
  const { effects } = readCall(judged);
  const settled = new Set(
    findings
      .filter(({ certainty, confidence }) => certainty === 'sure' && confidence >= settledFrom)
      .map(({ ruleId }) => ruleId),
  );
  const found = new Set(findings.map(({ ruleId }) => ruleId));
  return rules.filter(({ ruleId, compiled }) => {
    if (settled.has(ruleId)) return false;
    if (found.has(ruleId) || compiled.kind === 'similarity' || effects.size === 0) return true;
    return compiled.clauses.some((clause) => canBreak(clause, effects));
  });
}
