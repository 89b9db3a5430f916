/** Limits with numbers: "above 5,000", "max 250 kg per bar", "between 45 and 55 percent". */
import { unitName } from '../../comparing/units.ts';
import type { Predicate } from '../../predicates/catalog.ts';
import { textWords } from '../../../actions/words.ts';
import { isEmptyWord } from '../../../actions/things.ts';

export interface Limit {
  /** The bound that the text names: "above 5,000" is `over`, "max 5" `atmost`. */
  readonly bound: 'over' | 'atleast' | 'under' | 'atmost';
  readonly value: number;
  readonly unit: string | undefined;
  /** What is counted, where it has no unit: `restarts`. */
  readonly noun: string;
  /** "per hour", "per customer": what the count is of. */
  readonly per: readonly string[];
  /** The other end of "between A and B". */
  readonly to?: number;
}

const numerals: Readonly<Record<string, number>> = {
  one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12,
  fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, hundred: 100, 'a hundred': 100, 'a thousand': 1000,
  'one hundred': 100, 'two hundred': 200, 'five hundred': 500, 'one thousand': 1000, 'two thousand': 2000, 'five thousand': 5000,
  'ten thousand': 10_000, 'half a': 0.5, 'a dozen': 12, once: 1, twice: 2,
};
const words = Object.keys(numerals).toSorted((a, b) => b.length - a.length).join('|');
const number = `(?<sign>[€$£]|(?:eur|usd|gbp|chf)\\s)?\\s?(?<number>\\d[\\d,]*(?:\\.\\d+)?|\\b(?:${words})\\b)\\s?(?<scale>k\\b|m\\b(?!\\w)|thousand\\b|million\\b)?`;
const rest = `(?:[ -]?(?<after>%|€|\\$|£|km\\/h|°c?|[a-z]+))?(?:[ -](?<second>[a-z]+))?`;

const before: readonly (readonly [Limit['bound'], string])[] = [
  ['over', 'more than|over|above|exceeding|exceeds?|beyond|longer than|older than|past|bigger than|heavier than|farther than|further than|from more than'],
  ['atleast', 'at least|minimum(?: of)?|a minimum of|from'],
  ['atmost', 'at most|maximum(?: of)?|a maximum of|up to|a limit of|capped at|limited to|limit of|a cap of|as much as|within'],
  ['under', 'less than|fewer than|under|below|younger than|shorter than|lighter than'],
];
const after: readonly (readonly [Limit['bound'], string])[] = [
  ['atleast', 'or more|and more|and above|or above|upwards|and over|or over|or longer|and up'],
  ['atmost', 'or less|or fewer|tops|maximum|at most|at the most|is (?:the limit|enough|quite enough|the maximum)|and no more'],
];

const perShape =
  /\b(?:per|for each|for every|each|every|an?|in (?:an?|one|the same)|of (?:the|a) same|for the same|to the same|within (?:an?|one)|and) (hour|day|week|month|quarter|year|minute|session|conversation|customer|user|person|employee|patient|guest|client|tenant|account|household|recipient|card|order|room|device|service|call|job|request|member|supplier|vendor|ticket|student|child|player|driver|contact|address|[a-z]+)\b/g;

const shapes = [
  ...before.map(([bound, text]) => ({ bound, shape: new RegExp(`\\b(?:${text}) (?:a |the )?${number}${rest}`, 'g') })),
  ...after.map(([bound, text]) => ({ bound, shape: new RegExp(`${number}${rest}(?: [a-z]+){0,3}?,? (?:${text})\\b`, 'g') })),
];
const rangeShape = new RegExp(`\\bbetween ${number} and (?<to>\\d[\\d,.]*)${rest}`);

const valueOf = (groups: Readonly<Record<string, string | undefined>>): number => {
  const text = groups['number'] ?? '';
  const plain = numerals[text] ?? Number(text.replaceAll(',', ''));
  const scale = groups['scale'];
  return plain * (scale === undefined ? 1 : /^k|thousand/.test(scale) ? 1000 : 1_000_000);
};

