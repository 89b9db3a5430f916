import { setImmediate } from 'node:timers/promises';
import { lastUserTurn, leaning, recentTurns } from './context.ts';
import {
  type Finding,
  type ReadView,
  detect,
  detectAlone,
  lengthCost,
  mergeFindings,
  readView,
} from './detect.ts';
import type { Judge } from './judge.ts';
import type { Mapped } from './mapped.ts';
import { type Subject, toSubject } from './policy-match.ts';
import type { RuleSet } from './rules.ts';
import { type EncodedRun, type SentenceEncoder, runsOf } from './sentence-encoder.ts';
import { type ContextMessage, detectorSlugs } from './types.ts';
import { viewsOf } from './views.ts';
import { slicesOf } from './slices.ts';

/** One view of a text, prepared for custom policies. */
export interface ReadSubject {
  /** What its words are about; computed on first use, as judging a policy does without. */
  subject: () => Subject;
  runs: EncodedRun[];
  read: ReadView;
}

/** What is known about one text. Opaque to callers. */
export interface Analysis {
  readonly text: string;
  /** The strongest place of each detector, in the order of the slugs. */
  readonly findings: readonly Finding[];
  /** The text's own logit of each detector, moved by the conversation where the text leans on it. */
  readonly logits: Float64Array;
  readonly reads: readonly ReadView[];
  /** For custom policies; computed on first use. */
  readonly subjects: () => readonly ReadSubject[];
  /** Features for heads learned from examples; computed on first use. */
  readonly features: () => Float32Array;
}

export interface Engine {
  judge: Judge;
  encoder: SentenceEncoder;
  rules: RuleSet;
}

function shiftBy(mapped: Mapped, by: number): Mapped {
  if (by === 0) return mapped;
  return {
    text: mapped.text,
    starts: mapped.starts.map((start) => start + by),
    ends: mapped.ends.map((end) => end + by),
  };
}

interface Gathered {
  reads: ReadView[];
  findings: Finding[];
  /** Tokens as the text stands. */
  tokens: number;
}

/** The views of one slice, each tokenised and matched when it is asked for. */
function* readSlice(text: string, from: number, to: number, { judge, rules }: Engine): Generator<ReadView> {
  for (const view of viewsOf(text.slice(from, to), judge.model.vocabulary))
    yield readView({ ...view, mapped: shiftBy(view.mapped, from) }, judge, rules);
}

/** Views of a longer slice are judged in turns too: texts with much to undo have many. */
const longSlice = 2000;

type Detect = (read: ReadView, engine: Engine) => Finding[];

const detectAll: Detect = (read, { judge }) => detect([read], judge);

/** Judges view by view of each slice; the caller may yield to the event loop in between. */
function* gather(text: string, engine: Engine, find = detectAll): Generator<undefined, Gathered> {
  const all: Gathered = { reads: [], findings: [], tokens: 0 };
  for (const [from, to] of slicesOf(text)) {
    let isFirst = true;
    for (const read of readSlice(text, from, to, engine)) {
      if (isFirst ? all.reads.length > 0 : to - from > longSlice) yield undefined;
      mergeFindings(all.findings, find(read, engine));
      all.reads.push(read);
      if (isFirst) all.tokens += read.tokens.words.length;
      isFirst = false;
    }
  }
  return all;
}

function runThrough<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Judges the whole text; `messages` only where the text leans on them. `pieces` is the number of pieces of a longer text
 * of which this is one: its length counts as theirs together.
 */
export function analyseText(
  text: string,
  messages: readonly ContextMessage[],
  engine: Engine,
  pieces = 1,
): Analysis {
  return finish({ text, ...runThrough(gather(text, engine)), messages, pieces }, engine);
}

/** Like `analyseText`, but yields to the event loop between slices and their views, each of some milliseconds. */
export async function analyseTextInTurns(
  text: string,
  messages: readonly ContextMessage[],
  engine: Engine,
): Promise<Analysis> {
  const steps = gather(text, engine);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return finish({ text, ...value, messages, pieces: 1 }, engine);
    await setImmediate();
  }
}

