/** A call about another record than the one that the user named, where both stand in one list that was read. */
import type { Call } from '../calls/call.ts';
import { type Leaf, leavesOf } from '../calls/leaves.ts';
import { parsedOutput } from '../instructions/prose.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { Request } from './request.ts';

const mostAnswers = 6;
const mostRecords = 100;
const shortestName = 5;
const nameKeys = /^(?:name|title|label|full_?name|display_?name|hotel|restaurant|product|customer|company)$/i;

interface Named {
  readonly name: string;
  readonly leaves: readonly Leaf[];
}

/** Lists of records with a name each, wherever they stand in an answer. */
function* listsIn(value: unknown, depth = 0): Generator<readonly Named[]> {
  if (typeof value !== 'object' || value === null || depth > 4) return;
  if (Array.isArray(value)) {
    const named = value.slice(0, mostRecords).flatMap((one): Named[] => {
      const leaves = typeof one === 'object' ? leavesOf(one) : [];
      const name = leaves.find(({ key, path }) => path === key && nameKeys.test(key))?.text;
      return name === undefined ? [] : [{ name: name.toLowerCase(), leaves }];
    });
    if (named.length > 1) yield named;
  }
  for (const each of Object.values(value)) yield* listsIn(each, depth + 1);
}

/** "Near the Alma", "instead of the Alma": it is not what is wanted. */
const besides =
  /\b(?:near|like|than|not|from|except|without|beside|behind|opposite|replace|replacing|instead of|close to|similar to|next to|compared? (?:to|with))(?: \S+){0,2} $/;

const isWanted = (request: Request, name: string): boolean => {
  const at = name.length < shortestName ? -1 : request.lower.lastIndexOf(name);
  return at >= 0 && !besides.test(request.lower.slice(Math.max(0, at - 40), at));
};

const isId = (text: string) => text.length >= 2 && text.length <= 40 && /\d/.test(text) && !/\s/.test(text);

const idsOf = ({ leaves }: Pick<Call, 'leaves'>): ReadonlySet<string> =>
  new Set(leaves.filter(({ text }) => isId(text)).map(({ text }) => text.toLowerCase()));

const holds = ({ leaves }: Named, ids: ReadonlySet<string>): boolean =>
  leaves.some(({ text }) => isId(text) && ids.has(text.toLowerCase()));

/** The name that the user gave and that of the record which the call is about instead. */
export function otherRecord({
  call,
  earlier,
  request,
}: EvaluationContext): readonly [wanted: string, taken: string] | undefined {
  const ids = idsOf(call);
  if (ids.size === 0) return undefined;
  for (const { step } of earlier.slice(-mostAnswers).toReversed())
    for (const list of listsIn(parsedOutput(step.toolOutput))) {
      const taken = list.find((one) => holds(one, ids));
      const wanted = list.find(({ name }) => isWanted(request, name));
      const isOther = taken !== undefined && wanted !== undefined && !holds(wanted, ids);
      if (isOther && !request.lower.includes(taken.name)) return [wanted.name, taken.name];
    }
  return undefined;
}
