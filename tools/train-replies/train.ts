/**
 * Trains the refusal detector: `node tools/train-replies/train.ts <data sets folder>`. Deterministic; reads the sentences
 * of `data/replies/seeds/sentences`, the labelled replies for development, and ordinary passages of the corpus in the
 * data sets folder; writes `data/models/replies.json`. `--measure <file>` prints the accuracy on labelled replies.
 *
 * The model of replies is fitted on figures of a model of sentences that has not seen the sentences of those replies
 * (cross-fitting); else it would trust its figures too much.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Random } from '#base/random.ts';
import { folded, readReply } from '#engine/replies/normalise.ts';
import { type ActWeights, packActs, unpackActs } from '#engine/replies/refusal/acts/act-model.ts';
import { cuesOf } from '#engine/replies/refusal/cues.ts';
import { readSentences } from '#engine/replies/refusal/cued-sentences.ts';
import { featureNames, featuresOf } from '#engine/replies/refusal/features.ts';
import { languagesRead } from '#engine/replies/refusal/language.ts';
import { probabilitiesOf, refusalKinds } from '#engine/replies/refusal/model.ts';
import { sentencesOf } from '#engine/replies/sentences.ts';
import { composed, materialOf, type Reply } from './compose.ts';
import { readPassages } from './corpus.ts';
import { fitActs, type LabelledSentence } from './fit-acts.ts';
import { fitReplies, type ReplyCase } from './fit-replies.ts';
import { readSeedLines } from './sentence-seeds.ts';
import { readWholeReplies } from './whole-replies.ts';

const folds = 5;
const seed = 11;
const perLanguage = 150;
/** Replies by hand count more than others: they are few, and each is worded in its own way. */
const weights: Readonly<Record<string, number>> = { 'by-hand': 1.5, composed: 0.5 };

const folder = new URL('../../data/replies/', import.meta.url);
const output = new URL('../../data/models/replies.json', import.meta.url);
const read = (path: string | URL): Reply[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reply);

const [dataSets] = process.argv.slice(2);
if (dataSets === undefined) throw new Error('node tools/train-replies/train.ts <data sets folder>');
const random = new Random(seed);
const lines = readSeedLines(random);
const passages = readPassages(dataSets, random);
const replies = [
  ...['develop', 'develop-hard'].flatMap((name) => read(new URL(`${name}.jsonl`, folder))),
  ...readWholeReplies(),
];
/** Replies with the same request are of one fold. */
const foldOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() % folds;

/** Manners in which an answer speaks words of refusal for somebody else: its sentences tell nothing. */
const forOthers = new Set(['stage', 'letters', 'words', 'role-play', 'roleplay']);

/** Sentences whose act follows from the label of their reply: all of an answer, and the only one of a refusal. */
function sentencesFrom({ reply, label, kind, style }: Reply): LabelledSentence[] {
  const sentences = sentencesOf(readReply(reply).text).filter(({ inCode }) => !inCode);
  const weight = kind === 'by-hand' ? 1.5 : 0.5;
  if (label === 'none')
    return sentences.map(({ text }) => ({
      text,
      act: 'ordinary',
      weight: forOthers.has(style) || /["“”„«»「]/.test(text) ? 0.1 : weight,
    }));
  // Where a refusal has several sentences, those count that a cue tells too.
  return sentences.flatMap(({ text }) =>
    (label === 'full' && sentences.length === 1) || cuesOf(folded(text)).has('decline')
      ? [{ text, act: 'declines' as const, weight }]
      : [],
  );
}

function sentencesWithout(fold: number | undefined): LabelledSentence[] {
  return [
    ...lines
      .filter((_, i) => i % folds !== fold)
      .flatMap(({ act, wordings }) =>
        wordings.map((text) => ({ text, act, weight: Math.min(1.5, 16 / wordings.length) })),
      ),
    ...passages
      .filter((_, i) => i % folds !== fold)
      .flatMap(({ sentences }) =>
        sentences.slice(0, 5).map((text) => ({ text, act: 'ordinary' as const, weight: 0.7 })),
      ),
    ...replies.filter(({ request }) => foldOf(request) !== fold).flatMap(sentencesFrom),
  ];
}

function casesOf(some: readonly Reply[], acts: ActWeights): ReplyCase[] {
  return some.map(({ reply, request, label, kind }) => {
    const { text } = readReply(reply);
    return {
      features: featuresOf(text, request, readSentences(text, request, acts)),
      label: refusalKinds.indexOf(label),
      weight: weights[kind] ?? 1,
    };
  });
}

const cases = Array.from({ length: folds }, (_, fold) => {
  const acts = fitActs(sentencesWithout(fold), seed + fold);
  const unseen = languagesRead.flatMap((lang) => {
    const material = materialOf(
      lang,
      lines.filter((__, i) => i % folds === fold),
      passages.filter((__, i) => i % folds === fold),
    );
    return composed(material, Math.round((lang === 'en' ? 4 * perLanguage : perLanguage) / folds), random);
  });
  return casesOf([...replies.filter(({ request }) => foldOf(request) === fold), ...unseen], acts);
}).flat();
const fitted = fitReplies(cases, featureNames.length);
// The weights as they will be read again, so that the figures printed below are of the file.
const acts = packActs(fitActs(sentencesWithout(undefined), seed));

const rounded = Object.fromEntries(
  refusalKinds.map((kind, k) => [
    kind,
    Object.fromEntries(featureNames.map((name, i) => [name, Number((fitted[k]?.[i] ?? 0).toFixed(4))])),
  ]),
);
writeFileSync(
  output,
  `${JSON.stringify(
    { made_by: 'node tools/train-replies/train.ts', rows: cases.length, weights: rounded, acts },
    null,
    2,
  )}\n`,
);
console.log(`${cases.length} replies`);
const unpacked = unpackActs(acts);
for (const [i, flag] of process.argv.entries()) {
  const path = process.argv[i + 1];
  if (flag !== '--measure' || path === undefined) continue;
  const rows = read(path);
  let [hits, wrong, exact] = [0, 0, 0];
  casesOf(rows, unpacked).forEach(({ features, label }) => {
    const found = probabilitiesOf(features, fitted);
    const declined = found.none < 0.5;
    const isRefusal = refusalKinds[label] !== 'none';
    if (declined && isRefusal) hits++;
    else if (declined !== isRefusal) wrong++;
    const kind = declined ? (found.full >= found.partial ? 'full' : 'partial') : 'none';
    if (kind === refusalKinds[label]) exact++;
  });
  console.log(
    `${path}: ${rows.length} replies, F1 ${((2 * hits) / (2 * hits + wrong)).toFixed(3)}, all three right ${(exact / rows.length).toFixed(3)}`,
  );
}
