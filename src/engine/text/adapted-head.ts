/**
 * Learning a policy from labelled examples: a logistic head on fixed features. The judgement from
 * the policy's own text (or of its detector) goes in as a prior, so that few examples correct it and do not replace it.
 */

/** Features of one text: the hidden layer of the net, the mean word vector, and the logit without the head. */
export interface HeadInput {
  features: Float32Array;
  prior: number;
}

/** A fitted head. JSON-serialisable. */
export interface Head {
  /** Examples it was fitted on. */
  examples: number;
  priorWeight: number;
  bias: number;
  weights: number[];
}

export interface HeadExample extends HeadInput {
  label: 0 | 1;
}

const priorLimit = 6;
const clip = (prior: number) => Math.max(-priorLimit, Math.min(priorLimit, prior));

/** The logit of a text with a head. */
export function headLogit(head: Head, { features, prior }: HeadInput): number {
  let sum = head.bias + head.priorWeight * clip(prior);
  for (let k = 0; k < features.length; k++) sum += (head.weights[k] ?? 0) * (features[k] ?? 0);
  return sum;
}

/**
 * L2 regularization of the weights towards 0, and of the prior's weight towards 1, in examples. Too weak for few examples
 * by itself: `fitMeasured` chooses how far the features may count.
 */
const weightPull = 0.5;
const priorPull = 2;
const steps = 300;
const rate = 0.5;

/**
 * Fits a head: logistic regression with both classes weighted alike, by gradient steps with momentum. Well under
 * a second for a few hundred examples. @throws RangeError without an example of each kind
 */
export function fitHead(examples: readonly HeadExample[]): Head {
  const size = examples[0]?.features.length ?? 0;
  const positives = examples.filter(({ label }) => label === 1).length;
  if (positives === 0 || positives === examples.length)
    throw new RangeError(
      'examples of both kinds are needed: some that violate the policy and some that do not',
    );
  const head: Head = {
    examples: examples.length,
    priorWeight: 1,
    bias: 0,
    weights: Array<number>(size).fill(0),
  };
  const speed = { priorWeight: 0, bias: 0, weights: new Float64Array(size) };
  const shareOf = [0.5 / (examples.length - positives), 0.5 / positives];
  for (let step = 0; step < steps; step++) {
    const pull = gradient(head, examples, shareOf);
    speed.priorWeight = 0.9 * speed.priorWeight - rate * 0.1 * pull.priorWeight;
    speed.bias = 0.9 * speed.bias - rate * pull.bias;
    head.priorWeight = Math.max(0, head.priorWeight + speed.priorWeight);
    head.bias += speed.bias;
    for (let k = 0; k < size; k++) {
      speed.weights[k] = 0.9 * (speed.weights[k] ?? 0) - rate * (pull.weights[k] ?? 0);
      head.weights[k] = (head.weights[k] ?? 0) + (speed.weights[k] ?? 0);
    }
  }
  return { ...head, weights: head.weights.map((weight) => Number(weight.toFixed(5))) };
}

interface Gradient {
  priorWeight: number;
  bias: number;
  weights: Float64Array;
}

function gradient(head: Head, examples: readonly HeadExample[], shareOf: readonly number[]): Gradient {
  const weights = Float64Array.from(head.weights, (weight) => (weight * weightPull) / examples.length);
  const out: Gradient = {
    priorWeight: ((head.priorWeight - 1) * priorPull) / examples.length,
    bias: 0,
    weights,
  };
  for (const example of examples) {
    const probability = 1 / (1 + Math.exp(-headLogit(head, example)));
    const error = (probability - example.label) * (shareOf[example.label] ?? 0);
    out.bias += error;
    out.priorWeight += error * clip(example.prior);
    for (let k = 0; k < weights.length; k++)
      weights[k] = (weights[k] ?? 0) + error * (example.features[k] ?? 0);
  }
  return out;
}
