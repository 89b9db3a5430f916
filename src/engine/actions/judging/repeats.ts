import type { Call } from '../calls/call.ts';
import type { Leaf } from '../calls/leaves.ts';
import type { Condition } from '../clauses.ts';
import { type Met, met } from './met.ts';
import { recordLeaves } from './records.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { sameThings } from '../things.ts';
import { nameWords, root } from '../words.ts';

/** Those to whom something is done may be named by where it goes. */
const parties = new Set(
  ['customer', 'client', 'user', 'person', 'recipient', 'guest', 'patient', 'member', 'contact', 'lead'].map(
    root,
  ),
);
const reachWords = ['to', 'recipient', 'email', 'phone', 'name'].map(root);

/** One and the same, however it is written: " Z1", "ｚ１" and "z1" are one customer. */
const spelledAlike = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Values by which the call names the one that is counted for; a blank names nobody. */
function onesOf(call: Call, per: readonly string[]): ReadonlySet<string> {
  const names = new Set(per.flatMap((word) => [...sameThings(word), root(word)]));
  if (per.some((word) => parties.has(root(word)))) for (const word of reachWords) names.add(word);
  return new Set(
    call.leaves
      .filter(({ path, text }) => text.length <= 120 && nameWords(path).some((word) => names.has(root(word))))
      .map(({ text }) => spelledAlike(text))
      .filter((text) => text !== ''),
  );
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return true;
  for (const one of a) if (b.has(one)) return true;
  return false;
}

const counts =
  /(?:^|_)(?:count|number|num|times|attempts|today|day|week|month|year|session|sent|previous|past|used|so_far|made|done)(?:_|$)/i;

/** `refunds_this_month: 3`: how often a tool says that it was done. */
function toldCount(leaves: readonly Leaf[], words: readonly string[]): number {
  const told = leaves.flatMap(({ key, number }) =>
    number !== undefined &&
    Number.isInteger(number) &&
    counts.test(key) &&
    nameWords(key).some((word) => words.includes(root(word)))
      ? [number]
      : [],
  );
  return Math.max(0, ...told);
}

/** How often the like was done, this call among them. */
export function repeatMet(
  context: EvaluationContext,
  { over, senses, per = [], words = [] }: Extract<Condition, { test: 'repeat' }>,
): Met {
  const { call, earlier } = context;
  const own = per.length > 0 ? onesOf(call, per) : new Set<string>();
  const alike = earlier.filter(
    (one) =>
      (senses.length === 0
        ? one.toolName === call.toolName
        : senses.some((sense) => one.senses.has(sense))) &&
      (per.length === 0 || isSame(own, onesOf(one, per))),
  ).length;
  const count = Math.max(alike, toldCount([...call.leaves, ...recordLeaves(context)], words)) + 1;
  return met(count > over, 1, `It is number ${count} of its kind.`);
}

/** Values by which the call names the one that is counted for, in a fixed order. */
export const countedKeys = (call: Call, per: readonly string[]): string[] =>
  [...onesOf(call, per)].toSorted();
