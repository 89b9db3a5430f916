/**
 * Choosing what a policy becomes, and measuring the choice by examples that had no part in it. Pure arithmetic of up
 * to some seconds, so it runs in a thread of its own.
 */
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import type { Head, HeadExample } from '#engine/text/adapted-head.ts';
import { fitScaled, foldsOf, judgeHeldOut, lossOf, scales } from '#engine/text/fit-measured.ts';
import { chooseShift, type Objective } from './operating-point.ts';

export interface TuneTask {
  readonly labels: readonly (0 | 1)[];
  readonly features: readonly Float32Array[];
  /** From this number on they are ordinary messages: harmless, and no examples of anybody. */
  readonly ordinaryFrom: number;
  /** The policy as it is judged now, with what an earlier tuning taught it. */
  readonly current: readonly number[];
  /**
   * What was found without each fold, and at last with all examples: judgements by the policy's own text, and by a
   * new text where there is one; both without any tuning.
   */
  readonly choices: readonly Choice[];
  /** Fold of each; no folds where one kind has one example alone. */
  readonly foldOf: readonly number[];
  readonly folds: number;
  readonly learnsHead: boolean;
  readonly objective: Objective;
  /** The logit from which on the group flags. */
  readonly cut: number;
}

export interface Choice {
  readonly plain: readonly number[];
  readonly reworded: readonly number[] | undefined;
}

type Base = 'current' | keyof Choice;

/** What the policy becomes. */
export interface Tuned {
  readonly base: Base;
  /** With the shift in its bias; null where only the shift is new. */
  readonly head: Head | null;
  /** Of the features, as the head was fitted. */
  readonly scale: number | null;
  readonly shift: number;
}

export interface TuneResult {
  readonly tuned: Tuned;
  /** Of each example, by what was chosen and learned without it; null without folds. */
  readonly heldOut: readonly number[] | null;
  /** The order of those, compared only within a fold: each fold has its own shift and its own head. */
  readonly heldOutOrder: number | null;
}

/**
 * With fewer examples of a label than this nothing is learned, and the policy is not made to flag more: measured on
 * held-out policies, both raised false alarms, and no estimate from so few examples showed it.
 */
const enough = 10;

/** Whether there are too few examples of a label to learn from. */
export const isFew = (labels: readonly number[]): boolean => {
  const positives = labels.filter((label) => label === 1).length;
  return Math.min(positives, labels.length - positives) < enough;
};

/** More than these leave enough to learn from in three folds. */
const many = 200;

/** Folds for examples of these labels; none where one kind has one example alone. */
export function dealt(labels: readonly (0 | 1)[]): { folds: number; foldOf: number[] } {
  const positives = labels.filter((label) => label === 1).length;
  const folds = Math.min(labels.length > many ? 3 : 5, positives, labels.length - positives);
  if (folds < 2) return { folds: 0, foldOf: labels.map(() => 0) };
  return {
    folds,
    foldOf: foldsOf(
      labels.map((label) => ({ label })),
      folds,
    ),
  };
}

/** One way of changing the policy. */
interface Way {
  readonly base: Base;
  /** Null where it learns no head. */
  readonly scale: number | null;
  /** How many things it changes besides the shift: a simpler change is surer. */
  readonly changes: number;
}

/** By how much the surprise must fall for each thing that is changed. */
const margin = 0.02;

/**
 * Chooses by all examples, and measures the choice: what an example is measured by was learned without its fold, and
 * chosen by the other folds' measurements.
 */
export function tune(task: TuneTask): TuneResult {
  const { folds, foldOf, ordinaryFrom } = task;
  const all = task.labels.map((_, i) => i);
  const ways = waysOf(task);
  if (folds === 0) {
    const shift = chooseShift(pickAll(task, task.current, all), task.cut, task.objective);
    return { tuned: { base: 'current', head: null, scale: null, shift }, heldOut: null, heldOutOrder: null };
  }
  const tried = ways.map((way) => ({ way, logits: heldOutBy(task, way) }));
  const { way, shift } = choose(task, tried, all);
  const heldOut = Array<number>(ordinaryFrom).fill(0);
  for (let fold = 0; fold < folds; fold += 1) {
    const chosen = choose(
      task,
      tried,
      all.filter((i) => foldOf[i] !== fold),
    );
    for (let i = 0; i < ordinaryFrom; i += 1)
      if (foldOf[i] === fold) heldOut[i] = (chosen.logits[i] ?? 0) + chosen.shift;
  }
  return { tuned: learned(task, way, shift), heldOut, heldOutOrder: orderWithinFolds(task, heldOut) };
}

/** The mean over folds of the area under the ROC curve, by their pairs of a violating and a harmless example. */
function orderWithinFolds({ labels, foldOf, folds }: TuneTask, heldOut: readonly number[]): number {
  let [sum, pairs] = [0, 0];
  for (let fold = 0; fold < folds; fold += 1) {
    const own = heldOut.flatMap((logit, i) => (foldOf[i] === fold ? [{ logit, label: labels[i] ?? 0 }] : []));
    const positives = own.filter(({ label }) => label === 1).length;
    const here = positives * (own.length - positives);
    if (here === 0) continue;
    const area = areaUnderRoc(
      own.map(({ logit }) => logit),
      own.map(({ label }) => label),
    );
    sum += area * here;
    pairs += here;
  }
  return sum / pairs;
}

