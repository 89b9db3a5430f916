import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, double, property, record } from 'fast-check';
import {
  answerToken,
  atStrictness,
  likelihoods,
  meanVerdict,
  verdictOfText,
  verdictOfToken,
  type Verdict,
} from './verdict.ts';

const place = (probabilities: Record<string, number>) => {
  const top = Object.entries(probabilities).map(([token, p]) => ({ token, logprob: Math.log(p) }));
  return { ...top[0]!, top };
};

function near(actual: Verdict | undefined, expected: Verdict): void {
  assert.ok(actual);
  for (const letter of ['A', 'B', 'C'] as const)
    assert.ok(Math.abs(actual[letter] - expected[letter]) < 1e-9, `${letter}: ${actual[letter]}`);
}

test('spellings of a letter are added up, and the three letters are normalised to a sum of one', () => {
  const { mass, verdict } = verdictOfToken(place({ A: 0.3, ' A': 0.1, a: 0.02, B: 0.08, Ġc: 0.2, The: 0.2 }));
  assert.ok(Math.abs(mass - 0.7) < 1e-9);
  near(verdict, { A: 0.42 / 0.7, B: 0.08 / 0.7, C: 0.2 / 0.7 });
});

test('a letter that is not listed counts as the least likely one listed', () => {
  const { verdict } = verdictOfToken(place({ A: 0.9, C: 0.05, Yes: 0.01 }));
  near(verdict, { A: 0.9 / 0.96, B: 0.01 / 0.96, C: 0.05 / 0.96 });
});

test('no probability is exactly 0 or 1', () => {
  const verdict = verdictOfToken({
    token: 'C',
    logprob: 0,
    top: [
      { token: 'C', logprob: 0 },
      { token: 'A', logprob: -9999 },
    ],
  }).verdict;
  const sum = 0.9999 + 2e-4;
  near(verdict, { A: 1e-4 / sum, B: 1e-4 / sum, C: 0.9999 / sum });
});

test('the sampled letter counts although it is missing from the most likely tokens', () => {
  const { verdict } = verdictOfToken({ token: 'B', logprob: Math.log(0.6), top: place({ A: 0.3 }).top });
  near(verdict, { A: 0.3 / 1.2, B: 0.6 / 1.2, C: 0.3 / 1.2 });
});

test('there is no verdict when the letters have less than half of the probability mass', () => {
  assert.equal(verdictOfToken(place({ Sure: 0.51, A: 0.49 })).verdict, undefined);
  assert.ok(verdictOfToken(place({ Sure: 0.49, A: 0.51 })).verdict);
});

test('the answer’s token is the first one after the reasoning', () => {
  const stream = (...tokens: string[]) => tokens.map((token) => ({ token, logprob: 0, top: [] }));
  assert.equal(answerToken(stream('A'), false)?.token, 'A');
  assert.equal(answerToken(stream('\n', ' B'), false)?.token, ' B');
  assert.equal(answerToken(stream('<think>', 'A', ' or B', '</think>', '\n\n', 'C', '.'), false)?.token, 'C');
  assert.equal(answerToken(stream('Is', ' it', ' A', '?', '</', 'think', '>', 'C'), false)?.token, 'C');
  assert.equal(answerToken(stream('Is', ' A', ' right', '?', 'B', '<|im_end|>'), true)?.token, 'B');
  assert.equal(answerToken([], false), undefined);
});

test('strictness adds a share of the borderline class, and never lowers a probability', () => {
  const verdict = { A: 0.5, B: 0.2, C: 0.3 };
  assert.deepEqual(
    (['low', 'medium', 'high'] as const).map((level) => atStrictness(verdict, level)),
    [0.5, 0.6, 0.7],
  );
  const share = double({ min: 0, max: 1, noNaN: true });
  holds(
    property(record({ a: share, b: share, c: share }), ({ a, b, c }) => {
      const sum = a + b + c || 1;
      const any = { A: a / sum, B: b / sum, C: c / sum };
      const low = atStrictness(any, 'low');
      const medium = atStrictness(any, 'medium');
      const high = atStrictness(any, 'high');
      return low <= medium && medium <= high && low >= 1e-4 && high <= 1 - 1e-4;
    }),
  );
});

test('the five likelihoods stand for probabilities of .02, .2, .5, .8 and .98', () => {
  const middles = Object.values(likelihoods).map((verdict) => atStrictness(verdict, 'medium'));
  assert.deepEqual(
    middles.map((p) => Math.round(p * 1000) / 1000),
    [0.02, 0.2, 0.5, 0.8, 0.98],
  );
});

for (const [text, letter] of [
  ['A', 'A'],
  ['**B**', 'B'],
  ['(c).', 'C'],
  ['Verdict: A', 'A'],
  ['The text asks for a recipe.\n\nVerdict: C', 'C'],
  ['{"verdict": "B"}', 'B'],
  ['Final answer is A.', 'A'],
  ['\\boxed{C}', 'C'],
  ['A text about bread is fine.', undefined],
  ['A or B', undefined],
  ['Verdict: A\nVerdict: C', undefined],
  ['I would rather not say.', undefined],
  ['', undefined],
] as const)
  test(`a text is read as ${letter ?? 'no verdict'}: ${JSON.stringify(text)}`, () => {
    const expected = { A: likelihoods.very_likely, B: likelihoods.possible, C: likelihoods.very_unlikely };
    assert.deepEqual(verdictOfText(text), letter && expected[letter]);
  });

test('the mean of verdicts is computed by class', () => {
  near(meanVerdict([likelihoods.likely, likelihoods.possible, likelihoods.unlikely]), {
    A: 1.1 / 3,
    B: 0.8 / 3,
    C: 1.1 / 3,
  });
});
