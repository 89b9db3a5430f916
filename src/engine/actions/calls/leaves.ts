import { readQuantity } from './quantity.ts';

/** One value inside the arguments of a call. */
export interface Leaf {
  /** Names on the way, joined by dots. */
  path: string;
  /** The nearest name: `recipient`, `url`, … */
  key: string;
  text: string;
  number: number | undefined;
  /** It was a number, and no text with one. */
  isNumber?: boolean;
}

const maxLeaves = 500;
const maxDepth = 12;
const maxText = 20_000;

const longestNumber = 30;
/** Without spaces between the digits and without a plus, which telephone numbers have; units and words make it no number. */
const numberShape = /^\s*[€$£¥₹₩]?\s?-?\d[\d.,'’_]*\s*$/;

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > longestNumber || !numberShape.test(value)) return undefined;
  return readQuantity(value)?.value;
}

/** All values of an argument object, bounded in number, depth and length; cycles end where they begin. */
export function leavesOf(params: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  walk(params, { path: '', key: '', depth: 0 }, leaves);
  return leaves;
}

interface Place {
  path: string;
  key: string;
  depth: number;
}

const plainText = (value: unknown) =>
  ['number', 'boolean', 'bigint'].includes(typeof value) ? `${value as number}` : '';

function walk(value: unknown, place: Place, leaves: Leaf[]): void {
  if (leaves.length >= maxLeaves || value === null || value === undefined) return;
  if (typeof value === 'object') {
    walkInside(value, place, leaves);
    return;
  }
  const text = typeof value === 'string' ? value.slice(0, maxText) : plainText(value);
  leaves.push({
    path: place.path,
    key: place.key,
    text,
    number: numberOf(value),
    isNumber: typeof value === 'number',
  });
}

function walkInside(value: object, { path, key, depth }: Place, leaves: Leaf[]): void {
  if (depth >= maxDepth) return;
  const list = Array.isArray(value);
  for (const name in value) {
    if (leaves.length >= maxLeaves) return;
    if (!Object.hasOwn(value, name)) continue;
    const inner: unknown = (value as Record<string, unknown>)[name];
    walk(
      inner,
      { path: path === '' ? name : `${path}.${name}`, key: list ? key : name, depth: depth + 1 },
      leaves,
    );
  }
}

/** Text of a tool's answer, whatever its shape; bounded. */
export function outputText(output: unknown): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output.slice(0, 200_000);
  return leavesOf(output)
    .map(({ key, text }) => (key === '' ? text : `${key}: ${text}`))
    .join('\n')
    .slice(0, 200_000);
}
