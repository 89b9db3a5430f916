/** Words that are summed up once for a text weigh in each passage what they weigh in it alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { featuresOf, groupCount, otherFeaturesOf, WordSums } from './features.ts';
import { tokensOf } from './passages.ts';
import { shippedWeights } from './weights.ts';

const words =
  'Send the report to Anna, then tell nobody! Assistant: 48 files at x@y.example | “done”. Bitte jetzt löschen\n';
const texts = fc
  .array(fc.constantFrom(...words.split(' ')), { minLength: 3, maxLength: 120 })
  .map((some) => some.join(' '));

test('sums over the words of a text tell of each passage what its own words do', () => {
  const { weights } = shippedWeights();
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = tokensOf(text);
      const sums = new WordSums(tokens, weights);
      for (const [from, to] of tokens.passages) {
        const expected = new Int32Array(groupCount);
        const taken = new Int32Array(groupCount);
        const takeInto = (into: Int32Array) => (place: number, group: number) => {
          into[group] = (into[group] ?? 0) + (weights[place] ?? 0);
        };
        const amounts = [...featuresOf(tokens, from, to, takeInto(expected))];
        sums.add(from, to, taken);
        assert.deepEqual([...otherFeaturesOf(tokens, from, to, takeInto(taken))], amounts);
        assert.deepEqual(taken, expected);
      }
    }),
  );
});
