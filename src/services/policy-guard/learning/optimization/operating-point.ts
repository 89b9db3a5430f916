/** Where a policy flags: a shift of its logit, so that each policy of a group has its own point at one threshold. */
import { shiftForStrictness } from '#engine/text/engine.ts';
import type { Strictness } from '#engine/text/types.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';

/** What is made as large as can be. */
export type Objective =
  | { readonly kind: 'f1' }
  | { readonly kind: 'recall_at_fpr'; readonly maxFalsePositiveRate: number };

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
export const logitOf = (probability: number): number => Math.log(probability / (1 - probability));

/** By how much a strictness moves a logit. */
const strictnessLogit = (strictness: Strictness): number => logitOf(shiftForStrictness(0.5, strictness));

/** The logit, at medium strictness, from which on the sensitivity flags. */
export const cutOf = ({ threshold, strictnessLevel }: Sensitivity): number =>
  logitOf(threshold) - strictnessLogit(strictnessLevel);

/** The threshold and the strictness at which a group would flag as it does at `sensitivity` with the shift. */
export function sameAsShift(sensitivity: Sensitivity, shift: number): Sensitivity {
  const wanted = cutOf(sensitivity) - shift;
  const levels: Strictness[] = ['low', 'medium', 'high'];
  const moved = strictnessLogit(sensitivity.strictnessLevel) + shift;
  const strictnessLevel = levels.reduce((a, b) =>
    Math.abs(strictnessLogit(b) - moved) < Math.abs(strictnessLogit(a) - moved) ? b : a,
  );
  return { threshold: sigmoid(wanted + strictnessLogit(strictnessLevel)), strictnessLevel };
}

/** Priors are cut off at ±6 before a head sees them: a shift must not carry one of those over the cut. */
const reach = 5.5;
const most = 5;
const stride = 0.05;
/** Of the logits' deviation: examples near the cut count in part, so that no single one decides. */
const softness = 0.25;
const leastSoftness = 0.1;
/** What a logit of shift must bring at least. */
const priceOfLogit = 0.01;

/** What a share of false positives too many costs, in shares of the objective. */
const priceOfExcess = 10;

interface Totals {
  readonly hits: number;
  readonly alarms: number;
  readonly positives: number;
  readonly negatives: number;
}

function valueOf({ hits, alarms, positives, negatives }: Totals, objective: Objective): number {
  if (objective.kind === 'f1') return (2 * hits) / (hits + alarms + positives);
  return hits / positives - priceOfExcess * Math.max(0, alarms / negatives - objective.maxFalsePositiveRate);
}

function totals(
  logits: readonly number[],
  labels: readonly number[],
  flag: (logit: number) => number,
): Totals {
  let [hits, alarms, positives] = [0, 0, 0];
  logits.forEach((logit, i) => {
    if (labels[i] === 1) {
      positives += 1;
      hits += flag(logit);
    } else alarms += flag(logit);
  });
  return { hits, alarms, positives, negatives: logits.length - positives };
}

const shareOfAlarms = ({ alarms, negatives }: Totals): number => alarms / Math.max(1, negatives);

/** The share of harmless examples that is flagged at a cut. */
export const alarmsAt = (logits: readonly number[], labels: readonly number[], cut: number): number =>
  shareOfAlarms(totals(logits, labels, (logit) => (logit >= cut ? 1 : 0)));

/** The objective of logits at a cut. */
export const objectiveAt = (
  logits: readonly number[],
  labels: readonly number[],
  cut: number,
  objective: Objective,
): number =>
  valueOf(
    totals(logits, labels, (logit) => (logit >= cut ? 1 : 0)),
    objective,
  );

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Judgements to choose a shift by. */
export interface Judged {
  readonly logits: readonly number[];
  readonly labels: readonly number[];
  /** Of ordinary messages. */
  readonly ordinary: readonly number[];
  /** Share of them that the policy flags as it is. */
  readonly ordinaryNow: number;
  /** Logits of the examples by the policy as it is: its false alarms may not become more. */
  readonly now?: readonly number[];
  /** False where there are too few examples to see the false alarms that would come with it; default: true. */
  readonly mayFlagMore?: boolean;
}

/** By how much the share of false alarms may rise, measured on examples that had no part in the choice. */
export const allowedRise = 0.03;

/** What a share of ordinary messages too many costs: less, since one of the few that are asked may be an outlier. */
const priceOfDisturbance = 4;
/** Share of ordinary messages that may be flagged, unless the policy flags more of them already. */
const ordinaryAllowed = 0.02;

/**
 * The shift that serves the objective best, by a softened count; a smaller one where two serve alike. Examples say
 * what is close to the policy; the ordinary messages show whether it would flag everything else as well. F1 alone
 * would buy violations with false alarms wherever it may: these may rise by {@link allowedRise} at most, unless the
 * objective itself says how many there may be.
 */
export function chooseShift(
  { logits, labels, ordinary, ordinaryNow, now, mayFlagMore = true }: Judged,
  cut: number,
  objective: Objective,
): number {
  const width = Math.max(leastSoftness, softness * deviation(logits));
  const softly = (judged: readonly number[], shift: number) =>
    totals(judged, labels, (logit) => sigmoid((logit + shift - cut) / width));
  const mostAlarms = now === undefined ? 1 : shareOfAlarms(softly(now, 0)) + allowedRise;
  const allowed = Math.max(ordinaryAllowed, ordinaryNow);
  const from = Math.max(-most, cut - reach);
  const to = mayFlagMore ? Math.min(most, cut + reach) : 0;
  let best = { shift: 0, value: -Infinity };
  for (let step = Math.ceil(from / stride); step * stride <= to; step += 1) {
    const shift = step * stride;
    const counted = softly(logits, shift);
    const excess = objective.kind === 'f1' ? Math.max(0, shareOfAlarms(counted) - mostAlarms) : 0;
    const disturbed = ordinary.filter((logit) => logit + shift >= cut).length / Math.max(1, ordinary.length);
    const value =
      valueOf(counted, objective) -
      priceOfExcess * excess -
      priceOfLogit * Math.abs(shift) -
      priceOfDisturbance * Math.max(0, disturbed - allowed);
    if (value > best.value) best = { shift, value };
  }
  return Number(best.shift.toFixed(2));
}
