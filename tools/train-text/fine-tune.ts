/**
 * Continues the training of existing weights with new rows of our own: `node tools/train-text/fine-tune.ts [data sets
 * folder] --new style,style [--from file] [--out file]`.
 *
 * Takes about a minute on one core, and is reproducible like `train.ts`: equal weights, rows and seed give equal
 * bytes. Up to 900 rows of every known source are used again together with the new ones, so that nothing is
 * forgotten. Vocabulary, slopes and shares are not changed; thresholds are shifted so that harmless rows not used in
 * training are flagged as often as before.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fold } from '../../src/engine/text/fold.ts';
import { type TextModel, heads, parseModel } from '../../src/engine/text/model.ts';
import { Random } from '../../src/base/random.ts';
import { concatenations, firstSentences, harmlessJoins } from './augment.ts';
import { hashCorpus } from './corpus.ts';
import { toExamples, toFeatures } from './examples.ts';
import { exportModel } from './export.ts';
import { thinned } from './folds.ts';
import { harmlessFiles, harmlessLines } from './harmless-lines.ts';
import { type LinearModel, linearDefaults, trainLinear } from './linear.ts';
import { recalibrate } from './measure.ts';
import { netDefaults, trainFurther } from './net.ts';
import type { NetModel } from './net-model.ts';
import { type LabelledRow, type Manifest, readDataSets, readOwnRows } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'data/models/text.bin');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    new: { type: 'string', default: '' },
    from: { type: 'string', default: shipped },
    out: { type: 'string', default: shipped },
    seed: { type: 'string', default: '1' },
  },
});

const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${line}`);

/** Maximum number of rows of a known source, and of a corpus file, that are used again. */
const again = 900;
const linesAgain = 250;
/** How often a new row is used for each use of a known one. */
const newTimes = 2;
const seed = Number(values.seed);

const netOf = ({ header, vectors, vectorScales, ...layers }: TextModel): NetModel => ({
  size: header.size,
  hidden: header.hidden,
  vectors: Float32Array.from(vectors, (value, i) => value * (vectorScales[Math.floor(i / header.size)] ?? 0)),
  shift: layers.shift.slice(),
  inner: layers.inner.slice(),
  innerBias: layers.innerBias.slice(),
  outer: layers.outer.slice(),
  outerBias: layers.outerBias.slice(),
});

const linearOf = ({ header, linear }: TextModel): LinearModel => ({
  weights: Float32Array.from(linear, (value, i) => value * (header.linearScales[i % heads] ?? 0)),
  bias: Float32Array.from(header.linearBias),
});

const manifestOf = (weights: string) => weights.replace(/\.bin$/, '.manifest.json');

const folder = positionals[0] ?? join(root, '../shared/datasets');
const manifest: Manifest = {};
const shared = readDataSets(folder, manifest);
const own = readOwnRows(join(root, 'data/training'), manifest).filter(({ context }) => context === undefined);
const unseen = new Set(
  shared.filter(({ split }) => split === 'eval').map(({ text }) => fold(text).text.trim()),
);
const lines = await harmlessLines(join(folder, 'corpus'), unseen);
const isNew = ({ source }: LabelledRow) => values.new.split(',').some((style) => source === `own/${style}`);
const isTrain = ({ split }: LabelledRow) => split === 'train' || split === 'final_only';
const known = thinned(
  [...shared, ...own].filter((row) => isTrain(row) && !isNew(row)),
  again,
);
const fresh = own.filter((row) => isTrain(row) && isNew(row));
const random = new Random(seed);
const rows = [
  ...known,
  ...Array.from({ length: newTimes }, () => fresh).flat(),
  ...thinned(lines.filter(isTrain), linesAgain),
  ...concatenations([...known, ...fresh], 4000, random),
  ...harmlessJoins([...known, ...fresh], 2000, random),
  ...firstSentences([...known, ...fresh], 2000, random),
];
log(`${fresh.length} new rows, ${rows.length} in all`);

const base = readFileSync(values.from);
const model = parseModel(base, values.from);
const examples = toExamples(rows);
const linear = trainLinear(
  examples,
  toFeatures(examples),
  { ...linearDefaults, seed, epochs: 3, rate: 0.1 },
  linearOf(model),
);
log('linear model');
const net = netOf(model);
const { words } = model.vocabulary;
trainFurther(net, words, examples, {
  ...netDefaults,
  seed,
  epochs: 3,
  rate: 1e-3,
  vectorRate: 6e-4,
  log,
});
const parts = { words, linear, net };
const kept = [...shared, ...own, ...lines];
const calibration = recalibrate(
  model.header.calibration,
  { before: base, after: exportModel({ ...parts, version: '', calibration: model.header.calibration }) },
  kept,
);
const unversioned = exportModel({ ...parts, version: '', calibration });
const version = createHash('sha256').update(unversioned).digest('hex').slice(0, 12);
const file = exportModel({ ...parts, version, calibration });
writeFileSync(values.out, file);
const corpusHashes = hashCorpus(join(folder, 'corpus'), [...harmlessFiles].sort());
const about = {
  version,
  newStyles: values.new.split(','),
  seed,
  node: process.version,
  bytes: file.length,
  inputs: { ...manifest, ...corpusHashes },
  trainedOnFrom: JSON.parse(readFileSync(manifestOf(values.from), 'utf8')) as unknown,
};
writeFileSync(manifestOf(values.out), `${JSON.stringify(about, null, 2)}\n`);
log(`wrote ${values.out}: ${(file.length / 1e6).toFixed(2)} MB, version ${version}`);
