/**
 * Trains the text engine: `node tools/train-text/train.ts [data sets folder] [--own folder,…] [--twins folder] [--out file] [--cache folder] [--final]`.
 *
 * Reproducible bit for bit from the seed: the manifest next to the weights has the hash of every input. Rows of split
 * `eval` are never used for training; lines equal to them are removed from the corpus. The operating points by kinds of
 * text are written beside the weights.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fold } from '../../src/engine/text/fold.ts';
import { withHarmlessComments } from './comments.ts';
import { hashCorpus, vectorSources } from './corpus.ts';
import { cachedFolds } from './fold-cache.ts';
import { exportModel } from './export.ts';
import { foldTable, outOfFold } from './folds.ts';
import { harmlessFiles, harmlessLines } from './harmless-lines.ts';
import { shiftsByKind } from './kinds.ts';
import { calibrate } from './measure.ts';
import { trainModels } from './pipeline.ts';
import { type Manifest, readDataSets, readOwnRows } from './rows.ts';
import { smallTalk } from './small-talk.ts';
import { readTwinRows } from './twins.ts';
import { cachedVectors } from './vector-cache.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'string', default: join(root, 'data/training') },
    twins: { type: 'string', default: join(root, 'data/training/twins') },
    out: { type: 'string', default: join(root, 'data/models/text.bin') },
    cache: { type: 'string' },
    seed: { type: 'string', default: '1' },
    final: { type: 'boolean', default: false },
  },
});

const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const folder = positionals[0] ?? join(root, '../shared/datasets');
const seed = Number(values.seed);
const manifest: Manifest = {};
const shared = readDataSets(folder, manifest);
const own = [
  ...values.own.split(',').flatMap((each) => readOwnRows(each, manifest)),
  ...readTwinRows(values.twins, manifest),
].filter(({ context }) => context === undefined);
log(`${shared.length} shared rows, ${own.length} own rows`);
const unseen = new Set(
  shared.filter(({ split }) => split === 'eval').map(({ text }) => fold(text).text.trim()),
);
const learnable = shared.filter(({ split }) => split === 'train' || split === 'dev');
const corpus = join(folder, 'corpus');
const vectors = await cachedVectors(values.cache, {
  corpus,
  texts: learnable.map(({ text }) => text),
  ownTexts: own.map(({ text }) => text),
  unseen,
  vocabulary: 40_000,
  size: 96,
  seed,
  log,
});
/** Says where two runs on different machines part. */
const logHash = (what: string, values: Float32Array) =>
  log(`${what}: ${createHash('sha256').update(new Uint8Array(values.buffer)).digest('hex').slice(0, 12)}`);
logHash('vectors', vectors.rows);
const lines = await harmlessLines(corpus, unseen);
// Rows of split `final_only` resemble an evaluation set: they are used for the released weights only, on request.
const rows = withHarmlessComments(
  [...shared, ...own].filter(({ split }) => values.final || split !== 'final_only'),
);
const input = { rows, lines, vectors, seed, log };
const judging = cachedFolds(values.cache, () => outOfFold({ ...input, epochs: 3, rowsPerSource: 1200 }));
// Small talk is generated here, not read: it is kept out of the cross-validation, where all groups would see it.
const { linear, net } = trainModels({
  ...input,
  rows: [...rows, ...smallTalk()],
  epochs: 5,
  rowsPerSource: 3000,
});
logHash('linear model', linear.weights);
logHash('vectors after training', net.vectors);
const folds = await judging;
for (const line of foldTable(folds)) log(line);
const parts = { words: vectors.words, linear, net };
const calibration = calibrate(folds, exportModel({ ...parts, version: '', calibration: [] }), [
  ...rows,
  ...lines,
]);
const unversioned = exportModel({ ...parts, version: '', calibration });
const version = createHash('sha256').update(unversioned).digest('hex').slice(0, 12);
const file = exportModel({ ...parts, version, calibration });
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, file);
Object.assign(
  manifest,
  hashCorpus(corpus, [...new Set([...vectorSources.map(([file]) => file), ...harmlessFiles])].sort()),
);
const about = { version, seed, node: process.version, bytes: file.length, inputs: manifest };
writeFileSync(values.out.replace(/\.bin$/, '.manifest.json'), `${JSON.stringify(about, null, 2)}\n`);
writeFileSync(
  values.out.replace(/\.bin$/, '.kinds.json'),
  `${JSON.stringify({ weights: version, shifts: shiftsByKind(folds) }, null, 2)}\n`,
);
log(`wrote ${values.out}: ${(file.length / 1e6).toFixed(2)} MB, version ${version}`);
