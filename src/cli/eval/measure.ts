import { calibrationError } from '#engine/evaluation/calibration.ts';
import { atCut } from '#engine/evaluation/confusion.ts';
import {
  areaUnderRoc,
  averagePrecision,
  bestF1,
  recallAtFalsePositiveRate,
} from '#engine/evaluation/ranking.ts';
import type { Scores, ScoreTable } from './score-table.ts';

/** How well one column separates the rows of one set; NaN if a class is missing. */
export interface Measures {
  positives: number;
  negatives: number;
  /** The set has positives alone: the negatives are harmless rows from elsewhere. */
  sharedNegatives: boolean;
  averagePrecision: number;
  areaUnderRoc: number;
  bestF1: number;
  bestCut: number;
  /** By the judge's own flags, as are precision, recall and the false-positive rate. */
  f1: number;
  precision: number;
  recall: number;
  falsePositiveRate: number;
  recallAt1: number;
  recallAt5: number;
  calibrationError: number;
}

const numbers = [
  'averagePrecision',
  'areaUnderRoc',
  'bestF1',
  'bestCut',
  'f1',
  'precision',
  'recall',
  'falsePositiveRate',
  'recallAt1',
  'recallAt5',
  'calibrationError',
] as const satisfies readonly (keyof Measures)[];

/** A measure of a set and a column. */
export interface Entry extends Measures {
  set: string;
  column: number;
}

export interface Slice extends Measures {
  field: string;
  value: string;
  column: number;
}

/** Fewer positives or negatives than this say little. */
const fewRows = 10;

export const isFew = ({ positives, negatives }: Pick<Measures, 'positives' | 'negatives'>) =>
  positives < fewRows || negatives < fewRows;

/** All measures of some scores. */
export function measure({ scores, labels, flags }: Scores, sharedNegatives = false): Measures {
  const positives = labels.reduce((sum, label) => sum + label, 0);
  const negatives = labels.length - positives;
  const flagged = atCut(flags, labels, 1);
  const best = bestF1(scores, labels);
  const told = positives > 0 && negatives > 0;
  const where = <T>(known: boolean, value: T) => (known ? value : Number.NaN);
  return {
    positives,
    negatives,
    sharedNegatives,
    averagePrecision: where(told, averagePrecision(scores, labels)),
    areaUnderRoc: areaUnderRoc(scores, labels),
    bestF1: where(told, best.f1),
    bestCut: where(told, best.cut),
    f1: where(told, flagged.f1),
    precision: where(told, flagged.precision),
    recall: flagged.recall,
    falsePositiveRate: flagged.falsePositiveRate,
    recallAt1: where(told, recallAtFalsePositiveRate(scores, labels, 0.01)),
    recallAt5: where(told, recallAtFalsePositiveRate(scores, labels, 0.05)),
    calibrationError: where(told, calibrationError(scores, labels)),
  };
}

const joined = (a: Scores, b: Scores): Scores => ({
  scores: a.scores.concat(b.scores),
  labels: a.labels.concat(b.labels),
  flags: a.flags.concat(b.flags),
});

/**
 * Each set and column with a known label. A set that has positives alone is measured against the harmless rows: those
 * of `harmless` where given, else those of the other sets.
 */
export function measureSets(table: ScoreTable, columns: number, harmless: ScoreTable | undefined): Entry[] {
  const from = harmless ?? table;
  const harmlessRows = from.harmless();
  const entries: Entry[] = [];
  for (const [set, rows] of table.sets)
    for (let column = 0; column < columns; column++) {
      const own = table.known(column, rows);
      if (own.labels.length === 0) continue;
      const lacksNegatives = own.labels.every((label) => label === 1);
      const scores = lacksNegatives ? joined(own, from.known(column, harmlessRows)) : own;
      entries.push({ set, column, ...measure(scores, lacksNegatives && harmlessRows.length > 0) });
    }
  return entries;
}

/** Values of a field with more rows come first; lengths in their own order. */
export function measureSlices(table: ScoreTable, columns: number): Slice[] {
  const slices: Slice[] = [];
  for (const [field, groups] of table.slices) {
    const ordered = [...groups].sort(([, a], [, b]) => b.length - a.length);
    for (const [value, rows] of ordered)
      for (let column = 0; column < columns; column++) {
        const scores = table.known(column, rows);
        if (scores.labels.length > 0) slices.push({ field, value, column, ...measure(scores) });
      }
  }
  return slices;
}

/** The plain mean over entries: each counts the same, however many rows it has. */
export interface Macro {
  entries: number;
  /** Entries with few rows were all there is, and are counted. */
  ofFewRows: boolean;
  measures: Measures;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean over entries with both classes and enough rows; undefined where no entry has both. */
export function macroOf(entries: readonly Entry[]): Macro | undefined {
  const whole = entries.filter(({ positives, negatives }) => positives > 0 && negatives > 0);
  const enough = whole.filter((entry) => !isFew(entry));
  const counted = enough.length > 0 ? enough : whole;
  const [first] = counted;
  if (first === undefined) return undefined;
  const measures: Measures = {
    ...first,
    positives: counted.reduce((sum, { positives }) => sum + positives, 0),
    negatives: counted.reduce((sum, { negatives }) => sum + negatives, 0),
    sharedNegatives: counted.some(({ sharedNegatives }) => sharedNegatives),
  };
  for (const name of numbers)
    measures[name] = mean(counted.map((entry) => entry[name]).filter((value) => !Number.isNaN(value)));
  return { entries: counted.length, ofFewRows: enough.length === 0, measures };
}

/** How often harmless rows of a set are flagged. */
export interface FalseAlarms {
  set: string;
  rows: number;
  any: number;
  /** One for each column. */
  each: number[];
}

/** The sets that hold rows with label 0 in every column. */
export function measureHarmless(table: ScoreTable, columns: number): FalseAlarms[] {
  const alarms: FalseAlarms[] = [];
  for (const [set, rows] of table.sets) {
    const harmless = table.harmless(rows);
    if (harmless.length === 0) continue;
    alarms.push({
      set,
      rows: harmless.length,
      any: harmless.filter((row) => table.isFlagged(row)).length / harmless.length,
      each: Array.from({ length: columns }, (_, column) => mean(table.known(column, harmless).flags)),
    });
  }
  return alarms;
}
