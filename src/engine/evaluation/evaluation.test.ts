import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, array, boolean, double, integer, property, tuple } from 'fast-check';
import { cohensKappa } from './agreement.ts';
import { brierScore, calibrationError, reliability } from './calibration.ts';
import { mcNemar, pairedDifference } from './comparison.ts';
import { atCut, confusionOf, measuresOf } from './confusion.ts';
import { bootstrapInterval, rocInterval, wilsonInterval } from './intervals.ts';
import { areaUnderRoc, averagePrecision, bestF1, recallAtFalsePositiveRate } from './ranking.ts';
import { meanSuccessAtK, successAtK } from './success-at-k.ts';

const close = (actual: number, expected: number, within = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);

test('the interval of an area under the ROC curve has the published standard error, and stays within 0..1', () => {
  // Hanley and McNeil 1982, Radiology 143:29: area .893 of 51 abnormal and 58 normal images, standard error .032.
  const { low, high } = rocInterval(0.893, 51, 58);
  close((high - low) / 2 / 1.96, 0.032, 0.001);
  const perfect = rocInterval(1, 4, 4);
  assert.ok(perfect.low < 0.95 && perfect.high === 1, `${perfect.low}`);
});

test('measures of decisions equal those of a 2 × 2 table of a screening study', () => {
  // Altman and Bland 1994, BMJ 308:1552: 231 of 258 abnormal livers found, 32 false alarms among 86 normal ones.
  const measures = measuresOf({
    truePositives: 231,
    falsePositives: 32,
    trueNegatives: 54,
    falseNegatives: 27,
  });
  close(measures.recall, 0.9, 0.005);
  close(measures.falsePositiveRate, 1 - 0.63, 0.005);
  close(measures.precision, 0.88, 0.005);
  close(measures.accuracy, 285 / 344);
  close(measures.f1, (2 * 231) / (2 * 231 + 32 + 27));
  assert.deepEqual(confusionOf([true, true, false, false], [1, 0, 0, 1]), {
    truePositives: 1,
    falsePositives: 1,
    trueNegatives: 1,
    falseNegatives: 1,
  });
  const nothing = measuresOf({ truePositives: 0, falsePositives: 0, trueNegatives: 3, falseNegatives: 0 });
  assert.ok(Number.isNaN(nothing.precision) && Number.isNaN(nothing.recall));
  assert.equal(nothing.f1, 0);
});

test('ROC AUC and average precision equal the example of scikit-learn', () => {
  const labels = [0, 0, 1, 1];
  const scores = [0.1, 0.4, 0.35, 0.8];
  close(areaUnderRoc(scores, labels), 0.75);
  close(averagePrecision(scores, labels), 5 / 6);
  assert.deepEqual(bestF1(scores, labels), { f1: 0.8, cut: 0.35 });
  assert.equal(recallAtFalsePositiveRate(scores, labels, 0), 0.5);
  assert.equal(areaUnderRoc([0.5, 0.5, 0.5, 0.5], labels), 0.5);
  assert.ok(Number.isNaN(areaUnderRoc([0.1, 0.2], [1, 1])));
  const { f1, recall, precision, falsePositiveRate, accuracy } = atCut(scores, labels, 0.35);
  assert.deepEqual([recall, falsePositiveRate, accuracy], [1, 0.5, 0.75]);
  close(precision, 2 / 3);
  close(f1, 0.8);
});

