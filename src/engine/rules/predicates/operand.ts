import {
  bare,
  type Operand,
  type Operator,
  operators,
  type OtherValue,
  type Plain,
} from '../comparing/compare.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { parseDate, parseMeasure } from '../comparing/measure.ts';
import { parseNetwork } from '../comparing/network.ts';
import type { TextReader } from '../wording/text-reader.ts';
import { choice, listed, oneWay, phrase, plainNumber, readList, type Wording } from '../wording/wording.ts';

/** A comparison of values at a path. */
export interface Comparison {
  readonly path: string;
  readonly operator: Operator;
  readonly value?: Operand | undefined;
}

const printPlain = (value: Plain) =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'number'
      ? plainNumber(value)
      : String(value);

const readPlain = (reader: TextReader): Plain | undefined =>
  reader.quoted() ??
  reader.number() ??
  (reader.take('true') ? true : reader.take('false') ? false : undefined);

const shifted = (value: number, unit: string) =>
  `${value < 0 ? ' minus' : ' plus'} ${plainNumber(Math.abs(value))}${unit}`;

const printOther = ({ argument, times, plus, days }: OtherValue) =>
  [
    `the argument ${JSON.stringify(argument)}`,
    times === undefined ? '' : ` times ${plainNumber(times)}`,
    plus === undefined ? '' : shifted(plus, ''),
    days === undefined ? '' : shifted(days, ' days'),
  ].join('');

/** "plus 50", "minus 2 days"; undefined, and the reader where it was, where something else follows. */
function readShift(reader: TextReader): { plus?: number; days?: number } | undefined {
  const from = reader.at;
  const sign = reader.take('plus') ? 1 : reader.take('minus') ? -1 : 0;
  const value = sign === 0 ? undefined : reader.number();
  if (value !== undefined) return { [reader.take('days') ? 'days' : 'plus']: sign * value };
  reader.at = from;
  return undefined;
}

function readOther(reader: TextReader): OtherValue | undefined {
  const argument = reader.take('the argument') ? reader.quoted() : undefined;
  if (argument === undefined) return undefined;
  const from = reader.at;
  const times = reader.take('times') ? reader.number() : undefined;
  if (times === undefined) reader.at = from;
  const first = readShift(reader);
  const second = first?.plus === undefined ? undefined : readShift(reader);
  return { argument, ...(times !== undefined && { times }), ...first, ...second };
}

const operand: Wording = {
  print({ value }) {
    const of = value as Operand;
    if (typeof of === 'object' && 'days_from_now' in of) return `${of.days_from_now} days from now`;
    if (typeof of === 'object' && 'argument' in of) return printOther(of);
    if (typeof of === 'object' && 'user' in of) return `the user's ${JSON.stringify(of.user)}`;
    return typeof of === 'object' ? listed(of.map(printPlain)) : printPlain(of);
  },
  read(reader) {
    const from = reader.at;
    const other = readOther(reader);
    if (other !== undefined) return { value: other };
    reader.at = from;
    const attribute = reader.take("the user's") ? reader.quoted() : undefined;
    if (attribute !== undefined) return { value: { user: attribute } };
    reader.at = from;
    const days = reader.number();
    if (days !== undefined && reader.take('days from now')) return { value: { days_from_now: days } };
    reader.at = from;
    const found = readList(reader, () => readPlain(reader));
    if (found === undefined) return undefined;
    return { value: found.length === 1 ? found[0] : found };
  },
};

const texts = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(operators).filter(([name]) => names.includes(name)));
const bareNames = [...bare];
const otherNames = Object.keys(operators).filter((name) => !bare.has(name));

/** "of more than 500", "that is one of …". */
export const comparison: Wording = oneWay(
  [({ operator }) => bare.has(operator as string), choice('operator', texts(bareNames))],
  [() => true, phrase(choice('operator', texts(otherNames)), operand)],
);

