import type { Condition } from '../../clauses.ts';

/** A quantity of a rule, and the text without it. */
export interface Taken {
  conditions: Condition[];
  rest: string;
}

const small: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, at) => [word, at]),
);
const numberWords: Readonly<Record<string, number>> = {
  ...small,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
  'a hundred': 100,
  'one hundred': 100,
  'five hundred': 500,
  thousand: 1000,
  'a thousand': 1000,
  'one thousand': 1000,
  'two thousand': 2000,
  'five thousand': 5000,
  'ten thousand': 10_000,
  'a dozen': 12,
  'a million': 1_000_000,
  'one million': 1_000_000,
};
const wordNumber = Object.keys(numberWords)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const number = String.raw`(\d[\d,']*(?:\.\d+)?(?:k\b|m\b|\s?thousand\b|\s?million\b)?|(?:${wordNumber})\b)`;
const money = String.raw`[$€£]|us\$|usd|euros?|eur|dollars?|bucks|gbp|pounds?|chf|francs?|yen|inr|rupees|sek|kronor`;

const overWords = String.raw`over|above|more than|exceed(?:s|ing)?|past|beyond|in excess of|older than|longer than|larger than|greater than|higher than|bigger than|hotter than|warmer than|faster than|heavier than|later than|farther than|further than|not (?:less|fewer) than`;
const atLeastWords = String.raw`at least|no less than|no fewer than|minimum(?: of)?|min\.?|from`;
const underWords = String.raw`under|below|less than|younger than|shorter than|colder than|newer than|smaller than|lower than|slower than|sooner than|within`;
const atMostWords = String.raw`at most|no more than|not more than|no longer than|not exceed(?:ing)?|must not exceed|never exceed|must not be (?:more|longer|larger|higher|greater|older) than|up to|maximum(?: of| is)?|max\.?(?: of)?|limit(?:ed)?(?: is| of| to| at)?|cap(?:ped)?(?: is| of| at)?|down to`;

const comparison = `(${atMostWords}|${atLeastWords}|${overWords}|${underWords})`;
const unit = String.raw`(?:\s*-?\s*(%|percent|per cent|°\s?[cf]?|[a-z]{1,20}(?:'s)?))?`;
const tail = String.raw`(?:\s+(or (?:more|above|higher|older|longer|over)|and (?:above|over|up|more)|or (?:less|below|lower|under|fewer|younger|shorter)))?`;
const compared = new RegExp(
  String.raw`\b${comparison}\s+(?:a |an |the )?(?:total |sum |value |amount |age |limit |threshold )?(?:of |is )?(?:(${money})\s?)?${number}(?:\s?(${money}))?${unit}${tail}`,
  'i',
);
const trailing = new RegExp(
  String.raw`(?:\b(${money})\s?)?(?<![\w.])${number}(?:\s?(${money}))?${unit}\s+(or more|or above|or higher|or older|or longer|or over|and above|and over|and up|and more|or less|or below|or lower|or under|or fewer|or younger|max(?:imum)?|at most|tops)\b`,
  'i',
);
const between = new RegExp(
  String.raw`\b(between|from|outside(?: of)?)\s+(?:the range )?(?:of )?(?:(${money})\s?)?${number}\s?(?:${money}|%|°\s?[cf]?)?\s*(?:and|to|-|–)\s*(?:${money})?\s?${number}${unit}`,
  'i',
);

