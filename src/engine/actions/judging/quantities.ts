import { once } from '../calls/once.ts';
import type { Call } from '../calls/call.ts';
import type { Condition } from '../clauses.ts';
import { type Leaf, leavesOf } from '../calls/leaves.ts';
import { quantitiesIn, readQuantity } from '../calls/quantity.ts';
import { argumentReach } from '../calls/reach.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { nameWords, root } from '../words.ts';

const countKeys =
  /^(?:limit|count|n|max|max_results|page_size|size|quantity|number|num|rows|batch_size|top|top_k|per_page)$/i;

/** How many things one call concerns: the longest list, a page size, a LIMIT, an argument named for them. */
export function countOf(call: Call, of: readonly string[] = []): number {
  const things = of.map(root);
  const lists = new Map<string, number>();
  for (const { path } of call.leaves) {
    const list = /^(.*?)\.\d+(?:\.|$)/.exec(path)?.[1];
    if (list !== undefined)
      lists.set(list, Math.max(lists.get(list) ?? 0, Number(/\.(\d+)(?:\.|$)/.exec(path)?.[1] ?? 0) + 1));
  }
  const commas = call.leaves
    .filter(({ text }) => text.includes('@') && text.includes(','))
    .map(({ text }) => text.split(',').length);
  const numbers = call.leaves
    .filter(
      ({ key, number }) =>
        number !== undefined &&
        (countKeys.test(key) || nameWords(key).some((word) => things.includes(root(word)))),
    )
    .map(({ number }) => number ?? 0);
  const limit = call.commands.words.indexOf('limit');
  const sql = limit >= 0 ? Number(call.commands.words[limit + 1]) || 0 : 0;
  return Math.max(0, ...lists.values(), ...commas, ...numbers, sql);
}

const amountKeys =
  /amount|total|price|sum|value|cost|budget|payment|refund|fee|charge|salary|credit|money|wage|bonus|donation|premium|deposit|payout|usd|eur|gbp|limit/i;
/** Numbers that are surely none: records, counts and times. */
const otherKeys =
  /id|number|page|count|quantity|qty|zip|postal|phone|year|month|week|day|hour|minute|second|order|customer|card|account|user|ref|ticket|case|code|pin|port|version|index|offset|age|guests|rooms|nights|n$/i;
/** Amounts in hundredths: `amount_cents`, `priceInCents`, `minor_units`. */
const inHundredths = /(?:^|_)(?:cents|pence|minor)(?:_|$)|(?:Cents|Pence|Minor(?:Units?)?)$/;

/** The amount that a value says: the larger one where it can be read in two ways. */
function amountIn({ key, text, number, isNumber }: Leaf): number | undefined {
  const read = isNumber === true ? undefined : readQuantity(text);
  const value = read?.larger ?? read?.value ?? number;
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return Math.abs(inHundredths.test(key) ? value / 100 : value);
}

const longestJson = argumentReach.text;

/** With the values of texts that are JSON themselves. */
function withInner(leaves: readonly Leaf[]): readonly Leaf[] {
  const inner = leaves.filter(({ text }) => /^\s*[[{]/.test(text) && text.length <= longestJson);
  return inner.length === 0 ? leaves : [...leaves, ...inner.flatMap(({ text }) => leavesOf(parsed(text)))];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const most = (amounts: readonly (number | undefined)[]): number | undefined => {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** The money of a call: by the name of the argument, else the largest number that is not named for something else, else an amount with its currency in a text. */
export const amountOf = once((call: Call): number | undefined => {
  const leaves = withInner(call.leaves);
  return (
    most(leaves.filter(({ key }) => amountKeys.test(key)).map(amountIn)) ??
    most(leaves.filter(({ key, isNumber }) => isNumber === true && !otherKeys.test(key)).map(amountIn)) ??
    most(
      leaves.flatMap(({ text }) => quantitiesIn(text).map(({ value, larger }) => Math.abs(larger ?? value))),
    )
  );
});

/** Money that is named as such: `total`, `price`. */
export const moneyIn = (leaves: readonly Leaf[]): number | undefined =>
  leaves
    .filter(({ key }) => amountKeys.test(key))
    .map(amountIn)
    .find((amount) => amount !== undefined);

/** The money of this call and of those like it before. */
export function sumOf(context: EvaluationContext): number {
  const alike = context.earlier.filter((call) =>
    [...call.senses].some((sense) => context.call.senses.has(sense)),
  );
  return alike.reduce((sum, call) => sum + (amountOf(call) ?? 0), amountOf(context.call) ?? 0);
}

/** Whether the local time lies in the window; a window may go over midnight. */
export function isWithin(
  now: Date,
  { days, fromMinute, toMinute, outside, week }: Extract<Condition, { test: 'time' }>,
): boolean {
  const minute = now.getHours() * 60 + now.getMinutes();
  if (week !== undefined) {
    const [from, to] = week;
    const at = now.getDay() * 1440 + minute;
    const isIn = from <= to ? at >= from && at < to : at >= from || at < to;
    return isIn !== outside;
  }
  const inDays = days.length === 0 || days.includes(now.getDay());
  const inHours =
    fromMinute <= toMinute
      ? minute >= fromMinute && minute < toMinute
      : minute >= fromMinute || minute < toMinute;
  return outside ? !(inDays && inHours) : inDays && inHours;
}

const whenKeys =
  /^(?:(?:pick_?up|delivery|meeting|appointment|visit|departure|arrival|check_?in|call)_?)?(?:start|begin|when|at|date|day|time|slot|scheduled|due|from|departure|datetime|run)(?:_?(?:at|on|date|time|day|datetime|for))?$/i;
const planning = ['schedule', 'book', 'create', 'invite', 'update'];

const dayShape = /^(\d{4})-(\d\d)-(\d\d)/;
const clockShape = /(?:^|[T ])(\d\d):(\d\d)/;

/** The time that a call plans something for, where it says so with day and hour. */
export function plannedFor({ leaves, senses }: Call): Date | undefined {
  if (!planning.some((sense) => senses.has(sense))) return undefined;
  const named = leaves.filter(({ key, text }) => whenKeys.test(key) && text.length < 40);
  const day = named.map(({ text }) => dayShape.exec(text)).find((match) => match !== null);
  const clock = named.map(({ text }) => clockShape.exec(text)).find((match) => match !== null);
  if (day === undefined || clock === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.slice(1).map(Number);
  const [hour = 0, minute = 0] = clock.slice(1).map(Number);
  return new Date(year, month - 1, date, hour, minute);
}
