/** Both readers of stance: trained on the same texts, and joined by what they say of others. */
import { stanceFeatures, type StanceCodes } from '../../src/engine/text/stance-features.ts';
import { StanceNet, type StanceNetWeights, type StanceScales } from '../../src/engine/text/stance-net.ts';
import { meanAndDeviation } from '../train-text/calibrate.ts';
import { type LogisticModel, logisticLogit } from './logistic.ts';
import { type ReadCase, asIfNobodyAsked, labelledTexts, trainStance } from './stance.ts';
import { type FixedVectors, NetVocabulary, quantiseNet, trainNet } from './stance-net.ts';

/** The texts that how something is said is learned from, or measured on. */
export interface StanceTexts {
  cases: readonly ReadCase[];
  ordinary: readonly (readonly string[])[];
}

export interface StanceReaders {
  ngrams: LogisticModel;
  codes: StanceCodes;
  net: StanceNetWeights;
}

/** Weight of an ordinary text beside one that was written for a policy. */
const ordinaryWeight = 0.5;

/** The net of how something is said: violations against all harmless texts. */
function trainStanceNet(
  { cases, ordinary }: StanceTexts,
  fixed: FixedVectors,
  seed: number,
): StanceNetWeights {
  const vocabulary = new NetVocabulary(fixed);
  const examples = [
    ...asIfNobodyAsked(labelledTexts(cases)).map(({ words, ...rest }) => ({
      ...rest,
      words: vocabulary.read(words),
    })),
    ...ordinary.map((words) => ({ words: vocabulary.read(words), label: 0, weight: ordinaryWeight })),
  ].filter(({ words }) => words.length > 0);
  const parameters = trainNet(examples, vocabulary.words(), {
    batch: 64,
    // Three times each text: from five times on, others' texts are told apart less well.
    steps: 2800,
    rate: 2e-3,
    decay: 0.01,
    dropped: 0.2,
    droppedTokens: 0.1,
    seed,
  });
  return quantiseNet(parameters, fixed);
}

export function trainReaders(
  texts: StanceTexts,
  { codes, fixed, seed }: { codes: StanceCodes; fixed: FixedVectors; seed: number },
): StanceReaders {
  const { find } = fixed;
  return {
    ngrams: trainStance(texts.cases, texts.ordinary, { codes, find, ordinaryWeight: 0.5, ridge: 3e-5 }),
    codes,
    net: trainStanceNet(texts, fixed, seed),
  };
}

/** Mean and deviation of both readers on texts that they were not trained on. */
export function stanceScales(
  { ngrams, codes, net }: StanceReaders,
  { cases, ordinary }: StanceTexts,
  { find, words: known, pieceRows }: Pick<FixedVectors, 'find' | 'words' | 'pieceRows'>,
): StanceScales {
  const reader = new StanceNet(net, { words: known, pieceRows });
  const pairs = [...labelledTexts(cases).map(({ words }) => words), ...ordinary].map((words) => {
    const rows = Int32Array.from(words, find);
    return {
      ngrams: logisticLogit(ngrams, stanceFeatures(words, rows, codes)),
      net: reader.logit(words, rows),
    };
  });
  const own = meanAndDeviation(pairs.map((pair) => pair.ngrams));
  const other = meanAndDeviation(pairs.map((pair) => pair.net));
  const together = meanAndDeviation(
    pairs.map(
      (pair) => ((pair.ngrams - own.mean) / own.deviation + (pair.net - other.mean) / other.deviation) / 2,
    ),
  );
  return { ngrams: own, net: other, together: together.deviation };
}

/** For readers that were trained on all texts: the mean of what was measured on the folds. */
export function meanScales(folds: readonly StanceScales[]): StanceScales {
  const mean = (of: (scales: StanceScales) => number) =>
    folds.reduce((sum, scales) => sum + of(scales), 0) / folds.length;
  return {
    ngrams: { mean: mean(({ ngrams }) => ngrams.mean), deviation: mean(({ ngrams }) => ngrams.deviation) },
    net: { mean: mean(({ net }) => net.mean), deviation: mean(({ net }) => net.deviation) },
    together: mean(({ together }) => together),
  };
}