function waysOf({ learnsHead, choices, labels, ordinaryFrom }: TuneTask): Way[] {
  const ways: Way[] = [{ base: 'current', scale: null, changes: 0 }];
  const learning = learnsHead && !isFew(labels.slice(0, ordinaryFrom)) ? scales : [];
  ways.push(...learning.map((scale): Way => ({ base: 'plain', scale, changes: 1 })));
  // Without a wording for all examples there is none to propose, whatever single folds have found.
  if (choices.at(-1)?.reworded !== undefined)
    for (const scale of [null, ...learning])
      ways.push({ base: 'reworded', scale, changes: scale === null ? 1 : 2 });
  return ways;
}

/** What was found without the fold; by all examples where it is the number of folds. */
function priorsAt(task: TuneTask, base: Base, fold: number): readonly number[] {
  if (base === 'current') return task.current;
  const choice = task.choices[fold];
  if (choice === undefined) throw new Error('a choice is needed for each fold and for all');
  return (base === 'reworded' ? choice.reworded : undefined) ?? choice.plain;
}

/** Judgements of all by the way as it comes out without their fold. */
function heldOutBy(task: TuneTask, { base, scale }: Way): readonly number[] {
  const logits = Array<number>(task.labels.length).fill(0);
  for (let fold = 0; fold < task.folds; fold += 1) {
    const priors = priorsAt(task, base, fold);
    const examples = examplesOf(task, priors);
    const judged =
      scale === null ? undefined : judgeHeldOut({ examples, foldOf: task.foldOf }, scale, [fold]);
    examples.forEach((example, i) => {
      if (task.foldOf[i] === fold) logits[i] = judged?.get(example) ?? priors[i] ?? 0;
    });
  }
  return logits;
}

interface Tried {
  readonly way: Way;
  readonly logits: readonly number[];
}

/**
 * The best way, by what `members` are judged, and its shift. A change must be better than the policy as it is by more
 * than a standard error of the difference: with few examples most differences are chance.
 */
function choose(task: TuneTask, tried: readonly Tried[], members: readonly number[]) {
  const [current, ...changes] = tried.map(({ way, logits }) => {
    const picked = pickAll(task, logits, members);
    return { way, logits, picked, losses: leastLosses(picked) };
  });
  if (current === undefined) throw new Error('the policy as it is must be among the ways');
  let best = { ...current, gain: 0 };
  for (const each of changes) {
    const { mean, error } = differenceOf(current.losses, each.losses);
    const gain = mean - error - margin * each.way.changes;
    if (gain > best.gain) best = { ...each, gain };
  }
  return { way: best.way, logits: best.logits, shift: chooseShift(best.picked, task.cut, task.objective) };
}

/** By how much the sum of losses falls, and the standard error of that. */
function differenceOf(before: readonly number[], after: readonly number[]): { mean: number; error: number } {
  const falls = before.map((loss, i) => loss - (after[i] ?? 0));
  const mean = falls.reduce((sum, fall) => sum + fall, 0);
  const each = mean / falls.length;
  const squares = falls.reduce((sum, fall) => sum + (fall - each) ** 2, 0);
  return { mean, error: Math.sqrt((squares * falls.length) / Math.max(1, falls.length - 1)) };
}

/** Judgements with their labels, ordinary messages apart. */
function pickAll(task: TuneTask, logits: readonly number[], members: readonly number[]) {
  const own = members.filter((i) => i < task.ordinaryFrom);
  const ordinary = members.filter((i) => i >= task.ordinaryFrom);
  const now = ordinary.filter((i) => (task.current[i] ?? 0) >= task.cut).length;
  return {
    logits: own.map((i) => logits[i] ?? 0),
    now: own.map((i) => task.current[i] ?? 0),
    labels: own.map((i) => task.labels[i] ?? 0),
    ordinary: ordinary.map((i) => logits[i] ?? 0),
    ordinaryNow: now / Math.max(1, ordinary.length),
    mayFlagMore: !isFew(task.labels.slice(0, task.ordinaryFrom)),
  };
}

function learned(task: TuneTask, { base, scale }: Way, shift: number): Tuned {
  if (scale === null) return { base, head: null, scale, shift };
  const head = fitScaled(examplesOf(task, priorsAt(task, base, task.folds)), scale);
  return { base, head: { ...head, examples: task.ordinaryFrom, bias: head.bias + shift }, scale, shift };
}

const examplesOf = (task: TuneTask, priors: readonly number[]): HeadExample[] =>
  task.labels.map((label, i) => ({
    features: task.features[i] ?? new Float32Array(),
    prior: priors[i] ?? 0,
    label,
  }));

/**
 * What each example adds to the surprise, at the shift where that is least: where the policy flags is chosen apart. Both
 * labels weigh alike.
 */
function leastLosses({ logits, labels }: Pick<ReturnType<typeof pickAll>, 'logits' | 'labels'>): number[] {
  const positives = labels.filter((label) => label === 1).length;
  const shares = [1 / Math.max(1, labels.length - positives), 1 / Math.max(1, positives)];
  let least: number[] = [];
  let sum = Infinity;
  for (let shift = -5; shift <= 5; shift += 0.25) {
    const losses = logits.map(
      (logit, i) => lossOf(logit + shift, labels[i] ?? 0) * (shares[labels[i] ?? 0] ?? 0),
    );
    const total = losses.reduce((a, b) => a + b, 0);
    if (total < sum) [least, sum] = [losses, total];
  }
  return least;
}
