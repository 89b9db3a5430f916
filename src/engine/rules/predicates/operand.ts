import type { Leaf } from '../../actions/calls/leaves.ts';
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
import { leavesAt } from '../comparing/field-path.ts';
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

const operand: Wording = {
  print({ value }) {
    const of = value as Operand;
    if (typeof of === 'object' && 'argument' in of) return `the argument ${JSON.stringify(of.argument)}`;
    return typeof of === 'object' ? listed(of.map(printPlain)) : printPlain(of);
  },
  read(reader) {
    const from = reader.at;
    if (reader.take('the argument')) {
      const argument = reader.quoted();
      if (argument !== undefined) return { value: { argument } };
      reader.at = from;
    }
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
    before: [isDate, 'a date such as `2026-11-30`'],
    after: [isDate, 'a date such as `2026-11-30`'],
    in_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
    beyond_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
    covers_network: [isNetwork, 'a network such as `10.0.0.0/8`'],
  };

function isQuantity(value: Plain): boolean {
  return typeof value !== 'boolean' && parseMeasure(value) !== undefined;
}
function isDate(value: Plain): boolean {
  return parseDate(String(value)) !== undefined;
}
function isNetwork(value: Plain): boolean {
  return parseNetwork(String(value)) !== undefined;
}

const plainsOf = (value: Operand): readonly Plain[] =>
  typeof value !== 'object' ? [value] : 'argument' in value ? [] : value;

export function refuseComparison({ path, operator, value }: Comparison): string | undefined {
  const glob = refuseGlob(path);
  if (glob !== undefined) return `'path' ${glob}`;
  if (bare.has(operator) !== (value === undefined))
    return bare.has(operator)
      ? `'value' must not stand with \`${operator}\``
      : `'value' must stand with \`${operator}\``;
  if (value === undefined) return undefined;
  if (
    Array.isArray(value) &&
    (value.length < 2 || !['in', 'not_in', 'like', 'not_like', 'contains'].includes(operator))
  )
    return "'value' must be a list of at least two only with `in`, `not_in`, `like`, `not_like` and `contains`";
  const wanted = wantedOf[operator];
  const plains = plainsOf(value);
  if (wanted !== undefined && !plains.every(wanted[0])) return `'value' must be ${wanted[1]}`;
  const bad = plains.map((one) => refuseGlob(String(one))).find((reason) => reason !== undefined);
  return operator.endsWith('like') && bad !== undefined ? `'value' ${bad}` : undefined;
}

/**
 * The value that fulfils it; undefined where none does.
 * @param call values of the judged call, for an operand that is one of its arguments
 */
export function findCompared(
  leaves: readonly Leaf[],
  { path, operator, value }: Comparison,
  call: readonly Leaf[],
): Leaf | undefined {
  const found = leavesAt(leaves, path);
  if (operator === 'empty')
    return isMissing(found) ? (found[0] ?? { path, key: path, text: '', number: undefined }) : undefined;
  if (value === undefined) return findFulfilling(found, operator, []);
  const isArgument = typeof value === 'object' && 'argument' in value;
  const values = isArgument ? leavesAt(call, value.argument).map(({ text }) => text) : plainsOf(value);
  // With nothing to compare with, "not the same" would hold for anything.
  return values.length === 0 ? undefined : findFulfilling(found, operator, values);
}
