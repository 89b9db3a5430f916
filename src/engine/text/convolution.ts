/**
 * Convolutions over tokens, several numbers at once: WebAssembly with instructions on 128 bits, generated for the width
 * of a layer. Judging takes single precision, training double. Pure and synchronous.
 */
import {
  type Code,
  type Lanes,
  advance,
  get,
  lanes,
  load,
  offset,
  repeatWhileBelow,
  set,
  store,
  wasmModule,
  wholeNumber,
} from './wasm-code.ts';

export interface ConvolutionShape {
  /** Numbers of a token, before and after; a multiple of four. */
  width: number;
  /** Tokens that a number is computed from. */
  window: number;
  precision: 'f32' | 'f64';
}

export type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** A place in the memory that is computed in, in bytes. */
export interface Place {
  at: number;
}

/** Room in that memory. */
export interface Room extends Place {
  numbers: Numbers;
}

/** At most so many vectors are summed up at once: more do not fit the processor's registers. */
const mostSums = 12;

const sumsOf = (vectors: number): number => {
  for (let sums = Math.min(mostSums, vectors); ; sums--) if (vectors % sums === 0) return sums;
};

/** Code for each part of a token's numbers that is summed up at once: `begin` is where it lies, in bytes. */
function byParts(width: number, { bytes }: Lanes, part: (sums: number, begin: number) => Code): Code {
  const vectors = (width * bytes) / 16;
  const sums = sumsOf(vectors);
  return Array.from({ length: vectors / sums }, (_, n) => part(sums, n * sums * 16)).flat();
}

const each = (count: number, code: (n: number) => Code): Code =>
  Array.from({ length: count }, (_, n) => code(n)).flat();

/** `convolve(weights, biases, from, to, end, least)`: `end` is where the numbers of the last token written end. */
function convolve({ width, window }: ConvolutionShape, lane: Lanes) {
  const [weights, biases, from, to, end, least, at, stop, row, first] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const token = width * lane.bytes;
  const sum = (n: number) => first + 2 + n;
  const [value, floor] = [first, first + 1];
  const part = (sums: number, begin: number): Code => [
    ...each(sums, (n) => [...load(biases, begin + 16 * n), ...set(sum(n))]),
    ...offset(at, from, 0),
    ...offset(stop, from, window * token),
    ...offset(row, weights, begin),
    ...repeatWhileBelow(at, stop, [
      ...get(at),
      ...lane.loadSplat,
      ...set(value),
      ...each(sums, (n) => [
        ...get(value),
        ...load(row, 16 * n),
        ...lane.multiply,
        ...get(sum(n)),
        ...lane.add,
        ...set(sum(n)),
      ]),
      ...advance(at, lane.bytes),
      ...advance(row, token),
    ]),
    ...each(sums, (n) => store(to, begin + 16 * n, [...get(sum(n)), ...get(floor), ...lane.larger])),
  ];
  return {
    name: 'convolve',
    parameters: [...Array<number>(5).fill(wholeNumber), lane.type],
    wholeNumbers: 3,
    vectors: 2 + mostSums,
    body: [
      ...get(least),
      ...lane.splat,
      ...set(floor),
      ...repeatWhileBelow(to, end, [
        ...byParts(width, lane, part),
        ...advance(from, token),
        ...advance(to, token),
      ]),
    ],
  };
}

/** `gather(gradient, from, pull, end)`: adds the products of what was read and what pulls at it. */
function gather({ width, window }: ConvolutionShape, lane: Lanes) {
  const [gradient, from, pull, end, at, stop, row, first] = [0, 1, 2, 3, 4, 5, 6, 7];
  const token = width * lane.bytes;
  const value = first;
  const pulls = (n: number) => first + 1 + n;
  const part = (sums: number, begin: number): Code => [
    ...each(sums, (n) => [...load(pull, begin + 16 * n), ...set(pulls(n))]),
    ...offset(at, from, 0),
    ...offset(stop, from, window * token),
    ...offset(row, gradient, begin),
    ...repeatWhileBelow(at, stop, [
      ...get(at),
      ...lane.loadSplat,
      ...set(value),
      ...each(sums, (n) =>
        store(row, 16 * n, [
          ...get(value),
          ...get(pulls(n)),
          ...lane.multiply,
          ...load(row, 16 * n),
          ...lane.add,
        ]),
      ),
      ...advance(at, lane.bytes),
      ...advance(row, token),
    ]),
  ];
  return {
    name: 'gather',
    parameters: Array<number>(4).fill(wholeNumber),
    wholeNumbers: 3,
    vectors: 1 + mostSums,
    body: repeatWhileBelow(pull, end, [
      ...byParts(width, lane, part),
      ...advance(from, token),
      ...advance(pull, token),
    ]),
  };
}

/** As much of WebAssembly as is used here: the types of Node leave it out. */
declare const WebAssembly: {
  Module: new (code: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Exports {
  memory: { buffer: ArrayBuffer };
  convolve: (...numbers: readonly number[]) => void;
  gather: (...numbers: readonly number[]) => void;
}

const pageBytes = 65_536;

/** Computes in a memory of its own, in which `room` is taken once and for all. */
export class Convolution {
  readonly shape: ConvolutionShape;
  readonly #exports: Exports;
  readonly #bytes: number;
  readonly #token: number;
  #taken = 0;

  /** `numbers` is how many numbers there is room for in all. */
  constructor(shape: ConvolutionShape, numbers: number) {
    if (shape.width % 4 !== 0) throw new RangeError(`a width of ${shape.width} is no multiple of four`);
    const lane = lanes[shape.precision];
    this.shape = shape;
    this.#bytes = lane.bytes;
    this.#token = shape.width * lane.bytes;
    const module = new WebAssembly.Module(
      wasmModule([convolve(shape, lane), gather(shape, lane)], Math.ceil((numbers * lane.bytes) / pageBytes)),
    );
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
  }

  /** @throws RangeError when there is less left than `count` numbers */
  room(count: number): Room {
    const at = this.#taken;
    const { buffer } = this.#exports.memory;
    const numbers =
      this.#bytes === 4 ? new Float32Array(buffer, at, count) : new Float64Array(buffer, at, count);
    this.#taken += Math.ceil((count * this.#bytes) / 16) * 16;
    return { at, numbers };
  }

  /**
   * For each of `tokens` tokens the sums of the numbers in its window times their weights, and the biases, none below
   * `least`. `from` begins with the window of the first token: half a window before it. `weights`: for each number of
   * the window, in its order, `width` numbers.
   */
  convolve(
    by: { weights: Place; biases: Place },
    from: Place,
    to: Place,
    tokens: number,
    least: number,
  ): void {
    if (tokens === 0) return;
    const end = to.at + tokens * this.#token;
    this.#exports.convolve(by.weights.at, by.biases.at, from.at, to.at, end, least);
  }

  /** Adds to the gradient of the weights: for each token what `convolve` read of `from` times what pulls at its numbers. */
  gather(gradient: Place, from: Place, pull: Place, tokens: number): void {
    if (tokens === 0) return;
    this.#exports.gather(gradient.at, from.at, pull.at, pull.at + tokens * this.#token);
  }
}
