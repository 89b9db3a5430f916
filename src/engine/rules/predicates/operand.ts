import type { Leaf } from '../../actions/calls/leaves.ts';
import type { Scene } from '../../actions/judging/scene.ts';
import {
  bare,
  findFulfilling,
  isMissing,
  type Operand,
  type Operator,
  operators,
  type Plain,
} from '../comparing/compare.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { latestAt, leavesAt } from '../comparing/field-path.ts';
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

function readTimes(reader: TextReader): { times?: number } {
  const from = reader.at;
  const times = reader.take('times') ? reader.number() : undefined;
  if (times === undefined) reader.at = from;
  return times === undefined ? {} : { times };
}

const operand: Wording = {
  print({ value }) {
    const of = value as Operand;
    if (typeof of === 'object' && 'days_from_now' in of) return `${of.days_from_now} days from now`;
    if (typeof of === 'object' && 'argument' in of)
      return `the argument ${JSON.stringify(of.argument)}${of.times === undefined ? '' : ` times ${plainNumber(of.times)}`}`;
    return typeof of === 'object' ? listed(of.map(printPlain)) : printPlain(of);
  },
  read(reader) {
    const from = reader.at;
    if (reader.take('the argument')) {
      const argument = reader.quoted();
      if (argument !== undefined) return { value: { argument, ...readTimes(reader) } };
      reader.at = from;
    }
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

const plainsOf = (value: Operand): readonly Plain[] =>
  typeof value !== 'object' ? [value] : 'argument' in value || 'days_from_now' in value ? [] : value;

const dated: ReadonlySet<Operator> = new Set<Operator>(['is', 'is_not', 'before', 'after']);
const measured: ReadonlySet<Operator> = new Set<Operator>([
  'over',
  'at_least',
  'under',
  'at_most',
  'is',
  'is_not',
]);

function refuseOther(operator: Operator, value: Operand): string | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  if ('days_from_now' in value && !dated.has(operator))
    return "'value' must be a day from now only with `is`, `is_not`, `before` and `after`";
  if ('times' in value && value.times !== undefined && !measured.has(operator))
    return "'times' must stand only where numbers are compared";
  return operator === 'longer' || operator === 'shorter'
    ? "'value' must be a whole number of characters"
    : undefined;
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

/** The day in the time zone of the machine, as an ISO date. */
function dayFrom(now: Date, days: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}

/** What the operand stands for at this call; empty where that is not known. */
function valuesOf(value: Operand, scene: Scene): readonly Plain[] {
  if (typeof value !== 'object' || Array.isArray(value)) return plainsOf(value);
  if ('days_from_now' in value) return [dayFrom(scene.now, value.days_from_now)];
  if (!('argument' in value)) return [];
  const { argument, times } = value;
  const own = leavesAt(scene.call.leaves, argument);
  const found = own.length > 0 ? own : (latestAt(scene, [argument]) ?? []);
  if (times === undefined) return found.map(({ text }) => text);
  return found.flatMap(({ text }) => {
    const measure = parseMeasure(text);
    return measure === undefined ? [] : [measure.value * times];
  });
}

const missing = (path: string): Leaf => ({ path, key: path, text: '', number: undefined });

/**
 * The value that fulfils it; undefined where none does.
 * @param found the values that are compared
 * @param scene the judged call, for an operand that is one of its values or a day
 */
export function findAmong(
  found: readonly Leaf[],
  { path, operator, value }: Comparison,
  scene: Scene,
): Leaf | undefined {
  if (operator === 'empty') return isMissing(found) ? (found[0] ?? missing(path)) : undefined;
  if (value === undefined) return findFulfilling(found, operator, []);
  const values = valuesOf(value, scene);
  // With nothing to compare with, "not the same" would hold for anything.
  return values.length === 0 ? undefined : findFulfilling(found, operator, values);
}

/** As `findAmong`, of the values at the path. */
export const findCompared = (
  leaves: readonly Leaf[],
  comparison: Comparison,
  scene: Scene,
): Leaf | undefined => findAmong(leavesAt(leaves, comparison.path), comparison, scene);
