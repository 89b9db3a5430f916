import { reliability } from '#engine/evaluation/calibration.ts';
import { version } from '../../version.ts';
import {
  isFew,
  macroOf,
  measure,
  measureHarmless,
  measureSets,
  measureSlices,
  type Entry,
  type Macro,
  type Measures,
} from './measure.ts';
import type { Report, WireMeasures } from './report-schema.ts';
import type { Run } from './judge-rows.ts';
import type { Cost, RowJudge } from './row-judge.ts';
import type { RowCounts } from './rows.ts';
import type { ScoreTable } from './score-table.ts';

/** What one path gave. */
export interface Judged {
  table: ScoreTable;
  counts: RowCounts;
}

export interface Evaluation {
  judge: RowJudge;
  settings: Report['settings'];
  main: Judged;
  harmless: (Judged & { leftOut: number }) | undefined;
  run: Run;
}

const precision = 1e6;
const wireNumber = (value: number): number | null =>
  Number.isFinite(value) ? Math.round(value * precision) / precision : null;

const measuresToWire = (measures: Measures): WireMeasures => ({
  positives: measures.positives,
  negatives: measures.negatives,
  shared_negatives: measures.sharedNegatives,
  few_rows: isFew(measures),
  auprc: wireNumber(measures.averagePrecision),
  auroc: wireNumber(measures.areaUnderRoc),
  best_f1: wireNumber(measures.bestF1),
  best_f1_cut: wireNumber(measures.bestCut),
  f1: wireNumber(measures.f1),
  precision: wireNumber(measures.precision),
  recall: wireNumber(measures.recall),
  false_positive_rate: wireNumber(measures.falsePositiveRate),
  recall_at_1_percent_fpr: wireNumber(measures.recallAt1),
  recall_at_5_percent_fpr: wireNumber(measures.recallAt5),
  calibration_error: wireNumber(measures.calibrationError),
});

function macroToWire(detector: string | null, macro: Macro | undefined): Report['macro'] {
  if (macro === undefined) return [];
  const { shared_negatives: _, ...measures } = measuresToWire(macro.measures);
  return [{ detector, entries: macro.entries, ...measures, few_rows: macro.ofFewRows }];
}

const inputsToWire = ({ inputs, rowsOf }: RowCounts): Report['inputs'] =>
  inputs.map(({ path, bytes, sha256 }) => ({
    path,
    sha256: sha256 ?? null,
    bytes,
    rows: rowsOf.get(path) ?? 0,
  }));

function countsToWire({ main, harmless, run }: Evaluation): Report['counts'] {
  return {
    judged: main.table.rows,
    harmless_judged: harmless?.table.rows ?? 0,
    broken: main.counts.broken + (harmless?.counts.broken ?? 0),
    not_judged: run.notJudged,
    unlabelled: main.counts.unlabelled,
    other_splits: Object.fromEntries(main.counts.otherSplits),
    other_sources: main.counts.otherSources,
    unknown_ids: Object.fromEntries(main.counts.unknownIds),
    harmful_in_harmless: harmless?.leftOut ?? 0,
  };
}

/** A set that has harmless rows on both sides is reported separately. */
function harmlessToWire({ judge: { columns }, main, harmless }: Evaluation): Report['harmless'] {
  const beside = harmless === undefined ? [] : measureHarmless(harmless.table, columns.length);
  const alarms = [
    ...measureHarmless(main.table, columns.length),
    ...beside.map((each) => ({
      ...each,
      set: main.table.sets.has(each.set) ? `${each.set} (--harmless)` : each.set,
    })),
  ];
  return alarms.map(({ set, rows, any, each }) => ({
    set,
    rows,
    any: wireNumber(any) ?? 0,
    each: Object.fromEntries(columns.map(({ id }, column) => [id, wireNumber(each[column] ?? 0) ?? 0])),
  }));
}

const costToWire = ({ calls, promptTokens, completionTokens, rowsAsked }: Cost): Report['cost'] => ({
  calls,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  rows_asked: rowsAsked,
});

/** All figures of a run, as `--json` writes them. */
export function reportOf(evaluation: Evaluation): Report {
  const { judge, settings, main, harmless, run } = evaluation;
  const { columns, about } = judge;
  const idOf = (column: number) => columns[column]?.id ?? '';
  const entries = measureSets(main.table, columns.length, harmless?.table);
  const perDetector = columns.flatMap(({ id }, column) =>
    macroToWire(id, macroOf(entries.filter((entry) => entry.column === column))),
  );
  const pooled = columns.map(({ id }, column) => ({ id, scores: main.table.known(column) }));
  return {
    format: 'bulwark-text-evaluation/1',
    created_at: new Date().toISOString(),
    bulwark_version: version,
    engine: { kind: about.kind, version: about.version, guard: about.guard ?? null },
    settings,
    inputs: inputsToWire(main.counts),
    harmless_inputs: harmless === undefined ? [] : inputsToWire(harmless.counts),
    complete: run.stoppedBy === undefined,
    stopped_by: run.stoppedBy ?? null,
    counts: countsToWire(evaluation),
    ...(judge.cost && { cost: costToWire(judge.cost()) }),
    first_broken: [...main.counts.firstBroken, ...(harmless?.counts.firstBroken ?? [])].slice(0, 5),
    first_not_judged: run.firstNotJudged,
    detectors: columns.map(({ id, name, threshold }) => ({ id, name, threshold })),
    results: entries.map((entry: Entry) => ({
      set: entry.set,
      detector: idOf(entry.column),
      ...measuresToWire(entry),
    })),
    macro: [...perDetector, ...macroToWire(null, macroOf(entries))],
    pooled: pooled.map(({ id, scores }) => ({ detector: id, ...measuresToWire(measure(scores)) })),
    harmless: harmlessToWire(evaluation),
    slices: measureSlices(main.table, columns.length).map((slice) => ({
      field: slice.field,
      value: slice.value,
      detector: idOf(slice.column),
      ...measuresToWire(slice),
    })),
    reliability: pooled.map(({ id, scores }) => ({
      detector: id,
      bins: reliability(scores.scores, scores.labels).map(({ from, to, rows, meanScore, positiveShare }) => ({
        from,
        to,
        rows,
        mean_score: wireNumber(meanScore),
        positive_share: wireNumber(positiveShare),
      })),
    })),
  };
}