const signUnit: Readonly<Record<string, string>> = { '€': 'euros', $: 'dollars', '£': 'pounds', eur: 'euros', usd: 'dollars', gbp: 'pounds', chf: 'francs' };

function unitOfGroups(groups: Readonly<Record<string, string | undefined>>): { unit: string | undefined; noun: string } {
  const sign = groups['sign']?.trim();
  if (sign !== undefined && sign !== '') return { unit: signUnit[sign], noun: '' };
  const [first = '', second = ''] = [groups['after'] ?? '', groups['second'] ?? ''];
  const unit = unitName(first);
  if (unit !== undefined && first.length > 1) return { unit, noun: second };
  if (unit !== undefined && /^[%€$£]$/.test(first)) return { unit, noun: second };
  const later = second.length > 1 ? unitName(second) : undefined;
  // "40 GPU hours", "three consecutive weeks": the word between says which.
  if (later !== undefined) return { unit: later, noun: first };
  return { unit: undefined, noun: [first, second].filter((word) => word !== '' && !isEmptyWord(word)).join(' ') };
}

const stops = /\b(?:per|a|an|each|every|in|on|of|for|to|without|unless|requires?|needs?|must|may|is|are|at|and|or|the|with)\b/;

export interface LimitsRead {
  readonly limits: readonly Limit[];
  /** The text without them. */
  readonly rest: string;
}

function perOf(text: string): string[] {
  return [...text.matchAll(perShape)].map((found) => found[1] ?? '').filter((word) => word !== '');
}

/** Reads the limits of a text; what is no limit stays. */
export function readLimits(text: string): LimitsRead {
  const range = rangeShape.exec(text);
  if (range?.groups !== undefined && range.groups['to'] !== undefined) {
    const { unit, noun } = unitOfGroups(range.groups);
    const to = Number(range.groups['to'].replaceAll(',', ''));
    return {
      limits: [{ bound: 'atleast', value: valueOf(range.groups), unit, noun, per: [], to }],
      rest: text.replace(range[0], ' '),
    };
  }
  const limits: Limit[] = [];
  let left = text;
  for (const { bound, shape } of shapes)
    left = left.replace(shape, (found, ...args: unknown[]) => {
      const groups = args.at(-1) as Record<string, string | undefined>;
      const { unit, noun } = unitOfGroups(groups);
      const value = valueOf(groups);
      if (!Number.isFinite(value)) return found;
      limits.push({ bound, value, unit, noun: stops.test(noun) ? noun.split(stops)[0]?.trim() ?? '' : noun, per: perOf(text) });
      return ` ${noun} `;
    });
  return { limits, rest: left.replaceAll(/\s+/g, ' ').trim() };
}

const flipped = { over: 'atmost', atleast: 'under', under: 'atleast', atmost: 'over' } as const;

const windows = new Set(['hour', 'day', 'week', 'month', 'quarter', 'year', 'minute', 'session', 'conversation', 'time', 'once']);

/**
 * A limit as a test of the call.
 * @param as `said`: the quantity lies where the limit says ("above 5,000"); `broken`: where it may not ("max 5,000")
 * @param of words by which the quantity may be named besides
 */
export function limitTest(limit: Limit, as: 'said' | 'broken', of: readonly string[]): Predicate {
  const bound = as === 'said' ? limit.bound : flipped[limit.bound];
  const names = [...textWords(limit.noun), ...of].filter((word) => !isEmptyWord(word));
  return {
    is: 'measured',
    [bound]: limit.value,
    ...(limit.unit !== undefined && { unit: limit.unit }),
    ...(names.length > 0 && { of: [...new Set(names)] }),
  };
}

export const windowOf = ({ per }: Limit): string | undefined => per.find((word) => windows.has(word));
export const keysOf = ({ per }: Limit): readonly string[] => per.filter((word) => !windows.has(word));
