import { type Judge, type ModelInput, type ModelLogits, calibrated, calibrationOf } from './judge.ts';
import { heads } from './model.ts';
import type { Rule, RuleHit, RuleSet } from './rules.ts';
import { type Tokens, tokenise } from './tokens.ts';
import { type DetectorSlug, detectorSlugs } from './types.ts';
import type { View } from './views.ts';

/** A view cut into tokens, with the rules found in it. */
export interface ReadView {
  view: View;
  tokens: Tokens;
  input: ModelInput;
  hits: RuleHit[];
  /** 1 for tokens that are no words but letters and digits in a heap. */
  heap: Uint8Array;
}

/** Where a detector found its highest logit. */
export interface Finding {
  logit: number;
  /** The detector whose judgement it is, where it is not the finding's own. */
  detector?: number;
  read: ReadView;
  /** Tokens `from` to `to` of that view. */
  from: number;
  to: number;
}

const windowTokens = 256;
const windowStride = 192;
const leastSentence = 8;
/** Texts of fewer tokens are judged as a whole alone. */
const sentencesFrom = 40;

const bySentence = ['prompt-injection', 'jailbreak-attempt'] as const;
const sentenceDetectors = bySentence.map((slug) => detectorSlugs.indexOf(slug));
const allDetectors = detectorSlugs.map((_, detector) => detector);

export function readView(view: View, judge: Judge, rules: RuleSet): ReadView {
  const tokens = tokenise(view.mapped.text);
  const { words } = tokens;
  return { view, tokens, input: judge.input(words), hits: rules.match(words), heap: heapOf(tokens) };
}

/**
 * The highest logits of detectors that stand alone, as `detect` finds them. Most of what `detect` does is left out: single
 * sentences, and the rows of the linear model for all other detectors.
 */
export function detectAlone(read: ReadView, judge: Judge, detectors: readonly number[]): Finding[] {
  const best: Finding[] = [];
  for (const [from, to] of windowsOf(read.tokens.words.length)) {
    const linear = judge.linearOf(read.input, [from, to], detectors);
    const logits = judge.logitsBeside(linear, read.input, from, to);
    judgeRun(read, { from, to, detectors, cost: 0 }, { judge, logits }, best);
  }
  return best;
}

/** The highest logit of each detector over all windows and sentences of all views. */
export function detect(reads: readonly ReadView[], judge: Judge): Finding[] {
  const best: Finding[] = [];
  for (const read of reads) mergeFindings(best, detectIn(read, judge));
  return best;
}

/**
 * How fast the highest of many windows of harmless text grows, in logits for each e-fold of their number: the scale of
 * the upper tail of one window's logit, which decides the growth of the maximum (Gumbel's law). Sentences are judged one
 * by one too, so those detectors have more chances.
 */
const tailScale = { window: 0.8, sentence: 1.5 };

/** From here on more length costs no more: padding must not hide an attack. */
const mostTokens = 1024;

/**
 * Logits taken off the strongest place of a text of `tokens` tokens: what the strongest of as many windows of harmless
 * text has above a single one. Nothing for a text of one window.
 */
export function lengthCost(detector: number, tokens: number): number {
  if (tokens <= windowTokens) return 0;
  const scale = sentenceDetectors.includes(detector) ? tailScale.sentence : tailScale.window;
  return scale * Math.log(Math.min(tokens, mostTokens) / windowTokens);
}

function detectIn(read: ReadView, judge: Judge): Finding[] {
  const best: Finding[] = [];
  const count = read.tokens.words.length;
  for (const [from, to] of windowsOf(count)) {
    const logits = judge.logits(read.input, from, to);
    judgeRun(read, { from, to, detectors: allDetectors, cost: 0 }, { judge, logits }, best);
  }
  if (count >= sentencesFrom) judgeSentences(read, judge, best);
  raiseGeneral(best);
  boundGeneral(best);
  if (isDisguise(read.view.name)) raiseJailbreak(best);
  return best;
}

/** Keeps the higher finding of each detector in `into`. */
export function mergeFindings(into: Finding[], found: readonly Finding[]): void {
  found.forEach((finding, detector) => {
    if (finding.logit > (into[detector]?.logit ?? -Infinity)) into[detector] = finding;
  });
}

const general = detectorSlugs.indexOf('general-harmful-content');
const harms: readonly DetectorSlug[] = [
  'hate-bias-discrimination',
  'violence-abuse',
  'sexual-suggestive',
  'unethical-illegal',
  'suicide-self-harm',
];
const harmDetectors = harms.map((slug) => detectorSlugs.indexOf(slug));
const harmMargin = 0.3;

