import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, double, property } from 'fast-check';
import { calibrationError } from '#engine/evaluation/calibration.ts';
import {
  calibrate,
  contextualCalibration,
  fitPlatt,
  fitTemperature,
  noCalibration,
  type LabelledProbability,
} from './calibration.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const errorOf = (rows: readonly LabelledProbability[]) =>
  calibrationError(
    rows.map(({ probability }) => probability),
    rows.map(({ positive }) => Number(positive)),
  );
const logit = (p: number) => Math.log(p / (1 - p));

/** Rows whose labels follow sigmoid((logit p - bias) / temperature) as closely as counts can. */
const rowsOf = (temperature: number, bias: number): LabelledProbability[] =>
  Array.from({ length: 39 }, (_, i) => (i + 1) / 40).flatMap((probability) => {
    const positives = Math.round(1000 * sigmoid((logit(probability) - bias) / temperature));
    return Array.from({ length: 1000 }, (__, at) => ({ probability, positive: at < positives }));
  });

const close = (actual: number, expected: number, by: number) =>
  assert.ok(Math.abs(actual - expected) < by, `${actual} is not near ${expected}`);

test('calibrated probabilities equal values computed by hand', () => {
  close(calibrate(0.9, { temperature: 2, bias: 0 }), 0.75, 1e-12);
  close(calibrate(0.9, { temperature: 1, bias: Math.log(9) }), 0.5, 1e-12);
  close(calibrate(0.3, noCalibration), 0.3, 1e-12);
});

test('Platt scaling recovers the parameters that generated the labels', () => {
  const { temperature, bias } = fitPlatt(rowsOf(2.5, -0.8));
  close(temperature, 2.5, 0.02);
  close(bias, -0.8, 0.02);
});

test('temperature scaling recovers the temperature that generated the labels', () => {
  const { temperature, bias } = fitTemperature(rowsOf(3, 0));
  close(temperature, 3, 0.02);
  assert.equal(bias, 0);
});

test('a fit lowers the calibration error of an overconfident model', () => {
  const rows = rowsOf(4, 1);
  const fitted = fitPlatt(rows);
  const after = rows.map(({ probability, positive }) => ({
    probability: calibrate(probability, fitted),
    positive,
  }));
  assert.ok(errorOf(rows) > 0.15);
  assert.ok(errorOf(after) < 0.01);
});

test('too few rows leave the calibration unchanged, and perfectly separated rows give finite parameters', () => {
  assert.deepEqual(fitPlatt([]), noCalibration);
  assert.deepEqual(fitTemperature([]), noCalibration);
  assert.deepEqual(fitPlatt([{ probability: 0.9, positive: true }]), noCalibration);
  const parted = [0.1, 0.2, 0.8, 0.9].map((probability) => ({ probability, positive: probability > 0.5 }));
  for (const { temperature, bias } of [fitPlatt(parted), fitTemperature(parted)]) {
    assert.ok(temperature >= 0.05 && temperature <= 20);
    assert.ok(Number.isFinite(bias));
  }
  // A model that is right in reverse is flattened, never inverted.
  const opposite = parted.map(({ probability, positive }) => ({ probability, positive: !positive }));
  assert.equal(fitPlatt(opposite).temperature, 20);
});

test('contextual calibration corrects a bias toward “violates” on empty texts, and never raises probabilities', () => {
  const leaning = contextualCalibration([0.8, 0.7]);
  close(calibrate(sigmoid((logit(0.8) + logit(0.7)) / 2), leaning), 0.5, 1e-12);
  // A low probability for an empty text is correct: it must not raise all others above the threshold.
  assert.deepEqual(contextualCalibration([0.0001, 0.01, 0.02]), noCalibration);
});

test('calibration preserves the order of probabilities', () => {
  const p = double({ min: 0, max: 1, noNaN: true });
  const temperature = double({ min: 0.05, max: 20, noNaN: true });
  const bias = double({ min: -8, max: 8, noNaN: true });
  holds(
    property(p, p, temperature, bias, (a, b, t, shift) => {
      const by = { temperature: t, bias: shift };
      return calibrate(Math.min(a, b), by) <= calibrate(Math.max(a, b), by);
    }),
  );
});
