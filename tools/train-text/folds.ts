/**
 * Cross-validation by groups of sources: each row is judged by models that were trained without its group. All
 * choices here and the calibration are based on it, because models score too well on sources that they have seen.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { combine } from '../../src/engine/text/judge.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import { isHarmless } from './augment.ts';
import { type Measured, meanAndDeviation } from './calibrate.ts';
import { toExamples, toFeatures } from './examples.ts';
import { linearLogits } from './linear.ts';
import { NetPass, netLogits, toVectorRows } from './net-model.ts';
import { type TrainOptions, type Trained, trainModels } from './pipeline.ts';
import { type LabelledRow, detectorIds } from './rows.ts';

/** Each group has harmful and harmless sources. */
const groups: readonly (readonly string[])[] = [
  ['davidson', 'toxigen_annotated', 'benign_service', 'catqa', 'safebench_text', 'jailbreak_wild'],
  ['edos', 'do_not_answer', 'advbench', 'benign_instructions', 'posts_composed', 'pi_goals'],
  ['rtp_decodingtrust', 'rtp_more', 'aart', 'benign_roleplay', 'identity_templates', 'jailbreak_composed'],
  ['mlc_v05', 'implicit_hate', 'benign_knowledge', 'bipia_train', 'paradetox'],
  [
    'sap200',
    'authored_contrast',
    'toxic_spans',
    'wiki_talk_context',
    'benign_security',
    'nibbler_rewrites',
    'jailbreak_optimised',
  ],
  ['hatemoji_build', 'xsafety_en', 'online_misogyny', 'hard_negatives', 'benign_bbq'],
];

const foldCount = groups.length;

/** Sources that are not listed (our own styles, corpus files) are assigned to a group by their names. */
function groupOf(source: string): number {
  const listed = groups.findIndex((group) => group.includes(source));
  if (listed >= 0) return listed;
  return (createHash('sha256').update(source).digest()[0] ?? 0) % foldCount;
}

const rowsPerSource = 400;

/** At most 400 rows of each source, spread over it. */
export function thinned(rows: readonly LabelledRow[], most: number = rowsPerSource): LabelledRow[] {
  const bySource = new Map<string, LabelledRow[]>();
  for (const row of rows) {
    const list = bySource.get(row.source);
    if (list === undefined) bySource.set(row.source, [row]);
    else list.push(row);
  }
  return [...bySource.values()].flatMap((list) => {
    const step = Math.max(1, list.length / most);
    return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)]).filter(
      (row) => row !== undefined,
    );
  });
}

const mostTokens = 256;

/** Logits of newly trained models on rows. */
function judgeRows(
  { linear, net }: Trained,
  words: readonly string[],
  rows: readonly LabelledRow[],
): Measured[] {
  const examples = toExamples(rows).map((each) => ({ ...each, words: each.words.slice(0, mostTokens) }));
  const table = toFeatures(examples);
  const vectorRows = toVectorRows(examples, words, mostTokens);
  const pass = new NetPass(net);
  return rows.flatMap((row, i) => {
    const own = vectorRows[i];
    if (own === undefined || own.length === 0) return [];
    const out = new Float64Array(detectorIds.length);
    linearLogits(linear, table, i, out);
    return {
      linear: out,
      net: netLogits(pass, own).slice(),
      tokens: own.length,
      labels: row.labels,
      source: row.source,
      harmless: isHarmless(row),
    };
  });
}

/** Input of a worker thread. */
export type FoldInput = Omit<TrainOptions, 'log'> & { folds: readonly number[] };

/**
 * Logits of the rows of one group by models trained without it, standardised on harmless rows of the other groups
 * (mean 0, deviation 1), so that groups can be pooled.
 */
export function judgeFold(fold: number, options: Omit<TrainOptions, 'log'>): Measured[] {
  const { lines, vectors } = options;
  const rows = options.rows.filter(({ split }) => split !== 'final_only');
  const seen = ({ source }: LabelledRow) => groupOf(source) !== fold;
  const trained = trainModels({
    ...options,
    rows: rows.filter(seen),
    lines: lines.filter(seen),
    log: () => undefined,
  });
  const known = rows.concat(lines).filter((row) => seen(row) && row.split === 'dev' && isHarmless(row));
  const scale = scaleOf(judgeRows(trained, vectors.words, thinned(known, 100)));
  const unseen = rows
    .concat(lines)
    .filter((row) => !seen(row) && row.split !== 'eval' && row.split !== 'final_only');
  return judgeRows(trained, vectors.words, thinned(unseen)).map((each) => standardise(each, scale));
}

const threads = 2;

function inThread(input: FoldInput): Promise<Measured[]> {
  const worker = new Worker(new URL('fold-worker.ts', import.meta.url), { workerData: input });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Logits of all rows by models trained without their group; two threads process one group after another. */
export async function outOfFold({ log, ...options }: TrainOptions): Promise<Measured[]> {
  const numbers = groups.map((_, fold) => fold);
  const shares = Array.from({ length: threads }, (_, thread) =>
    numbers.filter((fold) => fold % threads === thread),
  );
  const found = await Promise.all(shares.map((folds) => inThread({ ...options, folds })));
  log('groups left out are judged');
  return found.flat();
}

type Scale = Record<'linear' | 'net', { mean: number; deviation: number }[]>;

export function scaleOf(harmless: readonly Measured[]): Scale {
  const of = (model: 'linear' | 'net') =>
    detectorIds.map((_, detector) => meanAndDeviation(harmless.map((each) => each[model][detector] ?? 0)));
  return { linear: of('linear'), net: of('net') };
}

function standardise(row: Measured, scale: Scale): Measured {
  const by = (model: 'linear' | 'net') =>
    row[model].map((logit, h) => (logit - (scale[model][h]?.mean ?? 0)) / (scale[model][h]?.deviation ?? 1));
  return { ...row, linear: by('linear'), net: by('net') };
}

/** Area under the ROC curve of each detector on the pooled rows of all folds, by the share of the net. */
export function foldTable(rows: readonly Measured[]): string[] {
  const shares = [0, 0.3, 0.5, 0.7, 0.85, 1];
  const unit = { mean: 0, deviation: 1 };
  const lines = detectorIds.map((id, detector) => {
    const known = rows.filter(({ labels }) => (labels[detector] ?? -1) >= 0);
    const labels = known.map((row) => row.labels[detector] ?? 0);
    const areas = shares.map((netShare) => {
      const by = { linear: unit, net: unit, netShare, slope: 1, offsets: [], sentenceCost: 0 };
      return areaUnderRoc(
        known.map((row) => combine(row, detector, by)),
        labels,
      );
    });
    return `${id.padEnd(20)} ${areas.map((area) => area.toFixed(3)).join(' ')}`;
  });
  return [`share of the net      ${shares.join('   ')}`, ...lines];
}
