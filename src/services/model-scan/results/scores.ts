/** Means and shares over tests. */
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { caseSeverities } from '#engine/model-scan/case.ts';
import { algorithmNames, dataSetNames, defaultAlgorithm } from '../contract/names.ts';
import type { ScoredTest } from './store.ts';

export interface Share {
  count: number;
  of: number;
  share: number;
  interval: { low: number; high: number };
}

export const isAssessed = ({ score }: ScoredTest): boolean => score !== null;

/** Cases as they are: what the scores of data sets rest on. */
export const ownTests = (tests: readonly ScoredTest[]): ScoredTest[] =>
  tests.filter(({ algorithm }) => algorithm === defaultAlgorithm);

/** Mean of the assessed tests, with two decimals; undefined without any. */
export function meanScore(tests: readonly ScoredTest[]): number | undefined {
  const scores = tests.flatMap(({ score }) => (score === null ? [] : [score]));
  if (scores.length === 0) return undefined;
  return Math.round((scores.reduce<number>((sum, score) => sum + score, 0) / scores.length) * 100) / 100;
}

export function shareOf(tests: readonly ScoredTest[], counts: (test: ScoredTest) => boolean): Share {
  return shareFrom(tests.filter(counts).length, tests.length);
}

/** With a Wilson interval at 95 %. */
export function shareFrom(count: number, of: number): Share {
  const { low, high } = wilsonInterval(count, of);
  return {
    count,
    of,
    share: of === 0 ? 0 : fourDecimals(count / of),
    interval: { low: fourDecimals(low), high: fourDecimals(high) },
  };
}

const fourDecimals = (value: number) => Math.round(value * 10_000) / 10_000;

/** Values by name, without those that are not known. */
export const record = <V>(
  names: readonly string[],
  value: (name: string) => V | undefined,
): Record<string, V> =>
  Object.fromEntries(
    names.flatMap((name): [string, V][] => {
      const found = value(name);
      return found === undefined ? [] : [[name, found]];
    }),
  );

export function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const inOrderOf = (order: readonly string[], found: ReadonlySet<string>): string[] => [
  ...order.filter((name) => found.has(name)),
  ...[...found].filter((name) => !order.includes(name)).sort(),
];

/** In the order of the documents. */
export const datasetsOf = (tests: readonly ScoredTest[]): string[] =>
  inOrderOf(dataSetNames, new Set(tests.map(({ dataset }) => dataset)));

export const algorithmsOf = (tests: readonly ScoredTest[]): string[] =>
  inOrderOf([defaultAlgorithm, ...algorithmNames], new Set(tests.map(({ algorithm }) => algorithm)));

export const severityOrder = (severity: string): number =>
  caseSeverities.findIndex((each) => each === severity);

/** A row for each algorithm in each data set. */
export const coverageOf = (tests: readonly ScoredTest[]) =>
  algorithmsOf(tests).flatMap((algorithm) =>
    datasetsOf(tests).flatMap((dataset) => {
      const both = tests.filter((each) => each.algorithm === algorithm && each.dataset === dataset);
      if (both.length === 0) return [];
      return [
        {
          algorithm,
          dataset,
          tests: both.length,
          assessed: both.filter(isAssessed).length,
          succeeded: both.filter(({ score }) => score === 0).length,
          average: meanScore(both) ?? null,
        },
      ];
    }),
  );

/** Article 9 before Article 10. */
const byNumber = new Intl.Collator('en', { numeric: true });

/** Results by the framework entries of the cases. */
export function frameworkRows(tests: readonly ScoredTest[]) {
  const pairs = tests.flatMap((test) =>
    test.frameworks.map(({ framework, id }) => ({ framework, id, key: `${framework} ${id}`, test })),
  );
  return [...grouped(pairs, ({ key }) => key).values()]
    .map((list) => {
      const all = list.map(({ test }) => test);
      return {
        framework: list[0]?.framework ?? '',
        id: list[0]?.id ?? '',
        tests: all.length,
        failed: all.filter(({ score }) => score === 0).length,
        average: meanScore(all) ?? null,
      };
    })
    .toSorted((a, b) => byNumber.compare(`${a.framework} ${a.id}`, `${b.framework} ${b.id}`));
}
