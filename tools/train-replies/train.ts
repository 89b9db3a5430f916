/**
 * Trains the refusal detector: `node tools/train-replies/train.ts <data sets folder> [--write]`. Deterministic; reads the
 * sentences of `data/replies/seeds`, the labelled replies for development, the hands of `test/fixtures/replies` but the
 * sixth, and ordinary passages of the corpus in the data sets folder. Prints how it fares on each hand when that hand is
 * left out; writes `data/models/replies.json`. `--measure <file>` prints the accuracy on labelled replies.
 */
import { writeFileSync } from 'node:fs';
import { Random } from '#base/random.ts';
import { packActs, unpackActs } from '#engine/replies/refusal/acts/act-model.ts';
import { featureNames } from '#engine/replies/refusal/features.ts';
import { probabilitiesOf, refusalKinds } from '#engine/replies/refusal/model.ts';
import { packWhole, unpackWhole } from '#engine/replies/refusal/whole/whole-model.ts';
import { readAnswers } from './answers.ts';
import { readPassages } from './corpus.ts';
import { casesOf, fitDetector } from './detector.ts';
import type { ReplyCase } from './fit-replies.ts';
import { handNames, readHand, readReplies } from './hands.ts';
import { readSeedLines } from './sentence-seeds.ts';
import { readWholeReplies } from './whole-replies.ts';

const folder = new URL('../../data/replies/', import.meta.url);
const output = new URL('../../data/models/replies.json', import.meta.url);

const [dataSets] = process.argv.slice(2);
if (dataSets === undefined) throw new Error('node tools/train-replies/train.ts <data sets folder> [--write]');
const random = new Random(11);
const started = process.cpuUsage();
const { rows, readers, count, leftOut } = fitDetector(
  {
    lines: readSeedLines(random),
    passages: readPassages(dataSets, random),
    own: [
      ...['develop', 'develop-hard', 'kept-apart', 'kept-apart-hard'].flatMap((name) =>
        readReplies(new URL(`${name}.jsonl`, folder)),
      ),
      ...readWholeReplies(),
      ...readAnswers(dataSets, random),
    ],
    hands: new Map(handNames.map((name) => [name, readHand(name)])),
  },
  random,
  (text) => console.log(`${text} (${Math.round(process.cpuUsage(started).user / 1e6)} s)`),
);

/** Refused, in part or wholly, against answered. */
function told(cases: readonly ReplyCase[], some: readonly (readonly number[])[]) {
  let [hits, misses, alarms, exact] = [0, 0, 0, 0];
  for (const { features, label } of cases) {
    const found = probabilitiesOf(features, some);
    const declined = found.none < 0.5;
    const isRefusal = refusalKinds[label] !== 'none';
    if (declined && isRefusal) hits++;
    else if (declined) alarms++;
    else if (isRefusal) misses++;
    const kind = declined ? (found.full >= found.partial ? 'full' : 'partial') : 'none';
    if (kind === refusalKinds[label]) exact++;
  }
  const f1 = (2 * hits) / (2 * hits + misses + alarms);
  const text = `${cases.length} replies, F1 ${f1.toFixed(3)}, precision ${(hits / (hits + alarms)).toFixed(3)}, recall ${(hits / (hits + misses)).toFixed(3)}, all three right ${(exact / cases.length).toFixed(3)}`;
  return { f1, text, alarms: `refused by mistake ${alarms} of ${cases.length}` };
}

const figures = [...leftOut].map(([name, { cases, rows: without }]) => {
  const { f1, text } = told(cases, without);
  console.log(`${name}, left out: ${text}`);
  return f1;
});
console.log(
  `left out: mean F1 ${(figures.reduce((sum, f1) => sum + f1, 0) / figures.length).toFixed(3)}, worst ${Math.min(...figures).toFixed(3)}`,
);

// The weights as they will be read again, so that the figures printed below are of the file.
const [acts, whole] = [packActs(readers.acts), packWhole(readers.whole)];
const rounded = Object.fromEntries(
  refusalKinds.map((kind, k) => [
    kind,
    Object.fromEntries(featureNames.map((name, i) => [name, Number((rows[k]?.[i] ?? 0).toFixed(4))])),
  ]),
);
if (process.argv.includes('--write'))
  writeFileSync(
    output,
    `${JSON.stringify(
      { made_by: 'node tools/train-replies/train.ts', rows: count, weights: rounded, acts, whole },
      null,
      2,
    )}\n`,
  );
const read = { acts: unpackActs(acts), whole: unpackWhole(whole) };
console.log(
  `answers to real questions: ${told(casesOf(readAnswers(dataSets, random, true), read), rows).alarms}`,
);
for (const [i, flag] of process.argv.entries()) {
  const path = process.argv[i + 1];
  if (flag !== '--measure' || path === undefined) continue;
  console.log(`${path}: ${told(casesOf(readReplies(path), read), rows).text}`);
}