test('Wilson intervals equal the examples of Newcombe 1998, table I', () => {
  for (const [successes, trials, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const interval = wilsonInterval(successes, trials);
    close(interval.low, low, 0.00006);
    close(interval.high, high, 0.00006);
  }
  assert.deepEqual(wilsonInterval(0, 0), { low: 0, high: 1 });
  assert.equal(wilsonInterval(20, 20).high, 1);
});

test('a Wilson interval contains its proportion and lies between 0 and 1', () => {
  holds(
    property(
      integer({ min: 1, max: 5000 }).chain((trials) =>
        tuple(integer({ min: 0, max: trials }), integer({ min: trials, max: trials })),
      ),
      ([successes, trials]) => {
        const { low, high } = wilsonInterval(successes, trials);
        return low >= 0 && high <= 1 && low <= successes / trials && high >= successes / trials;
      },
    ),
  );
});

test('calibration errors and reliability bins equal values computed by hand', () => {
  const probabilities = [0.95, 0.95, 0.15, 0.15];
  close(calibrationError(probabilities, [1, 0, 0, 0]), (0.9 + 0.3) / 4);
  close(brierScore(probabilities, [1, 0, 0, 0]), (0.05 ** 2 + 0.95 ** 2 + 2 * 0.15 ** 2) / 4);
  // Brier 1950: a forecast of 0.7 for 7 of 10 days of rain.
  close(
    brierScore(
      Array.from({ length: 10 }, () => 0.7),
      [1, 1, 1, 1, 1, 1, 1, 0, 0, 0],
    ),
    0.21,
  );
  const bins = reliability([0, 0.05, 1], [0, 1, 1]);
  assert.equal(bins.length, 10);
  assert.deepEqual(bins[0], { from: 0, to: 0.1, rows: 2, meanScore: 0.025, positiveShare: 0.5 });
  assert.deepEqual(bins[9], { from: 0.9, to: 1, rows: 1, meanScore: 1, positiveShare: 1 });
  assert.equal(calibrationError([], []), 0);
});

test('success at k (estimator of Chen et al. 2021) equals the average over all draws of k from n', () => {
  close(successAtK({ tries: 10, successes: 3 }, 1), 0.3);
  close(successAtK({ tries: 10, successes: 3 }, 2), 1 - (7 * 6) / (10 * 9));
  assert.equal(successAtK({ tries: 10, successes: 8 }, 3), 1);
  assert.equal(successAtK({ tries: 10, successes: 0 }, 5), 0);
  assert.ok(Number.isNaN(successAtK({ tries: 2, successes: 2 }, 3)));
  const cases = [
    { tries: 4, successes: 1 },
    { tries: 4, successes: 4 },
    { tries: 1, successes: 1 },
  ];
  close(meanSuccessAtK(cases, 2), (0.5 + 1) / 2);
});

test('Cohen’s kappa equals a textbook example of two raters and 50 grants', () => {
  // 20 both yes, 15 both no, 5 and 10 apart: observed 0.70, by chance 0.50, kappa 0.40.
  const pairs: [boolean, boolean][] = [
    ...Array.from({ length: 20 }, (): [boolean, boolean] => [true, true]),
    ...Array.from({ length: 5 }, (): [boolean, boolean] => [true, false]),
    ...Array.from({ length: 10 }, (): [boolean, boolean] => [false, true]),
    ...Array.from({ length: 15 }, (): [boolean, boolean] => [false, false]),
  ];
  close(
    cohensKappa(
      pairs.map(([first]) => first),
      pairs.map(([, second]) => second),
    ),
    0.4,
  );
  assert.equal(cohensKappa(['a', 'a'], ['a', 'a']), 1);
  assert.ok(Number.isNaN(cohensKappa([], [])));
});

const judged = (both: number, onlyFirst: number, onlySecond: number) => {
  const rows = (count: number, first: boolean, second: boolean) =>
    Array.from({ length: count }, () => ({ first, second }));
  const all = [...rows(both, true, true), ...rows(onlyFirst, true, false), ...rows(onlySecond, false, true)];
  return { first: all.map(({ first }) => first), second: all.map(({ second }) => second) };
};

test('McNemar p-values equal those of the exact binomial test', () => {
  // Fagerland, Lydersen and Laake 2013: 1 and 7 discordant pairs give an exact p of 0.0703.
  const airway = judged(8, 1, 7);
  const { onlyFirst, onlySecond, pValue } = mcNemar(airway.first, airway.second);
  assert.deepEqual([onlyFirst, onlySecond], [1, 7]);
  close(pValue, 0.0703125);
  const equal = judged(30, 0, 0);
  assert.equal(mcNemar(equal.first, equal.second).pValue, 1);
  const many = judged(0, 4000, 4600);
  close(mcNemar(many.first, many.second).pValue, 1.03e-10, 0.2e-10);
});

test('bootstrap intervals repeat with the same seed and are close to the theoretical ones', () => {
  const rows = Array.from({ length: 400 }, (_, i) => (i < 100 ? 1 : 0));
  const share = (drawn: Int32Array) => drawn.reduce((sum, at) => sum + (rows[at] ?? 0), 0) / drawn.length;
  const interval = bootstrapInterval(rows.length, share, { seed: 7 });
  assert.deepEqual(interval, bootstrapInterval(rows.length, share, { seed: 7 }));
  assert.notDeepEqual(interval, bootstrapInterval(rows.length, share, { seed: 8 }));
  // 0.25 ± 1.96 √(0.25 · 0.75 / 400)
  close(interval.low, 0.2076, 0.008);
  close(interval.high, 0.2924, 0.008);
  const never = bootstrapInterval(5, () => Number.NaN, { seed: 1 });
  assert.ok(Number.isNaN(never.low) && Number.isNaN(never.high));
});

test('a paired difference is significant where two separate intervals overlap', () => {
  // The second is right wherever the first is, and on 12 more of 200 cases: their separate intervals overlap.
  const [first, second] = [
    Array.from({ length: 200 }, (_, i) => i < 100),
    Array.from({ length: 200 }, (_, i) => i < 112),
  ];
  const accuracyOf = (right: readonly boolean[]) => (drawn: Int32Array) =>
    drawn.reduce((sum, at) => sum + Number(right[at]), 0) / drawn.length;
  const found = pairedDifference(200, accuracyOf(first), accuracyOf(second), { seed: 3 });
  close(found.difference, 0.06);
  assert.ok(found.isClear && found.low > 0);
  assert.ok(wilsonInterval(100, 200).high > wilsonInterval(112, 200).low);
  assert.equal(pairedDifference(200, accuracyOf(first), accuracyOf(first), { seed: 3 }).isClear, false);
});

test('areas under curves do not depend on the order of rows', () => {
  const row = tuple(double({ min: 0, max: 1, noNaN: true }), boolean());
  holds(
    property(array(row, { minLength: 2, maxLength: 40 }), (rows) => {
      const area = (of: typeof rows) =>
        areaUnderRoc(
          of.map(([score]) => score),
          of.map(([, label]) => Number(label)),
        );
      const [forth, back] = [area(rows), area(rows.toReversed())];
      return Number.isNaN(forth) ? Number.isNaN(back) : Math.abs(forth - back) < 1e-12;
    }),
  );
});
