import type { Condition } from '../clauses.ts';

/** Amounts, counts, hours, domains, paths and tool names of a rule, and the sentence without them. */
export interface Measures {
  conditions: Condition[];
  rest: string;
}

const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
  'a hundred': 100,
  'one hundred': 100,
  'a thousand': 1000,
  'one thousand': 1000,
  'ten thousand': 10_000,
};
const numberText = String.raw`\d[\d,]*(?:\.\d+)?\s?(?:k\b|m\b|thousand|million)?|(?:(?:a|one|ten) )?(?:hundred|thousand)|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty`;
const currency = String.raw`[$€£]|us\$|usd|euros?|eur|dollars?|gbp|pounds?|chf|francs?|yen|inr|rupees`;
const over = String.raw`over|above|more than|greater than|larger than|higher than|exceed(?:s|ing)?|in excess of|beyond|of more than|no more than|not more than|at most|up to|maximum(?: of| is)?|max\.?(?: of)?|limit(?:ed)?(?: is| of| to)?|below|under|less than|at least|or more|cap(?:ped)? at|bigger than|longer than|fewer than`;

function toNumber(text: string): number {
  const clean = text.trim().replaceAll(',', '');
  const word = numberWords[clean];
  if (word !== undefined) return word;
  const size = /k\b|thousand/.test(clean) ? 1000 : /m\b|million/.test(clean) ? 1_000_000 : 1;
  return Number.parseFloat(clean) * size;
}

const moneyShape = new RegExp(
  String.raw`\b(${over})?\s*(?:the |a |an )?(?:amount |limit |threshold |value |sum )?(?:of |is )?(?:(${currency})\s?(${numberText})|(${numberText})\s?(${currency}))(?:\s?(or more|and above|or higher|and more|or less))?`,
  'i',
);
const countShape = new RegExp(
  String.raw`\b(${over})\s+(${numberText})\s+(?!percent|%|months|years|weeks)(?:different |distinct |separate |failed |consecutive |simultaneous |new )?([a-z]+)(?: (?:per|in a|in one|within a|each|a|in the same) ([a-z]+))?`,
  'i',
);
const onceShape = /\b(?:more than (?:once|one time)|repeatedly|twice)\b/i;
const inclusiveWords = /at least|or more|and above|or higher|and more/i;
const underWords = /^(?:below|under|less than|up to|at most|no more than|not more than|fewer than)$/i;

function takeMoney(text: string): { condition: Condition; rest: string } | undefined {
  const match = moneyShape.exec(text);
  if (match === null) return undefined;
  const value = toNumber(match[3] ?? match[4] ?? '');
  if (!Number.isFinite(value)) return undefined;
  const words = `${match[1] ?? ''} ${match[6] ?? ''}`;
  const rest = text.slice(0, match.index) + ' ' + text.slice(match.index + match[0].length);
  const total = /\b(?:total|in sum|combined|per day|daily|per session|altogether|cumulative)\b/i.test(text);
  const under = underWords.test((match[1] ?? '').trim()) || /or less/i.test(words);
  return {
    condition: under
      ? { test: 'amount_under', under: value }
      : { test: 'amount', over: value, inclusive: inclusiveWords.test(words), total },
    rest,
  };
}

const shareShape = new RegExp(String.raw`\b(${over})\s+(\d{1,3}(?:\.\d+)?)\s?(?:%|percent|per cent)`, 'i');

