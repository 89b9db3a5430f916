import type { Condition } from '../clauses.ts';

const toMinute = (hour: string, minute: string | undefined, half: string | undefined) => {
  let at = Number(hour) % 24;
  if (half?.startsWith('p') === true && at < 12) at += 12;
  if (half?.startsWith('a') === true && at === 12) at = 0;
  return at * 60 + Number(minute ?? 0);
};

const clock = String.raw`(\d{1,2})(?::(\d{2}))?\s?(am|pm|a\.m\.|p\.m\.|o'clock|h)?`;
const betweenShape = new RegExp(
  String.raw`\b(outside(?: of)? )?(?:the hours )?(?:between|from)?\s?${clock}\s?(?:and|to|until|-|–)\s?${clock}`,
  'i',
);
const sinceShape = new RegExp(
  String.raw`\b(after|before|past|later than|earlier than)\s+(\d{1,2})(?::(\d{2}))?\s?(am|pm|a\.m\.|p\.m\.|o'clock)\b|\b(after|before)\s+(\d{1,2}):(\d{2})`,
  'i',
);
const workShape =
  /\b(?:(outside(?: of)?|not in|beyond) )?(?:(?:normal|regular|our|the|standard) )*(?:business|working|office|work) hours\b|\bafter[- ]hours\b|\bat night\b|\bovernight\b|(?<!\b(?:a|per|each|one|every) )\bnight(?:time|s)?\b/i;
const dayShape =
  /\b(?:on |over |during )?(?:the )?(weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)(?:\s?(?:and|or|,)\s?((?:mon|tues|wednes|thurs|fri|satur|sun)days?))?\b/i;
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function daysOf(words: readonly (string | undefined)[]): number[] {
  return words.flatMap((word) => {
    if (word === undefined) return [];
    if (word.startsWith('weekend')) return [0, 6];
    if (word.startsWith('weekday')) return [1, 2, 3, 4, 5];
    return [dayNames.indexOf(word.slice(0, 3).toLowerCase())];
  });
}

type TimeTest = Extract<Condition, { test: 'time' }>;
const allDay = { fromMinute: 0, toMinute: 1440 };

interface Timed {
  condition: TimeTest;
  shape: RegExp;
}

const timed = (shape: RegExp, condition: Omit<TimeTest, 'test'>): Timed => ({
  shape,
  condition: { test: 'time', ...condition },
});

/** "9 to 5" ends in the afternoon. */
function halfOf(
  own: string | undefined,
  other: string | undefined,
  [from, to]: readonly [number, number],
): string | undefined {
  if (own !== undefined || other !== undefined) return own;
  return to < from && to < 8 && from < 12 ? 'pm' : undefined;
}

/** "Before 9 am or after 6 pm": outside of the hours between. */
const aroundShape = new RegExp(
  String.raw`\bbefore\s+${clock}\s*(?:or|and|nor)\s+(?:after|past)\s+${clock}`,
  'i',
);

function aroundIn(text: string): Timed | undefined {
  const match = aroundShape.exec(text);
  if (match === null) return undefined;
  const [, h1 = '', m1, a1, h2 = '', m2, a2] = match;
  return timed(aroundShape, {
    days: [],
    fromMinute: toMinute(h1, m1, a1),
    toMinute: toMinute(h2, m2, halfOf(a2, a1, [Number(h1), Number(h2)])),
    outside: true,
  });
}

