/** The uncertainty band of a cascade: outside of it the embedded engine decides alone, within it the language model. */
import { detectorSlugs, shiftForStrictness } from '#engine/text/engine.ts';
import { detectorIds } from '#engine/text/label-ids.ts';
import { layout, share, whole } from './layout.ts';
import type { Evaluation } from './report.ts';
import type { Report } from './report-schema.ts';
import type { Scores } from './score-table.ts';

export interface Budgets {
  /** Share of the positives that may lie below the band, and are missed whatever the model would say. */
  readonly missBudget: number;
  /** Share of the negatives that may lie above it, and are flagged whatever the model would say. */
  readonly alarmBudget: number;
}

type Bands = NonNullable<Report['bands']>;
type Band = Bands['detectors'][number];

const step = 1e-4;
const down = (value: number) => Math.floor(value / step + 1e-6) * step;
const up = (value: number) => Math.ceil(value / step - 1e-6) * step;
const neat = (value: number) => Number(Math.min(1, Math.max(0, value)).toFixed(4));

/**
 * The narrowest band that keeps the budgets. It always holds the threshold as every strictness moves it: what is in
 * doubt there is a matter of the threshold, not of the model.
 */
export function chooseBand(
  { scores, labels }: Pick<Scores, 'scores' | 'labels'>,
  { missBudget, alarmBudget, threshold }: Budgets & { threshold: number },
) {
  const of = (label: number) => scores.filter((_, i) => labels[i] === label).sort((a, b) => a - b);
  const [positives, negatives] = [of(1), of(0)];
  // The score of the first positive that may not be missed, and of the last negative that may not be flagged.
  const kept = positives[Math.floor(missBudget * positives.length)] ?? threshold;
  const passed = negatives.at(-1 - Math.floor(alarmBudget * negatives.length)) ?? threshold;
  const from = neat(down(Math.min(kept, shiftForStrictness(threshold, 'low'))));
  const to = neat(Math.max(up(passed + step), up(shiftForStrictness(threshold, 'high'))));
  const shareOf = (rows: readonly number[], fits: (score: number) => boolean) =>
    rows.length === 0 ? null : rows.filter(fits).length / rows.length;
  const isWithin = (score: number) => score >= from && score < to;
  return {
    from,
    to,
    positives: positives.length,
    negatives: negatives.length,
    missed: shareOf(positives, (score) => score < from),
    alarms: shareOf(negatives, (score) => score >= to),
    asked_positives: shareOf(positives, isWithin),
    asked_negatives: shareOf(negatives, isWithin),
  };
}

/** A band for each detector that has rows of both kinds, harmless rows beside counted as negatives. */
export function chooseBands(
  { judge, main, harmless }: Pick<Evaluation, 'judge' | 'main' | 'harmless'>,
  budgets: Budgets,
): Bands {
  const detectors: Band[] = judge.columns.flatMap(({ id, threshold }, column) => {
    const at = (detectorIds as readonly string[]).indexOf(id);
    const detector = detectorSlugs[at];
    const own = main.table.known(column);
    const beside = harmless?.table.known(column);
    const rows = {
      scores: own.scores.concat(beside?.scores ?? []),
      labels: own.labels.concat(beside?.labels ?? []),
    };
    if (detector === undefined || !rows.labels.includes(1) || !rows.labels.includes(0)) return [];
    return [{ detector, ...chooseBand(rows, { ...budgets, threshold }) }];
  });
  return { miss_budget: budgets.missBudget, alarm_budget: budgets.alarmBudget, detectors };
}

/** With fewer positives one more or less is already more than the budget. */
const isBold = ({ positives }: Band, missBudget: number) => positives * missBudget < 1;

/** As the configuration takes it. */
const entries = ({ detectors }: Bands) =>
  detectors.map(({ detector, from, to }) => `${detector}=${from}..${to}`);

/** The bands as text, with the line for the configuration. */
export function printedBands(bands: Bands): string {
  if (bands.detectors.length === 0)
    return 'No band can be chosen: no built-in detector has rows labelled 1 and rows labelled 0.';
  const header = ['cascade band', 'from', 'to', 'pos', 'neg', 'missed', 'alarms', 'asked pos', 'asked neg'];
  const rows = bands.detectors.map((band) => [
    `${band.detector}${isBold(band, bands.miss_budget) ? ' *' : ''}`,
    String(band.from),
    String(band.to),
    whole(band.positives),
    whole(band.negatives),
    share(band.missed),
    share(band.alarms),
    share(band.asked_positives),
    share(band.asked_negatives),
  ]);
  const note = bands.detectors.some((band) => isBold(band, bands.miss_budget))
    ? [`*: fewer positives than a miss budget of ${bands.miss_budget} can be told from.`]
    : [];
  return [layout(header, rows), ...note, `BULWARK_POLICY_GUARD_JUDGE_BANDS=${entries(bands).join(',')}`].join(
    '\n',
  );
}

/** The bands as a file: what they were chosen on, and the figures of each. */
export const bandsFile = ({ engine, settings, counts }: Report, bands: Bands) => ({
  engine: engine.version,
  split: settings.split,
  rows: counts.judged,
  harmless_rows: counts.harmless_judged,
  rows_of_a_set: settings.limit,
  ...bands,
});