/** Raises the general detector if a specific one is clearly positive. */
function raiseGeneral(best: Finding[]): void {
  for (const detector of harmDetectors) {
    const found = best[detector];
    if (found === undefined || found.logit - harmMargin <= (best[general]?.logit ?? -Infinity)) continue;
    best[general] = { ...found, logit: found.logit - harmMargin, detector };
  }
}

const jailbreak = detectorSlugs.indexOf('jailbreak-attempt');
const disguiseMargin = 0.5;

/**
 * Of texts that speak of a group of people, harm in general is bounded by the kinds of harm. What the general detector has
 * beyond them there is the group itself: it learned from comments, where groups are mostly spoken of with hate.
 */
function boundGeneral(best: Finding[]): void {
  const own = best[general];
  if (own === undefined) return;
  const { read, from, to } = own;
  if (!read.hits.some(({ rule, first }) => rule.boundsGeneral && first >= from && first < to)) return;
  const most = Math.max(...harmDetectors.map((detector) => best[detector]?.logit ?? -Infinity));
  if (most < own.logit) best[general] = { ...own, logit: most };
}

/** Whether letters were changed or hidden so that a model still reads them and a filter does not. */
const isDisguise = (view: string) =>
  /leet|spaced|scrambled|base64|base32|hex|rot13|atbash|caesar|reversed/.test(view);

/** Harmful text in disguise counts as a jailbreak attempt. */
function raiseJailbreak(best: Finding[]): void {
  const found = best[general];
  if (found === undefined || found.logit - disguiseMargin <= (best[jailbreak]?.logit ?? -Infinity)) return;
  best[jailbreak] = { ...found, logit: found.logit - disguiseMargin, detector: found.detector ?? general };
}

/** Sentences of a text that are judged in full, beside one in twelve: those that the cheap model likes best. */
const mostSentences = 2;

function judgeSentences(read: ReadView, judge: Judge, best: Finding[]): void {
  const sentences = [...sentencesOf(read.tokens)].map(([from, to]) => {
    const hasRule = read.hits.some(({ rule, first, last }) => first >= from && last < to && speaksFor(rule));
    const linear = judge.linearOf(read.input, [from, to], sentenceDetectors);
    const promise = mostDeviations(linear, judge) + (hasRule ? ruleBonus : 0);
    return { from, to, linear, promise };
  });
  const chosen = sentences
    .filter(({ promise }) => promise > worthwhile)
    .sort((a, b) => b.promise - a.promise)
    .slice(0, mostSentences + sentences.length / 12);
  for (const { from, to, linear } of chosen) {
    const logits = judge.logitsBeside(linear, read.input, from, to);
    judgeRun(read, { from, to, detectors: sentenceDetectors, cost: 1 }, { judge, logits }, best);
  }
}

/** How far above harmless text the linear model finds a sentence, for the detector that it finds it most for. */
function mostDeviations(linear: Float64Array, judge: Judge): number {
  let most = -Infinity;
  for (const detector of sentenceDetectors) {
    const by = calibrationOf(judge.model, detector).linear;
    most = Math.max(most, ((linear[detector] ?? 0) - by.mean) / by.deviation);
  }
  return most;
}

const speaksFor = ({ effects }: Rule) => sentenceDetectors.some((detector) => (effects[detector] ?? 0) > 0);

/** Deviations above harmless text that a sentence must reach in the linear model to be judged in full. */
const worthwhile = 1;
/** Bonus for a rule match that the linear model does not see. */
const ruleBonus = 3;

interface Run {
  from: number;
  to: number;
  detectors: readonly number[];
  /** 1 when the run is one sentence of a longer text. */
  cost: number;
}

function judgeRun(
  read: ReadView,
  { from, to, detectors, cost }: Run,
  { judge, logits }: { judge: Judge; logits: ModelLogits },
  best: Finding[],
): void {
  const effects = ruleEffects(read.hits, from, to);
  const doubt = doubtOf(read, judge.model.header.words, from, to) + (read.view.doubt ?? 0);
  const brevity = brevityOf(read.tokens.words, from, to);
  for (const detector of detectors) {
    const by = calibrationOf(judge.model, detector);
    const own = calibrated(logits, detector, by, to - from) - cost * by.sentenceCost;
    const logit = own + (effects[detector] ?? 0) - doubt - (byWord.has(detector) ? 0 : brevity);
    if (logit > (best[detector]?.logit ?? -Infinity)) best[detector] = { logit, read, from, to };
  }
}

