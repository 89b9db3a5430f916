/** Selects the rules that the model judges: those that the action may violate and that are not decided yet. */
import { readCall } from '#engine/actions/calls/call.ts';
import type { ActionRule, RuleFinding, TraceStep } from '#engine/actions/types.ts';
import { canConcern } from '#engine/rules/matching/can-concern.ts';

/** Above this confidence the model has nothing to add. */
const settledFrom = 0.9;

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
  return rules.filter(({ ruleId, form }) => {
    if (settled.has(ruleId)) return false;
    return found.has(ruleId) || form === undefined || effects.size === 0 || canConcern(form, effects);
  });
}
