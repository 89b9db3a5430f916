import { fold } from './fold.ts';
import type { Judge } from './judge.ts';
import {
  type ReadyPhrase,
  type Subject,
  lateInteraction,
  meanCosine,
  readyPhrase,
  stemOverlap,
} from './policy-match.ts';
import {
  type Background,
  type EncodedPhrase,
  type EncodedRun,
  type SentenceEncoder,
  cosineOf,
} from './sentence-encoder.ts';
import { tokenise } from './tokens.ts';
import type { CompiledPhrase, CompiledPolicy, DetectorSlug } from './types.ts';

export interface ReadyPolicy {
  block: ReadyPhrase[];
  /** The phrases one by one, for the encoder. */
  blockMeanings: EncodedPhrase[];
  safeMeanings: EncodedPhrase[];
  /** All that the policy says of what it blocks. */
  whole: EncodedPhrase;
  /** The same in parts of a few activities, where there are many: their sum is about nothing in particular. */
  parts: EncodedPhrase[];
  /** Whether talking about something at all is what the policy blocks: then a question is no excuse. */
  blocksTalking: boolean;
  /** Words of each phrase as they stand, to find it quoted. */
  safeWords: string[][];
  blockWords: string[][];
}

const wordsOf = (text: string) => tokenise(fold(text).text).words;

/** More activities than this are compared in parts. */
const mostActivities = 6;
const activitiesOfPart = 3;

/** A description that begins with talking about a subject, in the languages of the stance model's texts. */
const talking =
  /^(?:any |every |all |no )?(?:talk(?:s|ing)?|discuss\p{L}*|mention\p{L}*|conversations?|sprechen|reden|gespräche?|parler|discuter|hablar|parlare|falar|praten)(?!\p{L})/iu;

/** What a policy is about: its name and texts as one. */
export const meaningOf = (name: string, texts: readonly string[], encoder: SentenceEncoder): EncodedPhrase =>
  encoder.phrase(wordsOf([name, ...texts].join('\n')));

export function readyPolicy(policy: CompiledPolicy, judge: Judge, encoder: SentenceEncoder): ReadyPolicy {
  const texts = policy.block.map(({ text }) => text);
  const encode = (some: readonly string[]) => meaningOf(policy.name, some, encoder);
  const parts = Array.from({ length: Math.ceil(texts.length / activitiesOfPart) }, (_, i) =>
    texts.slice(i * activitiesOfPart, (i + 1) * activitiesOfPart),
  );
  return {
    block: policy.block.map((phrase) => readyPhrase(phrase, judge)),
    blockMeanings: texts.map((text) => encoder.phrase(wordsOf(text))),
    safeMeanings: policy.safe.map(({ text }) => encoder.phrase(wordsOf(text))),
    whole: encode(texts),
    parts: texts.length > mostActivities ? parts.map(encode) : [],
    blocksTalking: talking.test(texts[0] ?? ''),
    safeWords: policy.safe.map(({ text }) => wordsOf(text).filter(isWord)),
    blockWords: policy.block.map(({ text }) => wordsOf(text).filter(isWord)),
  };
}

const isWord = (word: string) => /^[\p{L}\p{M}\d]/u.test(word);

/** Mean and deviation of each signal between block phrases and harmless texts that have nothing to do with them. */
const overlapScale = { mean: 0.0075, deviation: 0.043 };
const lateScale = { mean: 0.068, deviation: 0.078 };
const meanScale = { mean: 0.139, deviation: 0.171 };

interface Scale {
  mean: number;
  deviation: number;
}

const standard = (value: number, { mean, deviation }: Scale) => Math.min(6, (value - mean) / deviation);

/** How near the words of a text are to a phrase, in deviations from what unrelated ones have. */
function nearness(phrase: ReadyPhrase, subject: Subject, size: number): number {
  return (
    (standard(stemOverlap(phrase, subject.stems), overlapScale) +
      standard(lateInteraction(phrase, subject, size), lateScale) +
      standard(meanCosine(phrase, subject), meanScale)) /
    3
  );
}

/** The block phrase whose words are nearest to those of a text: what a verdict names, no part of the judgement. */
export function nearestPhrase(
  { block }: ReadyPolicy,
  subject: Subject,
  size: number,
): CompiledPhrase | undefined {
  let best = -Infinity;
  let nearest: CompiledPhrase | undefined;
  for (const phrase of block) {
    const near = nearness(phrase, subject, size);
    if (near <= best) continue;
    best = near;
    nearest = phrase.phrase;
  }
  return nearest;
}

/** Deviations at which a text is as likely about the subject as not. */
const topicCut = 1.5;
/** Deviations that words shared with the policy must add before they count. */
const sharedMargin = 1.25;

/** What is known of a run and a policy before calibration. */
export interface PolicySignals {
  /**
   * Whose subject it is: how much nearer the run is to this policy than to those of the background, in deviations of
   * these. The cosine alone does not tell a text about this subject from one that is near to every policy.
   */
  cosine: number;
  /** The same without the words that the policy itself uses. */
  unshared: number;
}

/** In deviations of the background. */
const beyond = (value: number, { mean, deviation }: Background) => (value - mean) / deviation;

