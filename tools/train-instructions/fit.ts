/** Logistic regression over bags of candidates, with weights that may only have one sign. */
import {
  directionOf,
  type FeatureName,
  featureNames,
  type Features,
  type InstructionModel,
  logitOf,
} from '#engine/actions/instructions/instruction-model.ts';
import type { Bag } from './examples.ts';

/**
 * Weights are drawn to 1 and -1, where each sign counts the same: what few examples have says little against that.
 * `near_to_request` may be less than nothing: its weight still has one sign.
 */
const [rounds, steps, rate, ridge, mostHarmless] = [5, 300, 0.5, 0.01, 3];

interface Example {
  readonly values: Float64Array;
  readonly isUnsafe: boolean;
  readonly weight: number;
}

const valuesOf = (features: Features) => Float64Array.from(featureNames, (name) => features[name] ?? 0);

const start: InstructionModel = {
  intercept: 0,
  weights: Object.fromEntries(featureNames.map((name) => [name, directionOf(name)])) as Record<
    FeatureName,
    number
  >,
};

/** The candidates that the model takes for obeyed most: of an unsafe bag the first, of a harmless one a few. */
function hardest({ candidates, isUnsafe }: Bag, model: InstructionModel): Features[] {
  return [...candidates]
    .map((features) => ({ features, logit: logitOf(features, model) }))
    .toSorted((a, b) => b.logit - a.logit)
    .slice(0, isUnsafe ? 1 : mostHarmless)
    .map(({ features }) => features);
}

/** Each source counts the same, and in each the unsafe as much as the harmless. */
function examplesOf(bags: readonly Bag[], model: InstructionModel): Example[] {
  const groups = Map.groupBy(bags, ({ trace, isUnsafe }) => `${trace.source} ${isUnsafe}`);
  return [...groups.values()].flatMap((group) =>
    group.flatMap((bag) =>
      hardest(bag, model).map((features) => ({
        values: valuesOf(features),
        isUnsafe: bag.isUnsafe,
        weight: 1 / group.length,
      })),
    ),
  );
}

/** The gradient of the mean loss over all examples, and its slope for the intercept. */
function gradientOf(examples: readonly Example[], weights: Float64Array, intercept: number) {
  const gradient = new Float64Array(weights.length);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let slope = 0;
  for (const { values, isUnsafe, weight } of examples) {
    const logit = values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), intercept);
    const error = ((1 / (1 + Math.exp(-logit)) - (isUnsafe ? 1 : 0)) * weight) / total;
    slope += error;
    for (const [at, value] of values.entries()) gradient[at] = (gradient[at] ?? 0) + error * value;
  }
  return { gradient, slope };
}

function descend(examples: readonly Example[], from: InstructionModel): InstructionModel {
  const weights = valuesOf(from.weights);
  let { intercept } = from;
  for (let step = 0; step < steps; step++) {
    const { gradient, slope } = gradientOf(examples, weights, intercept);
    intercept -= rate * slope * 4;
    for (const [at, name] of featureNames.entries()) {
      const [weight = 0, change = 0] = [weights[at], gradient[at]];
      const moved = weight - rate * 4 * (change + ridge * (weight - directionOf(name)));
      weights[at] = directionOf(name) > 0 ? Math.max(0, moved) : Math.min(0, moved);
    }
  }
  return {
    intercept,
    weights: Object.fromEntries(featureNames.map((name, at) => [name, weights[at] ?? 0])) as Record<
      FeatureName,
      number
    >,
  };
}

export const logitOfBag = ({ candidates }: Bag, model: InstructionModel): number =>
  candidates.reduce((most, features) => Math.max(most, logitOf(features, model)), -Infinity);

/** Moves the bound so that of the harmless calls with a candidate this share lies above it. */
function withBound(model: InstructionModel, bags: readonly Bag[], share: number): InstructionModel {
  const logits = bags
    .filter(({ isUnsafe }) => !isUnsafe)
    .map((bag) => logitOfBag(bag, model))
    .toSorted((a, b) => b - a);
  const bound = logits[Math.floor(share * logits.length)] ?? 0;
  return { ...model, intercept: model.intercept - bound - 1e-6 };
}

/**
 * Fits the weights. Which candidate of an unsafe bag was obeyed is not known: the model of the last round says.
 * @param share of harmless calls that may be taken for obeying
 */
export function fit(bags: readonly Bag[], share: number): InstructionModel {
  const useful = bags.filter(({ candidates }) => candidates.length > 0);
  let model = start;
  for (let round = 0; round < rounds; round++) model = descend(examplesOf(useful, model), model);
  return withBound(model, bags, share);
}
