/** Which tests a scan has: cases of data sets as they are, and some of them under each algorithm. */
import { randomFor } from '#engine/attacks/seeds.ts';
import type { DataSet, ScanCase } from '#engine/model-scan/case.ts';
import { defaultAlgorithm } from '../contract/names.ts';

export interface PlannedTest {
  readonly case: ScanCase;
  readonly algorithm: string;
}

export interface PlanSettings {
  readonly algorithms: readonly string[];
  readonly seed: number;
  /** Cases of each data set for each algorithm. */
  readonly attackCases: number;
}

/**
 * The tests in the order of their execution: mixed, so that the time of those done tells the time of the rest.
 * Equal arguments give equal plans.
 */
export function planScan(
  sets: readonly DataSet[],
  { algorithms, seed, attackCases }: PlanSettings,
): PlannedTest[] {
  const tests = sets.flatMap(({ cases }) => {
    const attacked = chooseAttacked(cases, attackCases, seed);
    return [
      ...cases.map((each) => ({ case: each, algorithm: defaultAlgorithm })),
      ...algorithms.flatMap((algorithm) => attacked.map((each) => ({ case: each, algorithm }))),
    ];
  });
  randomFor(seed, 'order').shuffle(tests);
  return tests;
}

/** Whether an attack makes sense: one request for something that the model is to keep back. */
const canBeAttacked = ({ turns, intent, expect }: ScanCase): boolean =>
  turns.length === 1 &&
  intent !== 'benign' &&
  (expect.kind === 'refuse' || expect.kind === 'canary' || expect.kind === 'no_leak');

/** A stratified sample: one case of each subcategory in turn, by chance within it. */
function chooseAttacked(cases: readonly ScanCase[], most: number, seed: number): ScanCase[] {
  const strata = new Map<string, ScanCase[]>();
  for (const each of cases.filter(canBeAttacked))
    strata.set(each.subcategory, [...(strata.get(each.subcategory) ?? []), each]);
  for (const [subcategory, stratum] of strata)
    randomFor(seed, 'attacked', stratum[0]?.dataset ?? '', subcategory).shuffle(stratum);
  return inTurn([...strata.values()], most);
}

/** The first of each list, then the second of each, up to `most`. */
function inTurn<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)))
    .flat()
    .slice(0, most);
}
