import { concatenations, firstSentences, harmlessJoins, safeTriggerSentences } from './augment.ts';
import { toExamples, toFeatures } from './examples.ts';
import { type LinearModel, linearDefaults, linearLogits, trainLinear } from './linear.ts';
import { netDefaults, trainNet } from './net.ts';
import type { NetModel } from './net-model.ts';
import { Random } from '../../src/base/random.ts';
import { type LabelledRow, detectorIds } from './rows.ts';
import type { WordVectors } from './vectors.ts';

export interface TrainOptions {
  rows: readonly LabelledRow[];
  /** Harmless rows from the corpus. */
  lines: readonly LabelledRow[];
  vectors: WordVectors;
  seed: number;
  /** Epochs of the net, and rows of a source in each. */
  epochs: number;
  rowsPerSource: number;
  /** Share of the usual number of rows that are made of others (default 1). */
  made?: number;
  log: (line: string) => void;
}

export interface Trained {
  linear: LinearModel;
  net: NetModel;
}

const isTrain = ({ split }: LabelledRow) => split === 'train' || split === 'final_only';

/** Leaves out lines that a first model considers harmful by three or more detectors: the corpus has no labels. */
function keepHarmless(first: LinearModel, lines: readonly LabelledRow[]): LabelledRow[] {
  const table = toFeatures(toExamples(lines));
  const logits = new Float64Array(detectorIds.length);
  return lines.filter((_, i) => {
    linearLogits(first, table, i, logits);
    return logits.filter((logit) => logit > 0.4).length <= 2;
  });
}

/** A first linear model, the extra rows that it helps to create, then both models of the engine. */
export function trainModels({ rows, lines, vectors, seed, log, made = 1, ...effort }: TrainOptions): Trained {
  const random = new Random(seed);
  const train = rows.filter(isTrain);
  const firstExamples = toExamples(train);
  const first = trainLinear(firstExamples, toFeatures(firstExamples), { ...linearDefaults, seed, epochs: 2 });
  log('first linear model');
  const all = [
    ...train,
    // Our own rows are the most similar to what the engine will judge, and few: they count twice.
    ...train.filter(({ source }) => source.startsWith('own/')),
    ...keepHarmless(first, lines.filter(isTrain)),
    ...concatenations(train, 12_000 * made, random),
    ...harmlessJoins(train, 6000 * made, random),
    ...firstSentences(train, 6000 * made, random),
    ...safeTriggerSentences(first, vectors.words, 4000 * made, random),
  ];
  const examples = toExamples(all);
  log(`${train.length} rows, ${all.length} with those made of them`);
  const linear = trainLinear(examples, toFeatures(examples), { ...linearDefaults, seed });
  log('linear model');
  const net = trainNet(examples, vectors, { ...netDefaults, ...effort, seed, log });
  return { linear, net };
}