function toNumber(text: string): number {
  const clean = text.trim().toLowerCase().replaceAll(/[,']/g, '');
  const word = numberWords[clean];
  if (word !== undefined) return word;
  const size = /k\b|thousand/.test(clean) ? 1000 : /m\b|million/.test(clean) ? 1_000_000 : 1;
  return Number.parseFloat(clean) * size;
}

/** Words of an argument's name by which a unit shows. */
const dimensions: readonly (readonly [units: RegExp, names: string])[] = [
  [/^(?:%|percent|per|cent)$/i, 'percent percentage pct discount rate share ratio markup margin'],
  [/^(?:years?|yrs?|yo)$/i, 'age years'],
  [
    /^(?:days?|weeks?|months?)$/i,
    'days day ago age since weeks months period duration retention term within valid expires expiry',
  ],
  [
    /^(?:hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s)$/i,
    'hours minutes seconds duration ttl timeout length expires expiry time',
  ],
  [
    /^(?:degrees?|°\s?[cf]?|celsius|fahrenheit|c|f)$/i,
    'temperature degrees target setpoint temp celsius level value',
  ],
  [/^(?:mb|gb|kb|tb|megabytes?|gigabytes?|terabytes?|bytes)$/i, 'size mb gb tb bytes kb storage'],
  [/^(?:mph|kmh|kph|km|miles?|meters?|metres?|m)$/i, 'speed distance km miles radius range altitude height'],
  [
    /^(?:mg|ml|g|kg|grams?|units?|tablets?|pills?|doses?|mcg|iu|litres?|liters?)$/i,
    'dose mg ml quantity amount units dosage weight tablets',
  ],
  [
    /^(?:people|persons?|attendees?|participants?|guests?|recipients?|addresses|invitees|members)$/i,
    'attendees participants guests recipients to people count size members invitees bcc cc',
  ],
  [/^(?:characters?|chars?|words?)$/i, 'length'],
  [
    /^(?:instances?|nodes?|replicas?|pods?|machines?|servers?|cores?|gpus?|vms?)$/i,
    'instances nodes replicas count quantity size desired gpus cores',
  ],
];

const namesOf = (named: string): string[] => {
  const known = dimensions.find(([units]) => units.test(named));
  return known === undefined ? [] : known[1].split(' ');
};

const ages =
  /^(?:customers?|persons?|people|users?|patients?|children|minors?|clients?|anyone|guests?|buyers?|members?|applicants?|employees?|drivers?|players?)$/i;
const clockUnit = /^(?:am|pm|a|p|o|o'clock|uhr|h)$/i;
const repeatedUnit =
  /^(?:times?|attempts?|retries|tries|calls?|requests?|api|actions?|e?-?mails?|messages?|texts?|sms|posts?|tweets?|refunds?|payments?|transactions?|transfers?|purchases?|orders?|bookings?|deployments?|deploys?|restarts?|reboots?|searches|queries|invoices?|coupons?|vouchers?|reminders?|notifications?|trades?|tickets?|deletions?|logins?|exports?|downloads?|uploads?|comments?|replies|reschedulings?|changes?|invitations?|invites?|replacements?|follow-?ups?|resets?|cancellations?|calls)$/i;
const perScope =
  /\b(?:per|in (?:a|one|any|the same)|within (?:a|one)|each|every|an?|a single) (?:single )?(?:session|day|hour|minute|conversation|week|month|run|task|shift|customer|user|order|account|person|thread|ticket|patient|guest|chat)\b|\b(?:daily|hourly|weekly)\b|\bin a row\b|\b(?:in one go|at once|at a time|at the same time|in one step|in a single (?:call|step|batch|request))\b/i;

const ones = String.raw`(customer|client|user|order|account|person|patient|guest|ticket|invoice|employee|recipient|card|member|subscriber|lead|candidate|supplier|vendor|tenant|student|passenger|booking|reservation|channel|number|address|case|item|product|contact|applicant)`;
/** "Per customer", "to the same customer": only what was done to that one counts. */
const perOne = new RegExp(
  String.raw`\b(?:per|for each|for every|to each|to every|each) (?:single )?${ones}\b|\b(?:to|for|from|on) (?:the same|any one|a single|a|an|one) ${ones}\b`,
  'i',
);

const atOnce = /\b(?:in one go|at once|at a time|at the same time|in one step|in a single)\b/i;

interface Found {
  value: number;
  isMoney: boolean;
  unit: string;
  /** 'over' the value is met, or 'under' it; `inclusive` the value itself too. */
  side: 'over' | 'under' | 'atMost' | 'atLeast';
  match: RegExpExecArray;
}

const sideOf = (words: string): Found['side'] => {
  if (new RegExp(`^(?:${atMostWords})$`, 'i').test(words)) return 'atMost';
  if (new RegExp(`^(?:${atLeastWords})$`, 'i').test(words)) return 'atLeast';
  return new RegExp(`^(?:${underWords})$`, 'i').test(words) ? 'under' : 'over';
};

const trailingSide = (words: string): Found['side'] =>
  /less|below|lower|under|fewer|younger|shorter|max|most|tops/i.test(words) ? 'atMost' : 'atLeast';

function findCompared(text: string): Found | undefined {
  const match = compared.exec(text);
  if (match !== null) {
    const [, words = '', before, value = '', after, named = '', ending] = match;
    const side = ending === undefined ? sideOf(words) : trailingSide(ending);
    return { value: toNumber(value), isMoney: (before ?? after) !== undefined, unit: named, side, match };
  }
  const last = trailing.exec(text);
  if (last === null) return undefined;
  const [, before, value = '', after, named = '', ending = ''] = last;
  return {
    value: toNumber(value),
    isMoney: (before ?? after) !== undefined,
    unit: named,
    side: trailingSide(ending),
    match: last,
  };
}

/** The thing counted, for names of arguments: "calendar invites", "attendees". */
const nounBefore = (text: string, at: number) =>
  /([a-z][a-z-]{2,20})\s+(?:is |are |must |may |to |be |not |of |at )*$/i.exec(text.slice(0, at))?.[1] ?? '';

type Bound = Partial<{ over: number; under: number }>;

/** What breaks: more than (`over`) or less than (`under`), from what is said to be the bound. */
function boundOf({ value, side }: Pick<Found, 'value' | 'side'>, isLimit: boolean): Bound {
  const tiny = Math.max(1e-9, Math.abs(value) * 1e-9);
  if (isLimit) {
    if (side === 'atMost') return { over: value };
    if (side === 'under') return { over: value - tiny };
    return side === 'atLeast' ? { under: value } : { under: value + tiny };
  }
  if (side === 'over') return { over: value };
  if (side === 'atLeast') return { over: value - tiny };
  return side === 'under' ? { under: value } : { under: value + tiny };
}

/** "Three failed login attempts": what is counted may have words before it. */
function unitOf({ unit: named, match }: Found, text: string): string {
  if (named === '' || namesOf(named).length > 0 || repeatedUnit.test(named)) return named;
  const next = /^\s+([a-z-]+)(?:\s+([a-z-]+))?/i.exec(text.slice(match.index + match[0].length));
  const other = [next?.[1] ?? '', next?.[2] ?? ''].find(
    (word) => repeatedUnit.test(word) || (namesOf(word).length > 0 && word.length > 2),
  );
  return other ?? named;
}

const totalShape =
  /\b(?:total|in sum|combined|per (?:day|session|week|month)|daily|altogether|cumulative|in one session)\b/i;
const listed = /^(?:tickets?|orders?|messages?|e?-?mails?|invites?|invitations?)$/i;

function moneyOf({ over, under }: Bound, text: string): Condition {
  if (over === undefined) return { test: 'amount_under', under: under ?? 0 };
  return { test: 'amount', over, inclusive: false, total: totalShape.test(text) };
}

/** "More than three refunds" counts calls of the session, "more than three tickets" things of one call. */
function repeatOf(named: string, { over }: Bound, text: string, isLimit: boolean): Condition | undefined {
  if (over === undefined || !repeatedUnit.test(named)) return undefined;
  if (listed.test(named) && !perScope.test(text) && !isLimit) return undefined;
  return { test: 'repeat', over: Math.round(over), senses: [] };
}

/** Names that an argument with this quantity may have. */
function namesFor(named: string, before: string): string[] {
  const own = namesOf(named);
  const age = named === '' && ages.test(before) ? ['age', 'years'] : [];
  const isPlain = own.length === 0 || own.includes('length');
  const names = [...own, named, ...(isPlain ? [before] : []), ...namesOf(before), ...age];
  return [...new Set(names.filter((name) => name.length > 1).map((name) => name.toLowerCase()))];
}

/** "Change prices by more than 10 %". */
const byShape = /\bby\s+(?:\S{1,3})?$/i;

function conditionOf(found: Found, text: string, isLimit: boolean): Condition {
  const named = unitOf(found, text);
  const bound = boundOf(found, isLimit);
  if (found.isMoney) return moneyOf(bound, text);
  if (/^(?:%|percent|per cent)$/i.test(named) && byShape.test(text.slice(0, found.match.index + 3)))
    return { test: 'number', of: namesFor(named, ''), ...bound, relative: true };
  const repeated = repeatOf(named, bound, text, isLimit);
  return repeated ?? { test: 'number', of: namesFor(named, nounBefore(text, found.match.index)), ...bound };
}

/** "With a term of more than 24 months": the number is named for it. */
const attribute =
  /\b(?:with|having|whose) (?:an? |the )?(?:term|accuracy|value|price|size|length|duration|age|score|rating|weight|rate|balance|volume|cost|total|width|height|confidence|risk|severity)(?: of| is)?\s*$/i;

const cutOut = (text: string, match: RegExpExecArray, keep: string) => {
  const behind = text.slice(match.index + match[0].length);
  const rest = /%|percent/.test(match[0])
    ? behind.replace(/^\s*of (?:the |a |an |their |its )?(?:total |full |original )?\w+(?: \w+)?$/i, ' ')
    : behind;
  const before = text
    .slice(0, match.index)
    .replace(attribute, ' ')
    .replace(/\b(?:by|(?:that|which|who) [a-z]+)\s+$/i, ' ');
  return `${before} ${keep} ${rest}`;
};

function takeBetween(text: string, isLimit: boolean): Taken | undefined {
  const match = between.exec(text);
  if (match === null) return undefined;
  const [, words = '', , low = '', high = '', named = ''] = match;
  if (clockUnit.test(named) || /\b(?:am|pm|o'clock)\b|:\d\d/i.test(match[0])) return undefined;
  if (named === '' && !isLimit) return undefined;
  const outside = /outside/i.test(words) !== isLimit;
  const of = namesFor(named, nounBefore(text, match.index));
  const [from, to] = [toNumber(low), toNumber(high)];
  const conditions: Condition[] = outside
    ? [{ test: 'any', of: [[{ test: 'number', of, under: from }], [{ test: 'number', of, over: to }]] }]
    : [{ test: 'number', of, over: from - 1e-9, under: to + 1e-9 }];
  return { conditions, rest: cutOut(text, match, '') };
}

const twice = /\bmore than twice\b/i;
const once = /\b(?:more than (?:once|one time)|repeatedly|twice|a second time|multiple times)\b/i;
const bareLimit = new RegExp(
  String.raw`\b(?:to|at|is|=|of)\s+(?:(${money})\s?)?${number}(?:\s?(${money}))?${unit}`,
  'i',
);

/** "Limit invites to 20": the number alone is the bound. */
function findBare(text: string): Found | undefined {
  const match = bareLimit.exec(text);
  if (match === null) return undefined;
  const [, before, value = '', after, unitName = ''] = match;
  return {
    value: toNumber(value),
    isMoney: (before ?? after) !== undefined,
    unit: unitName,
    side: 'atMost',
    match,
  };
}

const triesShape = /^(?:times?|attempts?|retries|tries|calls?|requests?)$/i;

/** "Trades larger than 100 shares": what is measured stands before. */
const bySubject =
  /\b[a-z]{3,}s\s+(?:larger|bigger|longer|higher|greater|smaller|shorter|lower|of (?:more|less) than|over|above|under|below)?\s*$/i;

/** The unit stays in the text where it is the thing itself. */
function keptUnit({ unit: named, isMoney, match }: Found, { test }: Condition, text: string): string {
  if (test === 'repeat') return triesShape.test(named) ? '' : named;
  return isMoney || namesOf(named).length > 0 || bySubject.test(text.slice(0, match.index)) ? '' : named;
}

const isClock = ({ unit: named, match }: Found, text: string) =>
  clockUnit.test(named) || /^:\d\d/.test(text.slice(match.index + match[0].length));

function takeOne(text: string, isLimit: boolean): Taken | undefined {
  const range = takeBetween(text, isLimit);
  if (range !== undefined) return range;
  const found = findCompared(text) ?? (isLimit ? findBare(text) : undefined);
  if (found === undefined || !Number.isFinite(found.value) || isClock(found, text)) return undefined;
  const condition = conditionOf(found, text, isLimit);
  const rest = cutOut(text, found.match, keptUnit(found, condition, text));
  const isScoped =
    condition.test === 'repeat' ||
    (condition.test === 'amount' && condition.total) ||
    (condition.test === 'number' && atOnce.test(rest));
  return { conditions: [withScope(condition, text)], rest: isScoped ? rest.replace(perScope, ' ') : rest };
}

/** A count with that for which it is taken. */
function withScope(condition: Condition, text: string): Condition {
  if (condition.test !== 'repeat') return condition;
  const per = perOne.exec(text)?.slice(1).find(Boolean);
  return per === undefined ? condition : { ...condition, per: [per.toLowerCase()] };
}

/** Quantities of a clause. `isLimit`: the text says what is allowed ("at most 20"), not what is forbidden. */
export function takeNumbers(source: string, isLimit = false): Taken {
  const conditions: Condition[] = [];
  let rest = source;
  if (twice.test(rest)) {
    conditions.push({ test: 'repeat', over: 2, senses: [] });
    rest = rest.replace(twice, ' ').replace(perScope, ' ');
  }
  if (once.test(rest)) {
    conditions.push({ test: 'repeat', over: 1, senses: [] });
    rest = rest.replace(once, ' ').replace(perScope, ' ');
  }
  for (let round = 0; round < 3; round++) {
    const taken = takeOne(rest, isLimit);
    if (taken === undefined) break;
    conditions.push(...taken.conditions);
    rest = taken.rest;
  }
  return { conditions, rest };
}
