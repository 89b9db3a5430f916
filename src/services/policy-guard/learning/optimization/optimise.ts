/** Optimising one policy by examples: read, searched, tuned and measured. No database, no wire. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { runThread } from '#base/processes/run-thread.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { Analysis, TextEngine } from '#engine/text/engine.ts';
import type { CompiledPolicy, PolicySource } from '#engine/text/types.ts';
import type { Example } from '../../library/heads/example.ts';
import { stacked } from '../../library/heads/layers.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import { readOrdinary } from '../../library/heads/ordinary.ts';
import { cutOf, logitOf, type Objective } from './operating-point.ts';
import { type Found, searchWording } from './search-wording.ts';
import { type Choice, dealt, tune, type Tuned, type TuneResult, type TuneTask } from './tune.ts';
import { type Candidate, type Wording, wordsOf } from './wording.ts';

export type Tier = 'fast' | 'high' | 'max';
export type Reader = Pick<TextEngine, 'analyseInTurns' | 'compile' | 'score'>;

/** A policy and the examples that it is to judge better. */
export interface Lesson {
  readonly source: PolicySource;
  /** As it is judged now. */
  readonly current: CompiledPolicy;
  /** Without what an earlier tuning taught it. */
  readonly untuned: CompiledPolicy;
  /** What the earlier tuning taught it. */
  readonly tuning: Head | undefined;
  readonly sensitivity: Sensitivity;
  readonly examples: readonly Example[];
}

export interface OptimiseOptions {
  readonly tier: Tier;
  readonly objective: Objective;
  /** Whether ordinary messages are added to the examples, as texts that do not violate the policy. */
  readonly ordinary: boolean;
  /** Proposes wordings from some of the misjudged examples, for tier `max`. */
  readonly propose?:
    | ((misjudged: Misjudgement, signal: AbortSignal | undefined) => Promise<readonly Candidate[]>)
    | undefined;
}

/** The input for proposing wordings. */
export interface Misjudgement {
  readonly source: PolicySource;
  readonly examples: readonly Example[];
  /** Numbers of examples that the policy misses, and of those that it flags although they are harmless. */
  readonly missed: readonly number[];
  readonly falselyFlagged: readonly number[];
}

/** What an optimisation makes of a policy. */
export interface Optimised {
  /** Logits of the examples as the policy judges now, and by what was learned without each; null where that cannot be. */
  readonly before: readonly number[];
  readonly after: readonly number[] | null;
  /** Area under the ROC curve of `after`, compared only where one head and shift made both judgements. */
  readonly afterOrder: number | null;
  /** Shares of ordinary messages that are flagged. */
  readonly ordinary: { readonly before: number; readonly after: number };
  /** Replaces an earlier tuning; based on the policy's text and its exemplars. */
  readonly head: Head;
  /** Of the features of the head; null for a shift alone, which needs no retraining for another engine. */
  readonly scale: number | null;
  readonly shift: number;
  /** Whether the head is the earlier one with another shift. */
  readonly shiftsTuning: boolean;
  readonly wording: Found | undefined;
}