const noEffects = new Float64Array(heads);

/** Sum of the effects of the rules found within the run, each rule once. */
function ruleEffects(hits: readonly RuleHit[], from: number, to: number): Float64Array {
  if (hits.length === 0) return noEffects;
  const sums = new Float64Array(heads);
  const seen = new Set<number>();
  for (const { rule, first, last } of hits) {
    if (first < from || last >= to || seen.has(rule.index)) continue;
    seen.add(rule.index);
    for (let h = 0; h < heads; h++) sums[h] = (sums[h] ?? 0) + (rule.effects[h] ?? 0);
  }
  return sums;
}

const heapEnough = 0.3;
const heapDoubt = 8;
const unknownEnough = 0.6;
const unknownCost = 3;
/** Logits subtracted if no known word occurs. */
const noWordDoubt = 6;

/**
 * Logits taken off where tokens are letters and digits in a heap, or mostly unknown: the models say little about
 * them, whatever their output.
 */
function doubtOf({ heap, input, tokens }: ReadView, words: number, from: number, to: number): number {
  let inHeap = 0;
  let unknown = 0;
  let hasWord = false;
  for (let t = from; t < to; t++) {
    if (heap[t] === 1) inHeap++;
    if ((input.rows[t] ?? 0) >= words) unknown++;
    else hasWord ||= isWord(tokens.words[t] ?? '');
  }
  const count = Math.max(1, to - from);
  const ofHeap = Math.max(0, inHeap / count - heapEnough) * heapDoubt;
  const ofUnknown = Math.max(0, unknown / count - unknownEnough) * unknownCost;
  return ofHeap + ofUnknown + (hasWord ? 0 : noWordDoubt);
}

const fewWords = 4;
const brevityDoubt = 0.9;
const wordDetectors: readonly DetectorSlug[] = [
  'hate-bias-discrimination',
  'profanity-offensive-language',
  'sexual-suggestive',
];
/** Detectors for which a single word can be enough. */
const byWord: ReadonlySet<number> = new Set(wordDetectors.map((slug) => detectorSlugs.indexOf(slug)));

/** Logits taken off where a text has one to three words: a greeting or a name says little of what is meant. */
function brevityOf(words: readonly string[], from: number, to: number): number {
  let count = 0;
  for (let t = from; t < to && count < fewWords; t++) if (isWord(words[t] ?? '')) count++;
  return (fewWords - count) * brevityDoubt;
}

const isWord = (word: string) => /^\p{L}/u.test(word);

const isLoneLetter = (word: string) => word.length === 1 && /[b-hj-z]/.test(word);

/** Marks tokens that are no words: single letters, digits glued to letters and letters to digits, scraps repeated. */
function heapOf({ words, starts, ends }: Tokens): Uint8Array {
  const heap = new Uint8Array(words.length);
  let before = '';
  words.forEach((word, t) => {
    if (isLoneLetter(word) || (word === before && word.length <= 2)) heap[t] = 1;
    const isTouching = t > 0 && ends[t - 1] === starts[t];
    if (isTouching && isGlued(before, word)) heap[t - 1] = heap[t] = 1;
    before = word;
  });
  return heap;
}

const isGlued = (before: string, word: string) =>
  (before === '0' && isWord(word)) || (word === '0' && isWord(before));

function* windowsOf(count: number): Generator<[from: number, to: number]> {
  for (let from = 0; from === 0 || from + windowTokens - windowStride < count; from += windowStride)
    yield [from, Math.min(count, from + windowTokens)];
}

const isSentenceEnd = (word: string) => word === '.' || word === '!' || word === '?' || word === ';';

/** Runs between ends of sentences and lines, joined until they have eight tokens; cut at 64. */
function* sentencesOf({ words, lineStarts }: Tokens): Generator<[from: number, to: number]> {
  const lines = new Set(lineStarts);
  let from = 0;
  for (let at = 0; at < words.length; at++) {
    const length = at + 1 - from;
    const ends =
      isSentenceEnd(words[at] ?? '') || lines.has(at + 1) || length >= 64 || at === words.length - 1;
    if (!ends || (length < leastSentence && at < words.length - 1)) continue;
    yield [from, at + 1];
    from = at + 1;
  }
}
