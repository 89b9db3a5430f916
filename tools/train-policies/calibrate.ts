/** Scales and threshold of custom policies, from policies and texts that the judging models were not trained on. */
import { createHash } from 'node:crypto';
import type { Judge } from '../../src/engine/text/judge.ts';
import { compilePhrase } from '../../src/engine/text/policy-phrases.ts';
import { toSubject } from '../../src/engine/text/policy-match.ts';
import {
  type PolicySignals,
  type ReadyPolicy,
  nearnessTo,
  readyPolicy,
  signalsOf,
  violationOf,
} from '../../src/engine/text/policy-score.ts';
import type { PolicyCalibration } from '../../src/engine/text/policy-weights.ts';
import { SentenceEncoder } from '../../src/engine/text/sentence-encoder.ts';
import { Random } from '../../src/base/random.ts';
import { meanAndDeviation } from '../train-text/calibrate.ts';
import type { ReadCase } from './stance.ts';
import { type Trained, noCalibration, quantise } from './weights.ts';

export interface CalibrationInput {
  cases: readonly ReadCase[];
  ordinary: readonly string[];
  ordinaryWords: readonly (readonly string[])[];
  train: (cases: readonly ReadCase[], ordinary: readonly (readonly string[])[]) => Trained;
  judge: Judge;
  log: (line: string) => void;
}

/**
 * Share of pairs of a policy and an ordinary text that may be flagged at probability .5. Models of a fold saw half of the
 * policies only and flag more than those that ship, of which it is .5 %.
 */
const ordinaryFlagged = 0.0085;
const foldCount = 2;
const othersOfEach = 40;
/** Logits for one unit of the raw figure. */
const slope = 1.5;

interface Measured {
  signals: PolicySignals;
  stance: number;
}

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

function ready({ source: { source } }: ReadCase, judge: Judge, encoder: SentenceEncoder): ReadyPolicy {
  const phrases = (texts: readonly string[]) => texts.map((text) => compilePhrase(text, judge.model));
  const { name, description, blockActivities, safeActivities } = source;
  return readyPolicy(
    {
      engineVersion: '',
      name,
      block: phrases(
        blockActivities.length > 0 ? [description, ...blockActivities] : [`${name}. ${description}`],
      ),
      safe: phrases(safeActivities),
      priors: [],
    },
    judge,
    encoder,
  );
}

const foldOf = (text: string) => (createHash('sha256').update(text).digest()[0] ?? 0) % foldCount;

/** Each policy with harmless texts of others and with ordinary texts, by models trained on the other fold. */
export function calibratePolicies(input: CalibrationInput): PolicyCalibration {
  const { cases, ordinaryWords, ordinary, train, judge } = input;
  const others: Measured[] = [];
  const everyday: Measured[] = [];
  for (let fold = 0; fold < foldCount; fold++) {
    const isHere = (each: ReadCase) => foldOf(each.source.trade) === fold;
    const own = cases.filter(isHere);
    const textsHere = ordinaryWords.filter((_, i) => foldOf(ordinary[i] ?? '') === fold);
    const trained = train(
      cases.filter((each) => !isHere(each)),
      ordinaryWords.filter((_, i) => foldOf(ordinary[i] ?? '') !== fold),
    );
    const encoder = encoderOf(trained);
    const prepare = (words: readonly string[]) => ({
      run: encoder.run(words, 0, Math.min(words.length, 60)),
      subject: toSubject(words, judge),
    });
    const random = new Random(fold + 1);
    const harmless = own.flatMap((each) =>
      [...each.words.near, ...each.words.other].map((words) => ({ each, ...prepare(words) })),
    );
    const texts = random.sample(textsHere, 1200).map(prepare);
    for (const each of own) {
      const policy = ready(each, judge, encoder);
      const measure = ({ run, subject }: ReturnType<typeof prepare>): Measured => {
        const { near } = nearnessTo(policy, subject, judge.model.header.size);
        const signals = signalsOf(policy, run, near, encoder);
        return { signals, stance: run.stance };
      };
      const foreign = harmless.filter(
        (other) =>
          other.each.source.trade !== each.source.trade &&
          other.each.source.language === each.source.language,
      );
      others.push(...random.sample(foreign, othersOfEach).map(measure));
      everyday.push(...texts.map(measure));
    }
  }
  const by: PolicyCalibration = {
    nearness: meanAndDeviation(others.map(({ signals }) => signals.near)),
    slope,
    offset: 0,
  };
  const sorted = everyday
    .map(({ signals, stance }) => slope * violationOf(signals, stance, by))
    .sort((a, b) => b - a);
  const cut = sorted[Math.floor(sorted.length * ordinaryFlagged)] ?? 0;
  input.log(
    `${others.length} pairs with others' texts, ${everyday.length} with ordinary text; cut ${cut.toFixed(2)}`,
  );
  return { ...by, offset: -cut };
}
