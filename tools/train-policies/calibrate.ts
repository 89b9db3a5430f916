/** Scales and threshold of custom policies, from policies and texts that the judging models were not trained on. */
import { createHash } from 'node:crypto';
import { meaningOf, signalsOf, violationOf } from '../../src/engine/text/policy-score.ts';
import type { PolicyCalibration } from '../../src/engine/text/policy-weights.ts';
import { type EncodedPhrase, SentenceEncoder } from '../../src/engine/text/sentence-encoder.ts';
import { Random } from '../../src/base/random.ts';
import type { ReadCase } from './stance.ts';
import { type Trained, noCalibration, quantise } from './weights.ts';

export interface CalibrationInput {
  cases: readonly ReadCase[];
  ordinary: readonly string[];
  ordinaryWords: readonly (readonly string[])[];
  train: (cases: readonly ReadCase[], ordinary: readonly (readonly string[])[]) => Trained;
  log: (line: string) => void;
}

/**
 * Share of pairs of a policy and an ordinary text that may be flagged at probability .5. Models of a fold saw half of the
 * policies only and flag more than those that ship, of which it is .5 %.
 */
const ordinaryFlagged = 0.008;
const foldCount = 2;
const textsOfFold = 1200;
const mostTokens = 60;
/** Logits for one unit of the raw figure. */
const slope = 1.5;

/** The weights as they will run, in eight bits. */
function encoderOf(trained: Trained): SentenceEncoder {
  const { header, parts } = quantise(trained, noCalibration, '');
  return new SentenceEncoder({
    header,
    words: trained.words.known,
    vectors: new Int8Array(parts.vectors.buffer),
    vectorScales: new Float32Array(parts.vectorScales.buffer),
    stance: new Int8Array(parts.stance.buffer),
    codes: trained.codes,
    net: trained.net,
    strangers: new Int8Array(parts.strangers.buffer),
  });
}

function wholeOf({ source: { source } }: ReadCase, encoder: SentenceEncoder): EncodedPhrase {
  const { name, description, blockActivities } = source;
  const texts = blockActivities.length > 0 ? [description, ...blockActivities] : [`${name}. ${description}`];
  return meaningOf(name, texts, encoder);
}

const foldOf = (text: string) => (createHash('sha256').update(text).digest()[0] ?? 0) % foldCount;

/** Each policy with ordinary texts, by models trained on the other fold. */
export function calibratePolicies(input: CalibrationInput): PolicyCalibration {
  const { cases, ordinaryWords, ordinary, train } = input;
  const everyday: number[] = [];
  for (let fold = 0; fold < foldCount; fold++) {
    const isHere = (each: ReadCase) => foldOf(each.source.trade) === fold;
    const own = cases.filter(isHere);
    const textsHere = ordinaryWords.filter((_, i) => foldOf(ordinary[i] ?? '') === fold);
    const trained = train(
      cases.filter((each) => !isHere(each)),
      ordinaryWords.filter((_, i) => foldOf(ordinary[i] ?? '') !== fold),
    );
    const encoder = encoderOf(trained);
    const runs = new Random(fold + 1)
      .sample(textsHere, textsOfFold)
      .map((words) => encoder.run(words, 0, Math.min(words.length, mostTokens)));
    for (const each of own) {
      const whole = wholeOf(each, encoder);
      for (const run of runs)
        everyday.push(slope * violationOf(signalsOf({ whole }, run, encoder), run.stance));
    }
  }
  const sorted = everyday.sort((a, b) => b - a);
  const cut = sorted[Math.floor(sorted.length * ordinaryFlagged)] ?? 0;
  input.log(`${everyday.length} pairs with ordinary text; cut ${cut.toFixed(2)}`);
  return { slope, offset: -cut };
}