/** "A discount above 20 %". */
function takeShare(text: string): { condition: Condition; rest: string } | undefined {
  const match = shareShape.exec(text);
  if (match === null || underWords.test(match[1] ?? '')) return undefined;
  const over = Number(match[2]) - (inclusiveWords.test(match[1] ?? '') ? 0.001 : 0);
  return {
    condition: { test: 'count', over, of: ['percent', 'percentage', 'discount', 'rate', 'share'] },
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`,
  };
}

const callNouns =
  /^(?:time|times|call|calls|attempt|attempts|action|actions|request|requests|tries|emails?|messages?|payments?|transactions?|transfers?|refunds?|purchases?|orders?|posts?|searches|invitations?|deletions?|deployments?|bookings?|reservations?|tickets?|reminders?|notifications?|invoices?|comments?|uploads?|downloads?|logins?)$/i;

function takeCount(text: string): { condition: Condition; rest: string } | undefined {
  if (onceShape.test(text))
    return { condition: { test: 'repeat', over: 1, senses: [] }, rest: text.replace(onceShape, ' ') };
  const match = countShape.exec(text);
  if (match === null) return undefined;
  const [whole, comparison = '', number = '', named = ''] = match;
  const noun = named.toLowerCase();
  const over = toNumber(number) - (inclusiveWords.test(comparison) ? 1 : 0);
  const kept = (callNouns.test(noun) || perShape.test(text)) && !timesShape.test(noun);
  const rest = `${text.slice(0, match.index)}${kept ? ` ${noun}` : ''} ${text.slice(match.index + whole.length)}`;
  return {
    condition: isRepeat(noun, text)
      ? { test: 'repeat', over, senses: [] }
      : { test: 'count', over, of: [noun] },
    rest,
  };
}

/** "More than 3 refunds" counts calls of a session, "more than 3 tickets" things of one call. */
const isRepeat = (noun: string, text: string) =>
  perShape.test(text) || timesShape.test(noun) || (callNouns.test(noun) && !listNouns.test(noun));

const timesShape = /^times?$/;
const listNouns = /^(?:tickets?|orders?|messages?|emails?)$/;
const perShape =
  /\b(?:per|in a|in one|within a|each|a|in the same) (?:session|day|hour|minute|conversation|week|month|run|task)\b/i;

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

const domainShape =
  /(?:@|\*\.)?\b((?:[\w.+-]{1,64}@)?(?:[a-z0-9-]{1,60}\.){1,4}(?:com|org|net|io|dev|app|co|de|fr|uk|eu|ch|us|edu|gov|example|internal|local|test|ai))\b/gi;
const literalShape =
  /`(\w[^`]{0,40}[^\w.`-][^`]{0,40}\w)`|(--[a-z][a-z-]{2,30})\b|\b([a-z]{2,10}:\/\/)(?=\s|$)|\b((?:data|javascript):)(?=\s+(?:urls?|links?))/gi;
const pathShape = /(?:^|[\s"'`(])((?:~?\/|\.\/|[a-z]:\\)[\w./\\*-]*[\w/*-])/gi;
const extensionShape = /(?:^|[\s"'`(*])(\.[a-z_]{2,14})(?=[\s"'`),.]|$)/gi;
const fileTalk =
  /\b(?:files?|attach\w*|scripts?|extensions?|download\w*|upload\w*|profiles?|executables?|binar\w+)\b|^\W*\.\w/i;
/** Programs as files; "download and run" is another matter. */
const executableShape = /\b(?:executables?(?: files?)?|binar(?:y|ies)(?: files?)?)\b/i;
const executables = '.exe .msi .dmg .pkg .sh .bat .cmd .ps1 .apk .jar .scr .com .deb .rpm .vbs'.split(' ');
const toolShape = /`([\w.-]{3,60})`|\b([a-z]+(?:_[a-z0-9]+)+)\b/g;

function takeAll(text: string, shape: RegExp): { found: string[]; rest: string } {
  const found: string[] = [];
  const rest = text.replace(shape, (whole: string, ...groups: unknown[]) => {
    const value = groups.slice(0, -2).find((group) => typeof group === 'string');
    if (typeof value === 'string') found.push(value.toLowerCase());
    return whole.startsWith(' ') ? ' ' : '';
  });
  return { found: found.slice(0, 20), rest };
}

/** Takes the measured parts out of a clause. `negated`: "outside of", "other than" stands before a place. */
export function takeMeasures(clause: string): Measures {
  const conditions: Condition[] = [];
  let rest = takeTime(clause, conditions);
  for (const take of [takeShare, takeMoney, takeCount]) {
    const taken = take(rest);
    if (taken === undefined) continue;
    conditions.push(taken.condition);
    rest = taken.rest;
  }
  return takePlaces(rest, conditions);
}

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

function takeTime(source: string, conditions: Condition[]): string {
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

/** Tools and characters that are named side by side are alternatives. */
function namedOf(texts: string[], names: string[], away: boolean): Condition[] {
  const literal: Condition[] = texts.length > 0 ? [{ test: 'literal', texts }] : [];
  const tool: Condition[] = names.length > 0 ? [{ test: 'tool', names, where: away ? 'not_in' : 'in' }] : [];
  return literal.length > 0 && tool.length > 0 && !away
    ? [{ test: 'any', of: [literal, tool] }]
    : [...literal, ...tool];
}

function takePlaces(text: string, conditions: Condition[]): Measures {
  const literals = takeAll(text, literalShape);
  let rest = literals.rest;
  const away =
    /\b(?:outside(?: of)?|other than|out of|not (?:in|under|inside|ending|at|on|to)|(?:is|are|it's) not|not (?:from|part of|one of|belonging|owned)|beyond|except|anywhere but|anything but)\b/i.test(
      text,
    );
  const domains = takeAll(rest, domainShape);
  rest = domains.rest;
  if (domains.found.length > 0)
    conditions.push({ test: 'destination', where: away ? 'not_in' : 'in', domains: domains.found });
  const paths = takeAll(rest, pathShape);
  rest = paths.rest;
  if (paths.found.length > 0)
    conditions.push({
      test: 'path',
      where: away ? 'outside' : 'under',
      prefixes: paths.found.map((path) => path.replace(/[*/\\]+$/, '') || '/'),
    });
  const extensions = takeAll(rest, extensionShape);
  rest = extensions.rest;
  const named = executableShape.test(rest) && extensions.found.length === 0 ? executables : extensions.found;
  rest = rest.replace(executableShape, ' file ');
  if (named.length > 0 && fileTalk.test(text)) conditions.push({ test: 'extension', extensions: named });
  const tools = takeAll(rest, toolShape);
  rest = tools.rest;
  conditions.push(...namedOf(literals.found, tools.found, away));
  return { conditions, rest };
}
