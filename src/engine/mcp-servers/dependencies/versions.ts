/** The order of versions, near enough to each ecosystem's own for telling whether one lies in a range. */
import type { Ecosystem } from './package.ts';

interface Version {
  epoch: number;
  numbers: number[];
  /** Words of a version before the release; none for a release. */
  before: (string | number)[];
  isAfter: boolean;
}

const partsOf = (text: string): (string | number)[] =>
  (text.match(/\d+|[a-z]+/gi) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()));

function read(ecosystem: Ecosystem, given: string): Version {
  const [, epoch = '0', rest = ''] = /^(?:(\d+)!)?v?(.*)$/.exec(given.trim()) ?? [];
  const plain = rest.split('+')[0] ?? '';
  const [, numbers = '', tail = ''] = /^(\d+(?:\.\d+)*)(.*)$/.exec(plain) ?? [];
  // PEP 440: 1.0.post1 comes after 1.0. Maven has .Final, .RELEASE and .GA for releases.
  const isAfter = ecosystem === 'PyPI' && /^[.-]?post/i.test(tail);
  const isRelease = /^(?:[.-]?(?:final|release|ga))?$/i.test(tail);
  return {
    epoch: Number(epoch),
    numbers: numbers.split('.').map(Number),
    before: isRelease || isAfter ? [] : partsOf(tail),
    isAfter,
  };
}

const compareParts = (a: string | number, b: string | number): number => {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  // Numbers come before words, as semantic versioning says.
  return typeof a === 'number' ? -1 : 1;
};

function compareLists(
  a: readonly (string | number)[],
  b: readonly (string | number)[],
  missing: number,
): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (left === undefined || right === undefined) {
      if (missing !== 0) return left === undefined ? -missing : missing;
      const order = compareParts(left ?? 0, right ?? 0);
      if (order !== 0) return order;
    } else {
      const order = compareParts(left, right);
      if (order !== 0) return order;
    }
  }
  return 0;
}

/** Below zero where `a` comes before `b`. */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number {
  const [left, right] = [read(ecosystem, a), read(ecosystem, b)];
  const numbers = left.epoch - right.epoch || compareLists(left.numbers, right.numbers, 0);
  if (numbers !== 0) return numbers;
  if (left.isAfter !== right.isAfter) return left.isAfter ? 1 : -1;
  if (left.before.length === 0 || right.before.length === 0)
    return Number(right.before.length > 0) - Number(left.before.length > 0);
  return compareLists(left.before, right.before, 1);
}
