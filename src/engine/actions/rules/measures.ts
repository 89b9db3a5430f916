import type { Condition } from '../clauses.ts';
import { takeTime } from './times.ts';

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

const domainShape =
  /(?:@|\*\.)?(?<![\p{L}\p{N}_])((?:[\w.+-]{1,64}@)?(?:[\p{L}\p{M}\p{N}-]{1,60}\.){1,4}(?:com|org|net|io|dev|app|co|de|fr|uk|eu|ch|us|edu|gov|example|internal|local|test|ai))(?![\p{L}\p{N}_])/giu;
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
