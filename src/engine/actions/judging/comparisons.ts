import type { Call } from '../calls/call.ts';
import type { Leaf } from '../calls/leaves.ts';
import type { Condition } from '../clauses.ts';
import { type Met, met } from './met.ts';
import { amountOf } from './quantities.ts';
import { answerLeaves, recordLeaves } from './records.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { sameThings } from '../things.ts';
import { nameWords, root } from '../words.ts';

const lastAnswers = 6;

/** How many of the words the name of a value has. */
const namedFor = ({ path, key }: Leaf, words: readonly string[]): number => {
  const roots = new Set(nameWords(path === '' ? key : path).map(root));
  return words.filter((word) => [...sameThings(word)].some((same) => roots.has(same))).length;
};

const boundKey =
  /^(?:max|maximum|limit|available|approved|original|current|remaining|old|previous)_|_(?:limit|balance|budget)$/i;

const answersOf = ({ earlier }: EvaluationContext): readonly Leaf[] =>
  earlier.slice(-lastAnswers).toReversed().flatMap(answerLeaves);

/** What the call deals with, without the bound that it may name too. */
function ownAmount(call: Call, words: readonly string[]): number | undefined {
  const bounds = call.leaves.filter((leaf) => boundKey.test(leaf.key) && namedFor(leaf, words) > 0);
  return bounds.length === 0
    ? amountOf(call)
    : amountOf({ ...call, kept: new Map(), leaves: call.leaves.filter((leaf) => !bounds.includes(leaf)) });
}

/** More than what a tool said: "must not exceed the order total". */
export function exceedsMet(context: EvaluationContext, { of }: Extract<Condition, { test: 'exceeds' }>): Met {
  const own = ownAmount(context.call, of);
  const bounds = [
    ...context.call.leaves.filter(({ key }) => boundKey.test(key)),
    ...recordLeaves(context),
    ...answersOf(context),
  ]
    .filter(({ number }) => number !== undefined)
    .map((leaf) => ({ bound: leaf.number ?? 0, named: namedFor(leaf, of) }))
    .filter(({ named }) => named > 0)
    .toSorted((a, b) => b.named - a.named);
  const [best] = bounds;
  if (own === undefined || best === undefined || own <= best.bound) return undefined;
  return met(true, 1, `${own} is more than ${best.bound}.`);
}

const nothing = /^\s*(?:|0|0[.,]0+|false|no|none|null|nil|n\/a|missing|\[\]|\{\})\s*$/i;

/** A tool, or the call, says that there is none. */
export function lacksMet(context: EvaluationContext, { words }: Extract<Condition, { test: 'lacks' }>): Met {
  const enough = Math.ceil(words.length * 0.6);
  const said = [...context.call.leaves, ...answersOf(context)].find(
    (leaf) => namedFor(leaf, words) >= enough,
  );
  if (said !== undefined) return met(nothing.test(said.text));
  const isAbout = (call: Call) => {
    const roots = new Set(call.words.map(root));
    return words.some((word) => [...sameThings(word)].some((same) => roots.has(same)));
  };
  return met(
    context.earlier
      .slice(-lastAnswers)
      .some(
        (call) =>
          isAbout(call) && typeof call.step.toolOutput === 'string' && nothing.test(call.step.toolOutput),
      ),
  );
}
