import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/random.ts';
import { Convolution, type ConvolutionShape, type Room } from './convolution.ts';

const tokens = 7;

/** A convolution of random numbers with room for what it reads and writes. */
function example(shape: ConvolutionShape) {
  const { width, window } = shape;
  const convolution = new Convolution(shape, 100_000);
  const random = new Random(3);
  const filled = (count: number) => {
    const room = convolution.room(count);
    for (let i = 0; i < count; i++) room.numbers[i] = random.normal();
    return room;
  };
  const around = (tokens + window - 1) * width;
  return {
    convolution,
    weights: filled(window * width * width),
    biases: filled(width),
    from: filled(around),
    to: filled(tokens * width),
    gradient: filled(window * width * width),
  };
}

const near = (room: Room, at: number, expected: number, precision: string) => {
  const allowed = precision === 'f32' ? 1e-4 : 1e-10;
  assert.ok(
    Math.abs((room.numbers[at] ?? 0) - expected) < allowed,
    `${at}: ${room.numbers[at]} for ${expected}`,
  );
};

// Widths whose vectors are summed up in one part, in several, and in a part of a size of its own.
for (const width of [4, 32, 48, 68])
  for (const precision of ['f32', 'f64'] as const) {
    const shape = { width, window: 5, precision };

    test(`a width of ${width} in ${precision}: each number is the sum of its window, none below the least`, () => {
      const { convolution, weights, biases, from, to } = example(shape);
      convolution.convolve({ weights, biases }, from, to, tokens, -0.5);
      for (let t = 0; t < tokens; t++)
        for (let o = 0; o < width; o++) {
          let sum = biases.numbers[o] ?? 0;
          for (let i = 0; i < 5 * width; i++)
            sum += (from.numbers[t * width + i] ?? 0) * (weights.numbers[i * width + o] ?? 0);
          near(to, t * width + o, Math.max(-0.5, sum), precision);
        }
    });

    test(`a width of ${width} in ${precision}: a gradient is added to by all tokens`, () => {
      const { convolution, from, to, gradient } = example(shape);
      const before = Float64Array.from(gradient.numbers);
      convolution.gather(gradient, from, to, tokens);
      for (let i = 0; i < 5 * width; i++)
        for (let o = 0; o < width; o++) {
          let sum = before[i * width + o] ?? 0;
          for (let t = 0; t < tokens; t++)
            sum += (from.numbers[t * width + i] ?? 0) * (to.numbers[t * width + o] ?? 0);
          near(gradient, i * width + o, sum, precision);
        }
    });
  }

test('no tokens leave everything as it was', () => {
  const { convolution, weights, biases, from, to, gradient } = example({
    width: 8,
    window: 3,
    precision: 'f32',
  });
  const before = [to, gradient].map(({ numbers }) => numbers.slice());
  convolution.convolve({ weights, biases }, from, to, 0, 0);
  convolution.gather(gradient, from, to, 0);
  assert.deepEqual([to.numbers, gradient.numbers], before);
});

test('a width that does not fill vectors is refused, and so is more room than there is', () => {
  assert.throws(() => new Convolution({ width: 6, window: 3, precision: 'f32' }, 10), /multiple of four/);
  const convolution = new Convolution({ width: 4, window: 3, precision: 'f32' }, 10);
  assert.throws(() => convolution.room(20_000), RangeError);
});
