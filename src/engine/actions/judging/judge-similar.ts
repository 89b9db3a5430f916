import { wordsIn } from '../calls/call-words.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { ActionRule, RuleFinding } from '../types.ts';

/** Share of the rule's words that the call's own words meet. */
export function similarity(context: EvaluationContext, { compiled }: ActionRule): number {
  const { named, said } = wordsIn(context.call);
  let whole = 0;
  let shared = 0;
  // Not taken apart into two variables: this runs for all words of all rules with each call.
  for (const entry of compiled.stems) {
    whole += entry[1];
    if (named.has(entry[0]) || said.has(entry[0])) shared += entry[1];
  }
  return whole === 0 ? 0 : shared / whole;
}

const similarFrom = 0.34;

/** A warning for a call that has words in common with a rule that was not read exactly. */
export function judgeSimilar(context: EvaluationContext, rule: ActionRule): RuleFinding | undefined {
  const near = similarity(context, rule);
  if (near < similarFrom) return undefined;
  return {
    ruleId: rule.ruleId,
    confidence: Math.min(0.55, near),
    certainty: 'grey',
    reason: `The action has words in common with the rule "${rule.description.slice(0, 160)}", which could not be read exactly.`,
    threatCategory: rule.compiled.threatCategory,
    wantsPerson: false,
  };
}
