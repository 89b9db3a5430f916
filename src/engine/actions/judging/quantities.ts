import type { Call } from '../calls/call.ts';
import type { Condition } from '../clauses.ts';
import type { Leaf } from '../calls/leaves.ts';
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
  /amount|total|price|sum|value|cost|budget|payment|refund|fee|charge|salary|credit|quantity_usd|usd|eur|limit/i;

/** The money of a call: by the name of the argument, else the largest plain number, else one with a currency. */
export function amountOf(call: Call): number | undefined {
  const numbers = call.leaves.filter(({ number }) => number !== undefined && Number.isFinite(number));
  const named = numbers.filter(({ key }) => amountKeys.test(key));
  const best = (
    named.length > 0
      ? named
      : numbers.filter(({ key }) => !/id|number|page|count|quantity|zip|phone|year|day|n$/i.test(key))
  ).map(({ number }) => Math.abs(number ?? 0));
  if (best.length > 0) return Math.max(...best);
  for (const { text } of call.leaves) {
    const match =
      /(?:[$€£]|usd|eur)\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:[$€£]|usd|eur|dollars|euros)/i.exec(
        text.slice(0, 2000),
      );
    if (match !== null) return Number((match[1] ?? match[2] ?? '').replaceAll(',', ''));
  }
  return undefined;
}

/** Money that is named as such: `total`, `price`. */
export const moneyIn = (leaves: readonly Leaf[]): number | undefined =>
  leaves.find(({ key, number }) => number !== undefined && Number.isFinite(number) && amountKeys.test(key))
    ?.number;

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
  const named = leaves.slice(0, 60).filter(({ key, text }) => whenKeys.test(key) && text.length < 40);
  const day = named.map(({ text }) => dayShape.exec(text)).find((match) => match !== null);
  const clock = named.map(({ text }) => clockShape.exec(text)).find((match) => match !== null);
  if (day === undefined || clock === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.slice(1).map(Number);
  const [hour = 0, minute = 0] = clock.slice(1).map(Number);
  return new Date(year, month - 1, date, hour, minute);
}