export interface Run {
  readonly signal?: AbortSignal | undefined;
  /** Shares of the work that are done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Logits are kept finite: a probability that rounds to one has none. */
const mostLogit = 30;
const restEveryMs = 8;

/** Scores texts by policies, and lets other requests have their turn in between. */
function createScorer(engine: Reader, analyses: readonly Analysis[], signal: AbortSignal | undefined) {
  let restedAt = performance.now();
  return async (policy: CompiledPolicy): Promise<number[]> => {
    const logits: number[] = [];
    for (const analysis of analyses) {
      const logit = logitOf(engine.score(analysis, policy).probability);
      logits.push(Math.max(-mostLogit, Math.min(mostLogit, logit)));
      if (performance.now() - restedAt < restEveryMs) continue;
      signal?.throwIfAborted();
      await yieldToEventLoop();
      restedAt = performance.now();
    }
    return logits;
  };
}

const tuneThread = new URL('tune-thread.ts', import.meta.url);

/** What becomes of the policy, with figures of examples that had no part in it. @throws the signal's reason */
export async function optimise(
  engine: Reader,
  lesson: Lesson,
  options: OptimiseOptions,
  { signal, onProgress }: Run = {},
): Promise<Optimised> {
  const { examples, source, current, untuned, tuning } = lesson;
  const own = await readAll(engine, examples, signal);
  const ordinary = await readOrdinary(engine);
  const analyses = options.ordinary ? [...own, ...ordinary.learned] : own;
  onProgress?.(0.1);
  const score = createScorer(engine, analyses, signal);
  const before = await score(current);
  const plain = current === untuned ? before : await score(untuned);
  const shared = sharedOf(lesson, options, analyses.length);
  const search = await searchAll(engine, lesson, options, {
    ...shared,
    before,
    plain,
    score,
    scoreOwn: createScorer(engine, own, signal),
    onProgress,
    signal,
  });
  const { tuned, heldOut, heldOutOrder } = await tuneApart(
    { ...shared, current: before, choices: search.choices },
    options.tier === 'fast' ? undefined : analyses,
    signal,
  );
  onProgress?.(0.9);
  const head = headOf(tuned, lesson);
  const wording = tuned.base === 'reworded' ? search.best : undefined;
  const then = wording === undefined ? untuned : engine.compile({ ...source, ...wording.wording });
  const rateOf = async (policy: CompiledPolicy) =>
    shareFrom(shared.cut, await createScorer(engine, ordinary.all, signal)(policy));
  return {
    before: before.slice(0, examples.length),
    ...measuredAfter({ tuned, heldOut, heldOutOrder }, before.slice(0, examples.length)),
    ordinary: {
      before: await rateOf(current),
      after: await rateOf({ ...then, head: stacked(then.head, head) }),
    },
    head,
    scale: tuned.scale,
    shift: tuned.shift,
    shiftsTuning: tuned.base === 'current' && tuning !== undefined,
    wording,
  };
}

/** Without a change there is nothing to estimate: what was chosen without some examples would only look like one. */
const measuredAfter = (
  { tuned: { head, base, shift }, heldOut, heldOutOrder }: TuneResult,
  before: readonly number[],
): Pick<Optimised, 'after' | 'afterOrder'> =>
  heldOut !== null && head === null && base === 'current' && shift === 0
    ? { after: before, afterOrder: null }
    : { after: heldOut, afterOrder: heldOutOrder };

/** In a thread where heads are learned. */
function tuneApart(
  task: Omit<TuneTask, 'features' | 'learnsHead'>,
  learnedFrom: readonly Analysis[] | undefined,
  signal: AbortSignal | undefined,
): TuneResult | Promise<TuneResult> {
  if (learnedFrom === undefined) return tune({ ...task, features: [], learnsHead: false });
  const features = learnedFrom.map((analysis) => analysis.features());
  const whole = { ...task, features, learnsHead: true } satisfies TuneTask;
  return runThread<TuneResult>(tuneThread, whole, { signal });
}

type Shared = Pick<TuneTask, 'labels' | 'folds' | 'foldOf' | 'cut' | 'objective' | 'ordinaryFrom'>;

/** What is the same for the search and for tuning; ordinary messages come after the examples. */
function sharedOf({ examples, sensitivity }: Lesson, { objective }: OptimiseOptions, count: number): Shared {
  const labels = Array.from({ length: count }, (_, i): 0 | 1 => (examples[i]?.violates === true ? 1 : 0));
  return {
    labels,
    ...dealtWith(labels, examples.length),
    cut: cutOf(sensitivity),
    objective,
    ordinaryFrom: examples.length,
  };
}

/** Examples and ordinary messages are dealt out apart. */
function dealtWith(labels: readonly (0 | 1)[], examples: number) {
  const { folds, foldOf } = dealt(labels.slice(0, examples));
  const rest = labels.slice(examples).map((_, i) => (folds === 0 ? 0 : i % folds));
  return { folds, foldOf: [...foldOf, ...rest] };
}

interface Search extends Shared {
  readonly before: readonly number[];
  readonly plain: readonly number[];
  /** Of examples and ordinary messages, and of the examples alone. */
  readonly score: (policy: CompiledPolicy) => Promise<number[]>;
  readonly scoreOwn: (policy: CompiledPolicy) => Promise<number[]>;
  readonly onProgress: Run['onProgress'];
  readonly signal: Run['signal'];
}

/** A wording without each fold, and one by all examples; built-in policies do not go by their wording. */
async function searchAll(
  engine: Reader,
  lesson: Lesson,
  { tier, objective, propose }: OptimiseOptions,
  { labels, folds, foldOf, cut, before, plain, score, scoreOwn, onProgress, signal }: Search,
): Promise<{ choices: Choice[]; best: Found | undefined }> {
  if (tier !== 'max' || lesson.source.detector !== undefined)
    return {
      choices: Array.from({ length: folds + 1 }, () => ({ plain, reworded: undefined })),
      best: undefined,
    };
  const { source, examples } = lesson;
  const flagged = before.map((logit) => logit >= cut);
  const proposed = (await propose?.(misjudgement(lesson, flagged), signal)) ?? [];
  const compiled = (wording: Wording) => engine.compile({ ...source, ...wording });
  const logitsOf = remembered((wording) => scoreOwn(compiled(wording)));
  const words = examples.map(({ text }) => wordsOf(text));
  const task = { wording: source, words, labels, objective, cut, proposed, logitsOf };
  const choices: Choice[] = [];
  let best: Found | undefined;
  for (let fold = 0; fold <= folds; fold += 1) {
    const members = examples.flatMap((_, i) => (foldOf[i] === fold ? [] : [i]));
    best = await searchWording(task, members);
    const reworded = best && withoutSeen(await score(compiled(best.wording)), plain, best, proposed);
    choices.push({ plain, reworded });
    onProgress?.(0.1 + (0.6 * (fold + 1)) / (folds + 1));
  }
  return { choices, best };
}

async function readAll(engine: Reader, examples: readonly Example[], signal: AbortSignal | undefined) {
  const analyses: Analysis[] = [];
  for (const { text } of examples) {
    signal?.throwIfAborted();
    analyses.push(await engine.analyseInTurns(text));
  }
  return analyses;
}

/** Based on the untuned policy, or on the reworded one. */
function headOf({ head, base, shift }: Tuned, { tuning, examples }: Lesson): Head {
  if (head !== null) return head;
  const alone = { examples: examples.length, priorWeight: 1, bias: shift, weights: [] };
  return base === 'current' ? stacked(tuning, alone) : alone;
}

function remembered(logitsOf: (wording: Wording) => Promise<number[]>) {
  const known = new Map<string, Promise<number[]>>();
  return (wording: Wording): Promise<number[]> => {
    const { description, blockActivities, safeActivities } = wording;
    const key = JSON.stringify([description, blockActivities, safeActivities]);
    const made = known.get(key) ?? logitsOf(wording);
    known.set(key, made);
    return made;
  };
}

/** Examples that a proposed wording was made from are measured by the old one. */
function withoutSeen(
  logits: readonly number[],
  plain: readonly number[],
  { what }: Found,
  proposed: readonly Candidate[],
): readonly number[] {
  const seen = proposed.find((candidate) => candidate.what === what[0])?.seen;
  return seen === undefined ? logits : logits.map((logit, i) => (seen.has(i) ? (plain[i] ?? logit) : logit));
}

function misjudgement({ source, examples }: Lesson, flagged: readonly boolean[]): Misjudgement {
  const numbers = (violates: boolean, isFlagged: boolean) =>
    examples.flatMap((example, i) => (example.violates === violates && flagged[i] === isFlagged ? [i] : []));
  return { source, examples, missed: numbers(true, false), falselyFlagged: numbers(false, true) };
}

const shareFrom = (cut: number, logits: readonly number[]): number =>
  logits.filter((logit) => logit >= cut).length / Math.max(1, logits.length);
