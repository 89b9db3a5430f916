/**
 * Trains what custom policies are judged with: `node tools/train-policies/train.ts [data sets folder] [--own folder]
 * [--out file] [--cache folder]`. Policies of held-out trades are never read for training (`cases.ts`).
 *
 * Reproducible bit for bit from the seed: the manifest next to the weights has the hash of every input.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fold } from '../../src/engine/text/fold.ts';
import { packPolicyWeights } from '../../src/engine/text/policy-weights.ts';
import type { StanceScales } from '../../src/engine/text/stance-net.ts';
import { sentenceUnits } from '../../src/engine/text/sentence-units.ts';
import { tokenise } from '../../src/engine/text/tokens.ts';
import { hashCorpus } from '../train-text/corpus.ts';
import { readDataSets } from '../train-text/rows.ts';
import { cachedVectors } from '../train-text/vector-cache.ts';
import { calibratePolicies } from './calibrate.ts';
import { type Kind, type PolicyCase, allTexts, kinds, readCases, wordingOf } from './cases.ts';
import { aliasWords, commonWords, ownRows, readDictionary } from './dictionary.ts';
import { type EncodedCase, firstTable, pieceRows, trainEncoder } from './encoder.ts';
import { groupWords } from './groups.ts';
import { ordinaryFiles, readOrdinary } from './ordinary.ts';
import { readPairs } from './pairs.ts';
import { encoderSources } from './sources.ts';
import {
  type StanceReaders,
  type StanceTexts,
  meanScales,
  stanceScales,
  trainReaders,
} from './joined-stance.ts';
import { type ReadCase, stanceCodes } from './stance.ts';
import type { FixedVectors } from './stance-net.ts';
import { type Trained, quantise } from './weights.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'string', default: join(root, 'data/training/policies') },
    out: { type: 'string', default: join(root, 'data/models/policies.bin') },
    cache: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const started = Date.now();
const log = (line: string) =>
  console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const folder = positionals[0] ?? join(root, '../shared/datasets');
const corpus = join(folder, 'corpus');
const seed = Number(values.seed);
const size = 128;
const manifest: Record<string, string> = {};
const cases = [...readCases(values.own, manifest), ...readCases(join(folder, 'policies'), manifest)].filter(
  ({ heldOut }) => !heldOut,
);
const pairs = readPairs(join(values.own, 'pairs'), manifest);
log(`${cases.length} policies, ${pairs.length} of one sentence`);
const unseen = new Set(
  readDataSets(folder)
    .filter(({ split }) => split === 'eval')
    .map(({ text }) => fold(text).text.trim()),
);
const vectors = await cachedVectors(values.cache, {
  corpus,
  sources: encoderSources,
  texts: [],
  ownTexts: [...cases, ...pairs].flatMap((each) => [wordingOf(each), ...allTexts(each)]),
  unseen,
  vocabulary: 60_000,
  size,
  // What is spoken of together tells subjects apart: with words five apart AUROCs of the subject are .01 lower.
  window: { words: 25, power: 0.5 },
  seed,
  log,
});
const wordsOf = (text: string) => tokenise(fold(text).text).words;
const english = commonWords(
  [...cases, ...pairs]
    .filter(({ language }) => language === 'en')
    .flatMap((each) => allTexts(each).map(wordsOf)),
);
const words = aliasWords(
  vectors.words,
  readDictionary(join(values.own, 'dictionary.tsv'), manifest),
  (word) => english.has(word),
  wordsOf,
);
const find = (word: string) => words.known.row(word);
const findForm = (word: string) => words.known.rowOfForm(word);
const known = ownRows(vectors, words);
log(`${words.own.length} words, ${words.aliases.length} words of other languages`);
const readTexts = (source: PolicyCase): ReadCase => {
  const words = (kind: Kind) => source.texts[kind].map(wordsOf);
  return {
    source,
    words: {
      violating: words('violating'),
      plain: words('plain'),
      near: words('near'),
      other: words('other'),
    },
  };
};
const read = cases.map(readTexts);
const readOfPairs = pairs.map(readTexts);
const ordinary = (await readOrdinary(corpus)).filter(({ trained }) => trained);
const ordinaryWords = ordinary.map(({ text }) => wordsOf(text));
const groups = groupWords(known.rows, { size, groups: 120, frequent: 20_000, seed });
const start = firstTable(known, seed);
log('groups of words');

const unitsOf = (words: readonly string[]) =>
  sentenceUnits(words, findForm, { words: known.words.length, pieceRows });

function encode({ source: { source }, words }: ReadCase): EncodedCase {
  const { name, description, blockActivities } = source;
  const units = (texts: readonly string[]) => unitsOf(wordsOf(texts.join('\n')));
  const texts = {} as Record<Kind, EncodedCase['texts'][Kind]>;
  for (const kind of kinds) texts[kind] = words[kind].map(unitsOf);
  return {
    whole: units([name, description, ...blockActivities]),
    parts: [
      units([name, description]),
      ...blockActivities.flatMap((activity) => [units([description, activity]), units([name, activity])]),
    ],
    texts,
  };
}

const encoded = new Map(read.map((each) => [each, encode(each)] as const));
const encodedPairs = readOfPairs.map(encode);

const fixed: FixedVectors = { table: start, size, words: known.words.length, pieceRows, find };
/** Of the folds so far. */
const scales: StanceScales[] = [];

