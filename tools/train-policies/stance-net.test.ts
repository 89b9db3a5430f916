import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/base/random.ts';
import { StanceNet, mostNetTokens, netLayout, ownSize } from '../../src/engine/text/stance-net.ts';
import { type NetExample, NetGradient, type NetParameters } from './net-gradient.ts';
import { type FixedVectors, NetVocabulary, firstParameters, quantiseNet, trainNet } from './stance-net.ts';

const names = ['i', 'you', 'never', 'sell', 'give', 'the', 'key', 'room', 'please', '?', '.', 'sure'];
const size = 16;
const pieceRows = 64;

function fixedVectors(): FixedVectors {
  const random = new Random(5);
  const table = Float32Array.from({ length: (names.length + pieceRows) * size }, () => random.normal() / 4);
  return { table, size, words: names.length, pieceRows, find: (word) => names.indexOf(word) };
}

const fixed = fixedVectors();

/** Sentences of known and unknown words; what is asked about is harmless. */
function sentences(count: number): { words: string[]; label: number }[] {
  const random = new Random(11);
  const pool = [...names, 'landlord', 'zeppelin', '☂'];
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: random.between(1, 9) }, () => random.pick(pool));
    return i % 2 === 0 ? { words: ['sell', ...words], label: 1 } : { words: [...words, 'sell'], label: 0 };
  });
}

function readAll(texts: ReturnType<typeof sentences>) {
  const vocabulary = new NetVocabulary(fixed);
  const examples = texts.map(({ words, label }, i): NetExample => ({
    words: vocabulary.read(words),
    label,
    weight: i % 3 === 0 ? 0.5 : 1,
  }));
  return { examples, words: vocabulary.words() };
}

const options = { batch: 16, rate: 5e-3, decay: 0.01, dropped: 0.1, droppedTokens: 0.05, seed: 3 };

for (const dropped of [0, 0.2])
  test(`the gradient is what finite differences give, with ${dropped} of the numbers left out`, () => {
    const { examples, words } = readAll(sentences(8));
    const parameters = firstParameters(size, new Random(2));
    const net = new NetGradient(parameters, words, dropped);
    const lossAt = () => net.batch(examples, dropped === 0 ? undefined : new Random(9));
    lossAt();
    const gradient: NetParameters = structuredClone(net.gradient);
    const random = new Random(4);
    const step = 1e-5;
    for (const part of ['projection', 'own', 'layers'] as const) {
      const at = parameters[part];
      // Of the words' own vectors only those that occur have a gradient.
      const among = part === 'own' ? names.length * ownSize : at.length;
      let compared = 0;
      for (let n = 0; n < 60; n++) {
        const i = n === 0 && part === 'layers' ? netLayout.outputBias : random.below(among);
        const before = at[i]!;
        at[i] = before + step;
        const above = lossAt();
        at[i] = before - step;
        const below = lossAt();
        at[i] = before;
        const expected = (above - below) / (2 * step);
        assert.ok(
          Math.abs(gradient[part][i]! - expected) < 1e-4 * Math.abs(expected) + 1e-8,
          `${part} ${i}: ${gradient[part][i]} for ${expected}`,
        );
        if (expected !== 0) compared++;
      }
      assert.ok(compared > 15, `${part}: only ${compared} differ from 0`);
    }
  });

test('a text without words gets the bias, and its gradient reaches nothing else', () => {
  const { words } = readAll(sentences(2));
  const parameters = firstParameters(size, new Random(2));
  const net = new NetGradient(parameters, words, 0);
  const empty = new Int32Array(0);
  assert.equal(net.logit(empty), parameters.layers[netLayout.outputBias]);
  net.batch([{ words: empty, label: 1, weight: 1 }]);
  net.gradient.layers.forEach((value, i) => {
    assert.equal(value === 0, i !== netLayout.outputBias, `layer number ${i}`);
  });
});

test('the same texts and seed give the same bytes, and another seed gives others', () => {
  const { examples, words } = readAll(sentences(20));
  const bytesOf = (seed: number) => {
    const net = quantiseNet(trainNet(examples, words, { ...options, steps: 5, seed }), fixed);
    return Buffer.concat(Object.values(net).map(({ buffer }) => Buffer.from(buffer)));
  };
  const first = bytesOf(1);
  assert.deepEqual(bytesOf(1), first);
  assert.notDeepEqual(bytesOf(2), first);
});

test('texts of the same words in another order are told apart on texts that were not trained on, also as it runs', () => {
  const texts = sentences(400);
  const { examples, words } = readAll(texts);
  const parameters = trainNet(examples.slice(0, 300), words, { ...options, steps: 200 });
  const training = new NetGradient(parameters, words, 0);
  const running = new StanceNet(quantiseNet(parameters, fixed), fixed);
  let [right, furthest, spread] = [0, 0, 0];
  texts.slice(300).forEach(({ words: tokens, label }, i) => {
    const logit = running.logit(tokens, Int32Array.from(tokens, fixed.find));
    const exact = training.logit(examples[300 + i]!.words);
    furthest = Math.max(furthest, Math.abs(logit - exact));
    spread = Math.max(spread, Math.abs(exact));
    if (logit > 0 === (label === 1)) right++;
  });
  assert.ok(right >= 95, `${right} of 100`);
  assert.ok(furthest < 0.02 * spread, `rounding moved a logit by ${furthest} of ${spread}`);
});

test('of a long text training and running read the same first tokens', () => {
  const long = Array.from({ length: 3 * mostNetTokens }, (_, i) => names[i % 7]!);
  const read = new NetVocabulary(fixed).read(['☂', ...long]);
  assert.equal(read.length, mostNetTokens);
  const net = new StanceNet(quantiseNet(firstParameters(size, new Random(1)), fixed), fixed);
  const logitOf = (words: string[]) => net.logit(words, Int32Array.from(words, fixed.find));
  assert.equal(logitOf(['☂', ...long]), logitOf(long.slice(0, mostNetTokens)));
  assert.notEqual(logitOf(long), logitOf(long.slice(0, mostNetTokens - 1)));
});