function betweenIn(text: string): Timed | undefined {
  const match = betweenShape.exec(text);
  if (match === null || !/am|pm|:|hours|o'clock|between|from/i.test(match[0]) || /[$€£]/.test(match[0]))
    return undefined;
  const [, outside, h1 = '25', m1, a1, h2 = '25', m2, a2] = match;
  if (Number(h1) > 24 || Number(h2) > 24) return undefined;
  const toMinutes = toMinute(h2, m2, halfOf(a2, a1, [Number(h1), Number(h2)]));
  return timed(betweenShape, {
    days: [],
    fromMinute: toMinute(h1, m1, a1),
    toMinute: toMinutes,
    outside: outside !== undefined,
  });
}

function sinceIn(text: string): Timed | undefined {
  const match = sinceShape.exec(text);
  if (match === null) return undefined;
  const at = toMinute(match[2] ?? match[6] ?? '0', match[3] ?? match[7], match[4]);
  const after = /after|past|later/i.test(match[1] ?? match[5] ?? '');
  return timed(sinceShape, {
    days: [],
    fromMinute: after ? at : 0,
    toMinute: after ? 1440 : at,
    outside: false,
  });
}

function workIn(text: string): Timed | undefined {
  const match = workShape.exec(text);
  if (match === null) return undefined;
  if (/night/i.test(match[0]))
    return timed(workShape, { days: [], fromMinute: 22 * 60, toMinute: 6 * 60, outside: false });
  const outside = match[1] !== undefined || /after/i.test(match[0]);
  return timed(workShape, { days: [1, 2, 3, 4, 5], fromMinute: 9 * 60, toMinute: 17 * 60, outside });
}

function dayIn(text: string): Timed | undefined {
  const match = dayShape.exec(text);
  return match === null
    ? undefined
    : timed(dayShape, { days: daysOf([match[1], match[2]]), ...allDay, outside: false });
}

const timeIn = (text: string): Timed | undefined =>
  aroundIn(text) ?? betweenIn(text) ?? sinceIn(text) ?? workIn(text) ?? dayIn(text);

/** "Outside of the maintenance window (Sunday 02:00 to 05:00)": the name says nothing beside the hours. */
const windowShape =
  /\b(outside(?: of)?|within|during|in) (?:the |our |a |any |its )?(?:[a-z-]+ ){0,3}?(?:windows?|hours|times|period|slots?)\s*(?:\(|,|:|of|from|between)\s*(?=(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?,? )?(?:from |between )?\d)/i;
const dayFirst =
  /\b(outside(?: of)?|within|during|in) ((?:mon|tues|wednes|thurs|fri|satur|sun)days?),? (?=\d)/i;

const weekday = String.raw`((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?`;
const atClock = String.raw`(?:,? (?:at |from )?(?:(\d{1,2})(?::(\d{2}))? ?(am|pm|a\.m\.|p\.m\.|o'clock)?|(noon|midnight|morning|evening|afternoon|night)))?`;
/** "Between Friday 3 pm and Monday 8 am", "from Friday evening to Monday morning". */
const weekShape = new RegExp(
  String.raw`\b(outside(?: of)?\s+)?(?:between |from |starting |after )?${weekday}${atClock},? (?:and|to|until|till|through|-|–) ${weekday}${atClock}\b`,
  'i',
);
const partOfDay: Readonly<Record<string, number>> = {
  midnight: 0,
  morning: 8 * 60,
  noon: 12 * 60,
  afternoon: 12 * 60,
  evening: 17 * 60,
  night: 20 * 60,
};

function weekIn(text: string): Timed | undefined {
  const match = weekShape.exec(text);
  if (match === null) return undefined;
  const [, outside, day1 = '', h1, m1, a1, part1, day2 = '', h2, m2, a2, part2] = match;
  const timesGiven = [h1, part1, h2, part2].some((one) => one !== undefined);
  if (!timesGiven && !/between|from/i.test(match[0])) return undefined;
  const minuteOf = (
    hour: string | undefined,
    minute: string | undefined,
    half: string | undefined,
    part: string | undefined,
    end: number,
  ) => (hour === undefined ? (partOfDay[part?.toLowerCase() ?? ''] ?? end) : toMinute(hour, minute, half));
  const [from = 0, to = 0] = daysOf([day1, day2]);
  const week: [number, number] = [
    from * 1440 + minuteOf(h1, m1, a1, part1, 0),
    to * 1440 + minuteOf(h2, m2, a2, part2, 1440),
  ];
  return timed(weekShape, { days: [], ...allDay, outside: outside !== undefined, week });
}

/** Takes hours, days and weeks out of a clause. */
export function takeTime(source: string, conditions: Condition[]): string {
  const span = weekIn(source);
  if (
    span !== undefined &&
    /\d ?(?:am|pm|:)|noon|midnight|morning|evening|afternoon|night/i.test(span.shape.exec(source)?.[0] ?? '')
  ) {
    conditions.push(span.condition);
    return source.replace(span.shape, ' ');
  }
  const clause = source.replace(windowShape, '$1 ').replace(dayFirst, 'on $2 $1 ');
  const time = timeIn(clause);
  if (time === undefined) return source;
  const rest = clause.replace(time.shape, ' ');
  const day = time.shape === dayShape ? null : dayShape.exec(rest);
  conditions.push(day === null ? time.condition : { ...time.condition, days: daysOf([day[1], day[2]]) });
  return day === null ? rest : rest.replace(dayShape, ' ');
}
