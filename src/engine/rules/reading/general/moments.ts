/** Times of day, days of the week and days of the calendar in a part of a sentence. */
import type { Condition } from '../../../actions/clauses.ts';
import { takeTime } from '../../../actions/rules/times.ts';
import type { Expression } from '../../rule-form.ts';

const months = 'january february march april may june july august september october november december'.split(' ');
const dayKeys = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const two = (value: number) => String(value).padStart(2, '0');
const lastDay = (month: number) => new Date(2024, month + 1, 0).getDate();

const numerals = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const plainTimes: readonly (readonly [RegExp, string])[] = [
  [/\btill\b/g, 'until'],
  [/\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o'clock)? in the (morning|afternoon|evening)\b/g, '$1 $2'],
  [/\b(\d{1,2}) in the morning\b/g, '$1 am'],
  [/\b(\d{1,2}) in the (?:afternoon|evening)\b/g, '$1 pm'],
  [/\bat? ?weekends?\b/g, 'on weekends'],
  [/\bin the nights?\b|\bby night\b/g, 'at night'],
];

function withNumerals(text: string): string {
  let plain = text;
  for (const [shape, form] of plainTimes) plain = plain.replace(shape, form);
  return plain.replace(
    /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (morning|afternoon|evening)\b/g,
    (_, hour: string, half: string) => `${numerals.indexOf(hour) + 1} ${half === 'morning' ? 'am' : 'pm'}`,
  );
}

const month = `(${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')})`;
const monthAt = (name: string) => months.findIndex((one) => one.startsWith(name.slice(0, 3)));
const dayOf = `(\\d{1,2})(?:st|nd|rd|th)?`;

const festive: readonly (readonly [RegExp, string, string])[] = [
  [/\b(?:in the week )?between christmas and new year'?s?(?: eve| day)?\b/, '12-25', '01-01'],
  [/\b(?:over|at|during|on) christmas(?: day)?\b/, '12-24', '12-26'],
];

interface Moments {
  readonly tests: readonly Expression[];
  readonly rest: string;
}

const year = String.raw`(?: (\d{4}))?`;

/** "Before 15 January", "in July", "from 1 June to 31 August". */
function readDates(text: string): Moments {
  for (const [shape, first, last] of festive)
    if (shape.test(text))
      return { tests: [{ is: 'dates', first, last, where: 'within' }], rest: text.replace(shape, ' ') };
  const span = new RegExp(`\\b(outside(?: of)? |not )?(?:from|between) (?:the )?${dayOf} (?:of )?${month} (?:to|and|until) (?:the )?${dayOf} (?:of )?${month}\\b`).exec(text);
  if (span !== null) {
    const [, outside, d1 = '', m1 = '', d2 = '', m2 = ''] = span;
    const first = `${two(monthAt(m1) + 1)}-${two(Number(d1))}`;
    const last = `${two(monthAt(m2) + 1)}-${two(Number(d2))}`;
    return { tests: [{ is: 'dates', first, last, where: outside === undefined ? 'within' : 'outside' }], rest: text.replace(span[0], ' ') };
  }
  const edge = new RegExp(`\\b(before|until|after|since|from) (?:the )?(?:${dayOf} (?:of )?${month}|${month} ${dayOf})${year}\\b`).exec(text);
  if (edge !== null) {
    const [, side = '', d1, m1, m2, d2, given] = edge;
    const at = monthAt(m1 ?? m2 ?? '');
    const day = `${two(at + 1)}-${two(Number(d1 ?? d2))}`;
    const isBefore = side === 'before' || side === 'until';
    if (given !== undefined)
      return {
        tests: [{ is: 'dates', first: isBefore ? '2000-01-01' : `${given}-${day}`, last: isBefore ? `${given}-${day}` : '2100-01-01', where: 'within' }],
        rest: text.replace(edge[0], ' '),
      };
    // Of a day without a year the nearest is meant: half a year before it, or behind it.
    const other = `${two(((at + 6) % 12) + 1)}-01`;
    const eve = new Date(2024, at, Number(d1 ?? d2) - 1);
    const previous = `${two(eve.getMonth() + 1)}-${two(eve.getDate())}`;
    return {
      tests: [{ is: 'dates', first: isBefore ? other : day, last: isBefore ? previous : other, where: 'within' }],
      rest: text.replace(edge[0], ' '),
    };
  }
  const whole = new RegExp(`\\b(outside(?: of)?|in|during|except in|other than in) (${months.join('|')})\\b`).exec(text);
  if (whole === null) return { tests: [], rest: text };
  const at = months.indexOf(whole[2] ?? '');
  const where = /^(?:in|during)$/.test(whole[1] ?? '') ? 'within' : 'outside';
  return {
    tests: [{ is: 'dates', first: `${two(at + 1)}-01`, last: `${two(at + 1)}-${two(lastDay(at))}`, where }],
    rest: text.replace(whole[0], ' '),
  };
}

/** Takes the times out of a part of a sentence. */
export function readMoments(source: string): Moments {
  const { tests, rest } = readDates(source);
  const conditions: Condition[] = [];
  const left = takeTime(withNumerals(rest), conditions);
  const times = conditions.flatMap((one): Expression[] => {
    if (one.test !== 'time') return [];
    const outside = one.outside ? ({ outside: true } as const) : {};
    if (one.week !== undefined)
      return [{ is: 'time', from: one.week[0], to: Math.min(one.week[1], 10_079), weekly: true, ...outside }];
    const days = one.days.map((day) => dayKeys[day] ?? '');
    return [{ is: 'time', ...(days.length > 0 && { days }), from: one.fromMinute, to: one.toMinute, ...outside }];
  });
  return { tests: [...tests, ...times], rest: times.length > 0 ? left : rest };
}
