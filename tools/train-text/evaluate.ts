/**
 * Prints the table of the model card, with the negatives that are not used in training: `node
 * tools/train-text/evaluate.ts [data sets folder] [--split eval] [--sources a,b] [--own folder] [--json file]`.
 * Any other rows are measured by `bulwark eval text` (docs/guides/evaluating.md).
 *
 * Prints for each set and detector: AUPRC, AUROC, best F1, F1 at probability .5, false-positive rate on rows without
 * the label, recall at 1 % and 5 % false positives. Sets without negatives are measured against the harmless rows of
 * split `dev`, including our own rows.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type TextEngine, detectorSlugs, loadTextEngine } from '../../src/engine/text/engine.ts';
import { calibrationError } from '../../src/engine/evaluation/calibration.ts';
import { atCut } from '../../src/engine/evaluation/confusion.ts';
import {
  areaUnderRoc,
  averagePrecision,
  bestF1,
  recallAtFalsePositiveRate,
} from '../../src/engine/evaluation/ranking.ts';
import { isHarmless } from './augment.ts';
import { type LabelledRow, detectorIds, readDataSets, readOwnRows } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'eval' },
    sources: { type: 'string' },
    own: { type: 'string', default: join(root, 'data/training') },
    json: { type: 'string' },
  },
});

const engine: TextEngine = await loadTextEngine();
const policies = detectorSlugs.map((detector) =>
  engine.compile({ name: detector, description: '', blockActivities: [], safeActivities: [], detector }),
);

const judge = ({ text, context }: LabelledRow): number[] => {
  const analysis = engine.analyse(text, context);
  return policies.map((policy) => engine.score(analysis, policy).probability);
};

interface Judged {
  row: LabelledRow;
  scores: number[];
}

const everyNth = 3;
const leastPositives = 10;

const rows = [
  ...readDataSets(positionals[0] ?? join(root, '../shared/datasets')),
  ...readOwnRows(values.own),
];
const wanted = values.sources?.split(',');
const measured: Judged[] = rows
  .filter(({ split, source }) => split === values.split && (wanted === undefined || wanted.includes(source)))
  .map((row) => ({ row, scores: judge(row) }));
const background: Judged[] = rows
  .filter((row) => row.split === 'dev' && isHarmless(row))
  .filter((_, i) => i % everyNth === 0)
  .map((row) => ({ row, scores: judge(row) }));

function report(set: readonly Judged[], detector: number) {
  const positives = set.filter(({ row }) => row.labels[detector] === 1);
  const own = set.filter(({ row }) => row.labels[detector] === 0);
  if (positives.length < leastPositives) return undefined;
  const negatives = own.length >= leastPositives ? own : background;
  const scores = [...positives, ...negatives].map((each) => each.scores[detector] ?? 0);
  const labels = [...positives.map(() => 1), ...negatives.map(() => 0)];
  const cut = atCut(scores, labels, 0.5);
  return {
    positives: positives.length,
    negatives: negatives === own ? own.length : `${background.length} shared`,
    averagePrecision: averagePrecision(scores, labels),
    areaUnderRoc: areaUnderRoc(scores, labels),
    bestF1: bestF1(scores, labels).f1,
    f1: cut.f1,
    recall: cut.recall,
    falsePositiveRate: cut.falsePositiveRate,
    recallAt1: recallAtFalsePositiveRate(scores, labels, 0.01),
    recallAt5: recallAtFalsePositiveRate(scores, labels, 0.05),
    calibrationError: calibrationError(scores, labels),
  };
}

const number = (value: number) => value.toFixed(3).replace(/^0/, '').padStart(5);
const results: Record<string, unknown> = {};
console.log(
  'set / detector                                 pos    neg  AUPRC AUROC bestF1  F1@.5 rec@.5 fpr@.5 r@1% r@5%',
);
const sources = [...new Set(measured.map(({ row }) => row.source))];
for (const source of sources) {
  const set = measured.filter(({ row }) => row.source === source);
  detectorIds.forEach((id, detector) => {
    const found = report(set, detector);
    if (found === undefined) return;
    results[`${source}/${id}`] = found;
    const cells = [
      found.averagePrecision,
      found.areaUnderRoc,
      found.bestF1,
      found.f1,
      found.recall,
      found.falsePositiveRate,
      found.recallAt1,
      found.recallAt5,
    ];
    const name = `${source} / ${id}`.padEnd(44);
    console.log(
      name,
      String(found.positives).padStart(5),
      String(found.negatives).slice(0, 6).padStart(6),
      cells.map(number).join('  '),
    );
  });
}

/** Harmless rows flagged by any detector, and by each, at probability .5. */
console.log('\nharmless rows flagged at .5: any, then each detector');
const harmless = [...measured.filter(({ row }) => isHarmless(row)), ...background];
for (const source of new Set(harmless.map(({ row }) => row.source))) {
  const set = harmless.filter(({ row }) => row.source === source);
  if (set.length < leastPositives) continue;
  const share = (test: (scores: number[]) => boolean) =>
    set.filter(({ scores }) => test(scores)).length / set.length;
  const any = share((scores) => scores.some((score) => score >= 0.5));
  const each = detectorIds.map((_, detector) => share((scores) => (scores[detector] ?? 0) >= 0.5));
  results[`harmless/${source}`] = { rows: set.length, any, each };
  console.log(
    source.padEnd(44),
    String(set.length).padStart(5),
    number(any),
    ' ',
    each.map(number).join(' '),
  );
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