export const comparisonFields = {
  path: { type: 'text' },
  operator: { type: 'choice', of: Object.keys(operators) },
  value: { type: 'operand', optional: true },
} as const;

const wantedOf: Readonly<Partial<Record<Operator, readonly [can: (value: Plain) => boolean, what: string]>>> =
  {
    over: [isQuantity, 'a number, with a unit or without'],
    at_least: [isQuantity, 'a number, with a unit or without'],
    under: [isQuantity, 'a number, with a unit or without'],
    at_most: [isQuantity, 'a number, with a unit or without'],
    longer: [isLength, 'a whole number of characters'],
    shorter: [isLength, 'a whole number of characters'],
    more_words: [isLength, 'a whole number of words'],
    fewer_words: [isLength, 'a whole number of words'],
    before: [isDate, 'a date such as `2026-11-30`'],
    after: [isDate, 'a date such as `2026-11-30`'],
    in_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
    beyond_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
    covers_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
  };

function isQuantity(value: Plain): boolean {
  return typeof value !== 'boolean' && parseMeasure(value) !== undefined;
}
function isLength(value: Plain): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
function isDate(value: Plain): boolean {
  return parseDate(String(value)) !== undefined;
}
function isNetwork(value: Plain): boolean {
  return parseNetwork(String(value)) !== undefined;
}

/** The values that the rule itself names. */
const plainsOf = (value: Operand): readonly Plain[] =>
  typeof value !== 'object' ? [value] : isList(value) ? value : [];

const isList = (value: object): value is readonly Plain[] => Array.isArray(value);

const dated: ReadonlySet<Operator> = new Set<Operator>(['is', 'is_not', 'before', 'after']);
const measured: ReadonlySet<Operator> = new Set<Operator>([
  'over',
  'at_least',
  'under',
  'at_most',
  'is',
  'is_not',
]);

const sized: ReadonlySet<Operator> = new Set<Operator>(['longer', 'shorter', 'more_words', 'fewer_words']);

function refuseShift(operator: Operator, { times, plus, days }: OtherValue): string | undefined {
  const isReckoned = times !== undefined || plus !== undefined;
  if (isReckoned && !measured.has(operator))
    return "'times' and 'plus' must stand only where numbers are compared";
  return days !== undefined && (isReckoned || !dated.has(operator))
    ? "'days' must stand only where dates are compared, with neither 'times' nor 'plus'"
    : undefined;
}

function refuseOther(operator: Operator, value: Operand): string | undefined {
  if (typeof value !== 'object' || isList(value)) return undefined;
  if (sized.has(operator)) return "'value' must be a whole number";
  if ('days_from_now' in value && !dated.has(operator))
    return "'value' must be a day from now only with `is`, `is_not`, `before` and `after`";
  return 'argument' in value ? refuseShift(operator, value) : undefined;
}

export function refuseComparison({ path, operator, value }: Comparison): string | undefined {
  const glob = refuseGlob(path);
  if (glob !== undefined) return `'path' ${glob}`;
  if (bare.has(operator) !== (value === undefined))
    return `'value' must ${value === undefined ? '' : 'not '}stand with \`${operator}\``;
  return value === undefined ? undefined : refuseValue(operator, value);
}

function refuseValue(operator: Operator, value: Operand): string | undefined {
  if (
    Array.isArray(value) &&
    (value.length < 2 || !['in', 'not_in', 'like', 'not_like', 'contains'].includes(operator))
  )
    return "'value' must be a list of at least two only with `in`, `not_in`, `like`, `not_like` and `contains`";
  const other = refuseOther(operator, value);
  if (other !== undefined) return other;
  const wanted = wantedOf[operator];
  const plains = plainsOf(value);
  if (wanted !== undefined && !plains.every(wanted[0])) return `'value' must be ${wanted[1]}`;
  const bad = plains.map((one) => refuseGlob(String(one))).find((reason) => reason !== undefined);
  return operator.endsWith('like') && bad !== undefined ? `'value' ${bad}` : undefined;
}
