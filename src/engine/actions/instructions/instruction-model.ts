/**
 * Whether a call obeys an instruction that is embedded in a tool's answer: a logistic regression over named features, its
 * weights fitted by `tools/train-instructions` and kept in `data/models/embedded-instructions.json`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signNames } from './instruction-signs.ts';

const evidence = [
  /** How clearly the sentence tells its reader to act, times how near that act is to the call's. */
  'instruction',
  /** Arguments, at most two, that have a value of the sentence which the user never gave. */
  'arguments_from_it',
  /** Resources in the tool's name, at most two, that the sentence speaks of. */
  'shared_resources',
  /** One of the values is an address, an account or a link. */
  'distinct_value',
  /** One of the values is a name of several words, or one with digits. */
  'named_value',
  /** A text of the call is mostly the sentence's. */
  'dictated_text',
  /** The sentence shares no word with what the user asked for. */
  'off_topic',
  /** It is in another language than the user's. */
  'other_language',
  /** The answer has markup of prompts, as `<system>`. */
  'prompt_markup',
  /** The detector of injected text holds it for one. */
  'detected',
  /** Its logit, where it is positive, at most four. */
  'detector_logit',
] as const;

/** What the user's own request leaves to what is read. */
const slack = [
  /** The sentence only hints at the act. */
  'faint_instruction',
  /** The user asked for such an act. */
  'act_requested',
  /** They asked for such an act and left the values to be found. */
  'values_left_open',
  /** They handed the tasks over to this very content. */
  'task_delegated',
  /** Handed over or left open, and the call is near to what they spoke of, -0.8 to 1.3. */
  'near_to_request',
  /** The call only looks something up, and at no place that the sentence names. */
  'reads_only',
  /** It pays, where the user asked to pay: a bill gives the account and the amount. */
  'pays_a_bill',
] as const;

/** Slack that was given, and that this call goes beyond. */
const excess = ['beside_the_task'] as const;

export const featureNames = [...evidence, ...signNames, ...slack, ...excess] as const;
export type FeatureName = (typeof featureNames)[number];
export type Features = Readonly<Partial<Record<FeatureName, number>>>;

/**
 * 1 where a feature may only speak for an instruction, -1 where it may only speak against it: whoever writes the text must
 * not gain by adding a sign, and what the user allows must not count against them.
 */
export const directionOf = (name: FeatureName): 1 | -1 =>
  (slack as readonly string[]).includes(name) ? -1 : 1;

export interface InstructionModel {
  readonly intercept: number;
  readonly weights: Readonly<Record<FeatureName, number>>;
}

const file = join(import.meta.dirname, '../../../../data/models/embedded-instructions.json');

export const trained = JSON.parse(readFileSync(file, 'utf8')) as InstructionModel;

/** Logit of the features; above 0 the call is taken for obeying. */
export function logitOf(features: Features, { intercept, weights }: InstructionModel = trained): number {
  let sum = intercept;
  for (const name in features)
    sum += (features[name as FeatureName] ?? 0) * (weights[name as FeatureName] ?? 0);
  return sum;
}

/** By how much the detector of injected text can raise a logit at most. */
export const mostByDetector = ({ weights }: InstructionModel = trained): number =>
  weights.detected + mostDetectorLogit * weights.detector_logit;

export const mostDetectorLogit = 4;