export function signalsOf(
  { whole }: Pick<ReadyPolicy, 'whole'>,
  run: EncodedRun,
  encoder: SentenceEncoder,
): PolicySignals {
  const all = (run.background ??= encoder.background(run.sum));
  const cosine = cosineOf(whole, run.sum);
  const { sum, left } = encoder.sumOf(run.units, whole.rows);
  const own = beyond(cosine, all);
  if (left === run.units.rows.length) return { cosine: own, unshared: own };
  if (left < fewestUnshared) return { cosine: own, unshared: beyond(cosine / 2, all) };
  return { cosine: own, unshared: beyond(cosineOf(whole, sum), encoder.background(sum)) };
}

/** With fewer words of its own a run is compared by half of what all of its words say. */
const fewestUnshared = 2;

/**
 * How much a run is about what the policy is about, in deviations. Words that the policy itself uses are looked through:
 * a rule, a refusal and a question about the rule use them more than a violation.
 */
const topicOf = ({ cosine, unshared }: PolicySignals): number => Math.max(unshared, cosine - sharedMargin);

/**
 * That a run is about the policy's subject, and that it is said as something done, offered or asked for: neither can
 * make up for the other. Before slope and offset.
 */
export const violationOf = (signals: PolicySignals, stance: number): number =>
  logSigmoid(topicOf(signals) - topicCut) + logSigmoid(stance);

const logSigmoid = (x: number) => -Math.log1p(Math.exp(-x));

/** Deviations by which a safe phrase must be nearer than the nearest block phrase before it counts. */
const safeMargin = 0.5;
/** Taken off for each further one. */
const safeCost = 0.5;
/** From so many on the safe phrase overrides. */
const vetoFrom = 1.5;
const vetoLogits = 2.5;

/** How much nearer a run is to a safe phrase than to any block phrase, in deviations of the background. */
function safeLead(
  { blockMeanings, safeMeanings }: ReadyPolicy,
  run: EncodedRun,
  encoder: SentenceEncoder,
): number {
  const { deviation } = (run.background ??= encoder.background(run.sum));
  const most = (phrases: readonly EncodedPhrase[]) =>
    phrases.reduce((best, phrase) => Math.max(best, cosineOf(phrase, run.sum)), -1);
  return safeMeanings.length === 0 ? 0 : (most(safeMeanings) - most(blockMeanings)) / deviation;
}
/** Fewer words beside a quoted safe activity say nothing of their own. */
const leastBeside = 4;

/** Whether a text is one of the phrases as the policy words it, with less than `beside` words of its own. */
function quotes(words: readonly string[], phrases: readonly (readonly string[])[], beside: number): boolean {
  const own = words.slice(0, mostQuoted).filter(isWord);
  return phrases.some((phrase) => {
    const rest = own.length - phrase.length;
    if (phrase.length < 2 || rest < 0 || rest >= beside) return false;
    for (let from = 0; from <= rest; from++)
      if (phrase.every((word, i) => own[from + i] === word)) return true;
    return false;
  });
}

const mostQuoted = 400;
/** Least logit of a text that is nothing but a block activity: who tries a policy tries this first. */
const quotedBlock = 1.5;

export interface PolicyMatch {
  logit: number;
  /** Whether a safe phrase decided. */
  vetoed: boolean;
  /** The run of tokens that decided, and how it is said. */
  run: EncodedRun | undefined;
}

export interface MatchedText {
  words: readonly string[];
  runs: readonly EncodedRun[];
}

export interface MatchContext {
  encoder: SentenceEncoder;
  detectorLogit: (slug: DetectorSlug) => number;
}

/** The least stance that counts where talking about something is blocked itself. */
const leastWhereTalkingIsBlocked = -0.5;

/** Logits taken off for each doubling of the number of runs: each more is one more chance to look alike by accident. */
const runsCost = 0.35;

/**
 * Logit of a custom policy: that the text is about what the policy is about, and that it is said as something done,
 * offered or asked for. Neither can make up for the other. Held back where a safe phrase is nearer, and helped by the
 * built-in detectors whose subject the policy names.
 */
export function matchPolicy(
  ready: ReadyPolicy,
  policy: CompiledPolicy,
  { words, runs }: MatchedText,
  { encoder, detectorLogit }: MatchContext,
): PolicyMatch {
  const none = { logit: -8, vetoed: false, run: undefined };
  if (ready.block.length === 0) return none;
  if (quotes(words, ready.safeWords, leastBeside)) return { ...none, vetoed: true };
  const by = encoder.weights.header.calibration;
  let best = -Infinity;
  let decided: EncodedRun | undefined;
  for (const each of runs) {
    const stance = ready.blocksTalking ? Math.max(each.stance, leastWhereTalkingIsBlocked) : each.stance;
    for (const whole of [ready.whole, ...ready.parts]) {
      const logit = violationOf(signalsOf({ whole }, each, encoder), stance);
      if (logit <= best) continue;
      best = logit;
      decided = each;
    }
  }
  if (decided === undefined) return none;
  let logit = by.slope * best + by.offset - runsCost * Math.log2(runs.length);
  for (const { detector, weight } of policy.priors)
    logit += weight * weight * Math.max(-2, Math.min(3.5, detectorLogit(detector) + 1));
  const lead = Math.max(0, safeLead(ready, decided, encoder) - safeMargin);
  const vetoed = lead >= vetoFrom;
  logit -= lead * safeCost + (vetoed ? vetoLogits : 0);
  if (quotes(words, ready.blockWords, 1)) logit = Math.max(logit, quotedBlock);
  return { logit, vetoed, run: decided };
}