interface Parts {
  text: string;
  findings: Finding[];
  reads: ReadView[];
  tokens: number;
  pieces: number;
  messages: readonly ContextMessage[];
}

function finish({ text, findings, reads, messages, tokens, pieces }: Parts, engine: Engine): Analysis {
  const logits = new Float64Array(detectorSlugs.length);
  for (let detector = 0; detector < logits.length; detector++)
    logits[detector] = (findings[detector]?.logit ?? -20) - lengthCost(detector, tokens * pieces);
  if (messages.length > 0) leanOn(text, messages, { logits, reads }, engine);
  let subjects: ReadSubject[] | undefined;
  const readSubjects = () => (subjects ??= reads.map((read) => subjectOf(read, engine)));
  return {
    text,
    findings,
    logits,
    reads,
    subjects: readSubjects,
    features: () => featuresOf(reads[0], readSubjects()[0]?.subject(), engine.judge),
  };
}

function subjectOf(read: ReadView, { judge, encoder }: Engine): ReadSubject {
  const { words } = read.tokens;
  const runs = [...runsOf(words.length)].map(([from, to]) => encoder.run(words, from, to));
  let subject: Subject | undefined;
  return { subject: () => (subject ??= toSubject(words, judge)), runs, read };
}

/** The logits of detectors that stand alone, by number, as `analyseText` finds them without a conversation. */
export function logitsAlone(text: string, detectors: readonly number[], engine: Engine): number[] {
  const find: Detect = (read, { judge }) => detectAlone(read, judge, detectors);
  const { findings, tokens } = runThrough(gather(text, engine, find));
  return detectors.map((detector) => (findings[detector]?.logit ?? -20) - lengthCost(detector, tokens));
}

const featureTokens = 256;
/** Brings the mean vector, of unit length, to the size of the hidden layer. */
const meanScale = 4;

function featuresOf(read: ReadView | undefined, subject: Subject | undefined, judge: Judge): Float32Array {
  const { hidden, size } = judge.model.header;
  const features = new Float32Array(hidden + size);
  if (read === undefined || subject === undefined) return features;
  features.set(judge.hiddenLayer(read.input, 0, Math.min(featureTokens, read.tokens.words.length)));
  features.set(
    subject.mean.map((value) => value * meanScale),
    hidden,
  );
  return features;
}

const joinedGain = 1.5;

/**
 * Moves the text's logits towards those of the conversation that it refers to.
 *
 * Two ways: a text that points back ("and how much of it?") takes over the judgement of the turns it points to, as
 * far as it points; and a text that only together with the user's last turns forms something (an order split over
 * two messages) counts when the two together are far above either alone. A text with a subject of its own moves
 * nothing, whatever was said before.
 */
function leanOn(
  text: string,
  messages: readonly ContextMessage[],
  own: { logits: Float64Array; reads: readonly ReadView[] },
  engine: Engine,
): void {
  const turns = recentTurns(messages);
  if (turns.length === 0 || text.length > 2000) return;
  const lean = leaning(own.reads[0]?.tokens.words ?? []);
  const before = logitsOf(turns.join('\n'), engine);
  const last = lastUserTurn(messages);
  const split = last === undefined ? undefined : logitsOf(`${last} ${text}`, engine);
  const alone = last === undefined ? undefined : logitsOf(last, engine);
  own.logits.forEach((logit, detector) => {
    let moved = logit + lean * Math.max(0, (before[detector] ?? 0) - logit);
    const joined = split?.[detector] ?? -20;
    const parts = Math.max(logit, alone?.[detector] ?? -20);
    if (joined > parts + joinedGain) moved = Math.max(moved, joined);
    own.logits[detector] = moved;
  });
}

function logitsOf(text: string, engine: Engine): number[] {
  const findings: Finding[] = [];
  for (const [from, to] of slicesOf(text))
    mergeFindings(findings, detect([...readSlice(text, from, to, engine)], engine.judge));
  return detectorSlugs.map((_, detector) => findings[detector]?.logit ?? -20);
}