/** Measured on what the readers were not trained on, or the folds' mean where nothing is left. */
function scalesOf(readers: StanceReaders, { cases: some, ordinary: texts }: StanceTexts): StanceScales {
  const trainedOn = new Set<unknown>([...some, ...texts]);
  const left = (each: unknown) => !trainedOn.has(each);
  const unseen = { cases: read.filter(left), ordinary: ordinaryWords.filter(left) };
  if (unseen.cases.length === 0) return meanScales(scales);
  const own = stanceScales(readers, unseen, fixed);
  scales.push(own);
  return own;
}

/** All models, trained on some of the policies and of the ordinary texts. */
function train(some: readonly ReadCase[], texts: readonly (readonly string[])[]): Trained {
  const taught = [...some, ...readOfPairs];
  const codes = stanceCodes(taught, groups, find);
  const stanceTexts = { cases: taught, ordinary: texts };
  const readers = trainReaders(stanceTexts, { codes, fixed, seed });
  const stances = scalesOf(readers, stanceTexts);
  log('stance');
  const own = some.flatMap((each) => encoded.get(each) ?? []);
  const { table, nearest } = trainEncoder(
    start,
    { cases: own, pairs: encodedPairs },
    {
      size,
      batch: 320,
      pairShare: 0.45,
      steps: 800,
      rate: 0.02,
      mapRate: 0.001,
      temperature: 0.1,
      secondShare: 0.5,
      unshared: 0.6,
      dropped: 0.4,
      seed,
    },
  );
  log(`trained on ${some.length} policies; own text nearest in ${nearest.toFixed(2)}`);
  return {
    words,
    size,
    table,
    stance: readers.ngrams,
    codes,
    net: readers.net,
    stances,
    policies: own.map(({ whole }) => whole),
  };
}

const calibration = calibratePolicies({
  cases: read,
  ordinary: ordinary.map(({ text }) => text),
  ordinaryWords,
  train,
  log,
});
const trained = train(read, ordinaryWords);
const unversioned = quantise(trained, calibration, '');
const version = createHash('sha256')
  .update(packPolicyWeights(unversioned.header, unversioned.parts))
  .digest('hex')
  .slice(0, 12);
const file = packPolicyWeights({ ...unversioned.header, version }, unversioned.parts);
writeFileSync(values.out, file);
Object.assign(
  manifest,
  hashCorpus(corpus, [...new Set([...encoderSources.map(([name]) => name), ...ordinaryFiles])].sort()),
);
const about = { version, seed, node: process.version, bytes: file.length, inputs: manifest };
writeFileSync(values.out.replace(/\.bin$/, '.manifest.json'), `${JSON.stringify(about, null, 2)}\n`);
log(`wrote ${values.out}: ${(file.length / 1e6).toFixed(2)} MB, version ${version}`);
