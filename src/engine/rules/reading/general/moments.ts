/** Times of day, days of the week and days of the calendar in a part of a sentence. */
import type { Condition } from '../../../actions/clauses.ts';
import { takeTime } from '../../../actions/rules/times.ts';
import type { Expression } from '../../rule-form.ts';

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const dayKeys = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const two = (value: number) => String(value).padStart(2, '0');
const lastDay = (month: number) => new Date(2024, month + 1, 0).getDate();

const numerals = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const plainTimes: readonly (readonly [RegExp, string])[] = [
  [/\btill\b/g, 'until'],
  [
    /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o'clock)? in the (morning|afternoon|evening)\b/g,
    '$1 $2',
  ],
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

const monthNames = `${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')}`;
const month = `(${monthNames})`;
const monthAt = (name: string) => months.findIndex((one) => one.startsWith(name.slice(0, 3)));
const dayOf = `(\\d{1,2})(?:st|nd|rd|th)?`;

const festive: readonly (readonly [RegExp, string, string])[] = [
  [/\b(?:in the week )?between christmas and new year'?s?(?: eve| day)?\b/, '12-25', '01-01'],
  [/\b(?:over|at|during|on) christmas(?: day)?\b/, '12-24', '12-26'],
];

export interface Moments {
  readonly tests: readonly Expression[];
  readonly rest: string;
}

const dated = (first: string, last: string, where: 'within' | 'outside'): Expression => ({
  is: 'dates',
  first,
  last,
  where,
});
const dayIn = (name: string, day: string) => `${two(monthAt(name) + 1)}-${two(Number(day))}`;

type Groups = Readonly<Record<string, string | undefined>>;

const spanShape = new RegExp(
  `\\b(?<outside>outside(?: of)? |not )?(?:from|between) (?:the )?${dayOf} (?:of )?${month} (?:to|and|until) (?:the )?${dayOf} (?:of )?${month}\\b`,
);
const edgeShape = new RegExp(
  `\\b(?<side>before|until|after|since|from) (?:the )?(?:(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>${monthNames})|(?<first>${monthNames}) (?<number>\\d{1,2})(?:st|nd|rd|th)?)(?: (?<year>\\d{4}))?\\b`,
);
const wholeShape = new RegExp(
  `\\b(?<where>outside(?: of)?|in|during|except in|other than in) (?<name>${months.join('|')})\\b`,
);
const [earliest, latest] = ['2000-01-01', '2100-01-01'];

/** "Before 15 January": of a day without a year the nearest is meant, half a year before it or behind it. */
function edgeTest(groups: Groups): Expression {
  const name = groups['month'] ?? groups['first'] ?? '';
  const number = groups['day'] ?? groups['number'] ?? '1';
  const isBefore = groups['side'] === 'before' || groups['side'] === 'until';
  const { year } = groups;
  if (year !== undefined) {
    const day = `${year}-${dayIn(name, number)}`;
    return isBefore ? dated(earliest, day, 'within') : dated(day, latest, 'within');
  }
  const at = monthAt(name);
  const other = `${two(((at + 6) % 12) + 1)}-01`;
  const eve = new Date(2024, at, Number(number) - 1);
  return isBefore
    ? dated(other, `${two(eve.getMonth() + 1)}-${two(eve.getDate())}`, 'within')
    : dated(dayIn(name, number), other, 'within');
}

function wholeTest(groups: Groups): Expression {
  const at = monthAt(groups['name'] ?? '');
  const where = /^(?:in|during)$/.test(groups['where'] ?? '') ? 'within' : 'outside';
  return dated(`${two(at + 1)}-01`, `${two(at + 1)}-${two(lastDay(at))}`, where);
}

const dateReaders: readonly (readonly [shape: RegExp, test: (found: RegExpExecArray) => Expression])[] = [
  ...festive.map(([shape, first, last]) => [shape, () => dated(first, last, 'within')] as const),
  [
    spanShape,
    ([, outside, day1 = '', month1 = '', day2 = '', month2 = '']) =>
      dated(dayIn(month1, day1), dayIn(month2, day2), outside === undefined ? 'within' : 'outside'),
  ],
  [edgeShape, ({ groups = {} }) => edgeTest(groups)],
  [wholeShape, ({ groups = {} }) => wholeTest(groups)],
];

/** "Before 15 January", "in July", "from 1 June to 31 August". */
function readDates(text: string): Moments {
  for (const [shape, test] of dateReaders) {
    const found = shape.exec(text);
    if (found !== null) return { tests: [test(found)], rest: text.replace(found[0], ' ') };
  }
  return { tests: [], rest: text };
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
    return [
      { is: 'time', ...(days.length > 0 && { days }), from: one.fromMinute, to: one.toMinute, ...outside },
    ];
  });
  return { tests: [...tests, ...times], rest: times.length > 0 ? left : rest };
}
