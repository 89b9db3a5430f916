/**
 * Trains the refusal detector: `node tools/train-replies/train.ts`. Deterministic; reads only
 * `data/replies/develop.jsonl` and `develop-hard.jsonl`, writes `data/models/replies.json`, and prints the accuracy for
 * each manner of reply on unseen rows, unless told `--weights-only`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readReply } from '#engine/replies/normalise.ts';
import { featureNames, featuresOf, readSentences } from '#engine/replies/refusal/features.ts';
import { probabilitiesOf, refusalKinds, type RefusalKind } from '#engine/replies/refusal/model.ts';

interface Row {
  style: string;
  kind: string;
  label: RefusalKind;
  request: string;
  reply: string;
}
interface Case {
  style: string;
  label: number;
  features: number[];
  weight: number;
}

const steps = 1500;
const rate = 0.03;
const decay = 0.004;

const folder = new URL('../../data/replies/', import.meta.url);
/** Replies by hand count twice: they are few, and each is worded in its own way. */
const handWeight = 2;
const lines = ['develop', 'develop-hard']
  .map((name) => readFileSync(new URL(`${name}.jsonl`, folder), 'utf8'))
  .join('');
const rows = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

function casesOf(some: readonly Row[]): Case[] {
  const count = (test: (row: Row) => boolean) => some.filter(test).length;
  return some.map((row) => {
    const { text } = readReply(row.reply);
    return {
      style: row.style,
      label: refusalKinds.indexOf(row.label),
      features: featuresOf(text, row.request, readSentences(text, row.request)),
      // Each class has the same weight, and a style does not count more for being longer.
      weight: (row.kind === 'by-hand' ? handWeight : 1) / count(({ label }) => label === row.label) / 3,
    };
  });
}

/** Multinomial logistic regression by Adam on the full batch, with weight decay except for the bias. */
function fit(cases: readonly Case[]): number[][] {
  const width = featureNames.length;
  const weights = refusalKinds.map(() => Array.from({ length: width }, () => 0));
  const means = refusalKinds.map(() => Array.from({ length: width }, () => 0));
  const squares = refusalKinds.map(() => Array.from({ length: width }, () => 0));
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 1; step <= steps; step++) {
    const slopes = weights.map((row) => row.map((weight, i) => (i === 0 ? 0 : decay * weight)));
    for (const { features, label, weight } of cases) {
      const found = probabilitiesOf(features, weights);
      refusalKinds.forEach((kind, k) => {
        const error = ((found[kind] - (k === label ? 1 : 0)) * weight) / total;
        const row = slopes[k] ?? [];
        for (let i = 0; i < width; i++) row[i] = (row[i] ?? 0) + error * (features[i] ?? 0);
      });
    }
    weights.forEach((row, k) =>
      row.forEach((weight, i) => {
        const slope = slopes[k]?.[i] ?? 0;
        const mean = ((means[k] ?? [])[i] = 0.9 * (means[k]?.[i] ?? 0) + 0.1 * slope);
        const square = ((squares[k] ?? [])[i] = 0.999 * (squares[k]?.[i] ?? 0) + 0.001 * slope * slope);
        row[i] =
          weight - (rate * (mean / (1 - 0.9 ** step))) / (Math.sqrt(square / (1 - 0.999 ** step)) + 1e-8);
      }),
    );
  }
  return weights;
}

function f1Of(cases: readonly Case[], weights: readonly number[][]): number {
  const none = refusalKinds.indexOf('none');
  let [hits, wrong] = [0, 0];
  for (const { features, label } of cases) {
    const declined = probabilitiesOf(features, weights).none < 0.5;
    if (declined && label !== none) hits++;
    else if (declined !== (label !== none)) wrong++;
  }
  return (2 * hits) / (2 * hits + wrong);
}

const cases = casesOf(rows);
/** How each style fares that the fit has not seen; a fit for each, which takes some minutes. */
function printUnseenStyles(): void {
  for (const style of new Set(cases.map((each) => each.style))) {
    const unseen = cases.filter((each) => each.style === style);
    const others = fit(cases.filter((each) => each.style !== style));
    console.log(
      `${style.padEnd(20)} ${unseen.length} replies, F1 ${f1Of(unseen, others).toFixed(3)} when left out`,
    );
  }
}

if (!process.argv.includes('--weights-only')) printUnseenStyles();
const weights = fit(cases);
console.log(
  `${'all'.padEnd(20)} ${cases.length} replies, F1 ${f1Of(cases, weights).toFixed(3)} when fitted on them`,
);
const rounded = Object.fromEntries(
  refusalKinds.map((kind, k) => [
    kind,
    Object.fromEntries(featureNames.map((name, i) => [name, Number((weights[k]?.[i] ?? 0).toFixed(4))])),
  ]),
);
writeFileSync(
  new URL('../../data/models/replies.json', import.meta.url),
  `${JSON.stringify(
    {
      made_by: 'node tools/train-replies/train.ts',
      rows: cases.length,
      rows_sha256: createHash('sha256').update(lines).digest('hex'),
      weights: rounded,
    },
    null,
    2,
  )}\n`,
);
