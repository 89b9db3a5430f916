import type { RuleClause } from '../clauses.ts';
import { likeAct } from './like-acts.ts';
import { wordsIn } from '../calls/call-words.ts';
import { testCondition } from './match.ts';
import type { Scene } from './scene.ts';
import type { ActionRule, RuleFinding } from '../types.ts';

const sureFrom = 0.6;
/** Below this a finding is not worth a warning. */
const mentionFrom = 0.35;

interface Broken {
  confidence: number;
  reasons: string[];
  asks: boolean;
}

function judgeClause(scene: Scene, { when, unless, need, asks, confidence }: RuleClause): Broken | undefined {
  let sure = confidence;
  const reasons: string[] = [];
  for (const condition of when) {
    const found = testCondition(scene, condition) ?? likeAct(scene, condition, when);
    if (found === undefined) return undefined;
    sure = Math.min(sure, confidence * found.confidence);
    if (found.reason !== undefined) reasons.push(found.reason);
  }
  if (
    unless.some(
      (all) => all.length > 0 && all.every((condition) => testCondition(scene, condition) !== undefined),
    )
  )
    return undefined;
  if (need.length > 0 && need.every((condition) => testCondition(scene, condition) !== undefined))
    return undefined;
  return { confidence: sure, reasons, asks };
}

/** Share of the rule's words that the call's own words meet. */
export function similarity(scene: Scene, { compiled }: ActionRule): number {
  const { named, said } = wordsIn(scene.call);
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

/** What the rule has against the judged call, if anything. */
export function judgeRule(scene: Scene, rule: ActionRule): RuleFinding | undefined {
  const { compiled, ruleId } = rule;
  if (compiled.kind === 'similarity') return judgeSimilar(scene, rule);
  const worst = compiled.clauses
    .flatMap((clause) => judgeClause(scene, clause) ?? [])
    .reduce<Broken | undefined>(
      (most, one) => (most !== undefined && most.confidence >= one.confidence ? most : one),
      undefined,
    );
  if (worst === undefined || worst.confidence < mentionFrom) return undefined;
  const detail = worst.reasons[0] ?? `${scene.call.toolName || 'The reply'} does what the rule forbids.`;
  const missing = worst.asks ? ' Nobody who may do so has approved it in the trace.' : '';
  return {
    ruleId,
    confidence: Number(worst.confidence.toFixed(3)),
    certainty: worst.confidence >= sureFrom ? 'sure' : 'grey',
    reason: `${detail}${missing}`,
    threatCategory: compiled.threatCategory,
    wantsPerson: worst.asks,
  };
}

/** A warning for a call that has words in common with a rule that was not read exactly. */
export function judgeSimilar(scene: Scene, rule: ActionRule): RuleFinding | undefined {
  const near = scene.call.toolName === '' ? 0 : similarity(scene, rule);
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
