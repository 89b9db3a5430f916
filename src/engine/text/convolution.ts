/**
 * Convolutions over tokens, several numbers at once: WebAssembly with instructions on 128 bits, generated for the width
 * of a layer. Judging takes single precision, training double. Pure and synchronous.
 */
import {
  type Code,
  type Lanes,
  type WasmFunction,
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

/** Locals of the walk along a window: where it is read, where that ends, the row of the table, and the number read. */
interface Walk {
  at: number;
  stop: number;
  row: number;
  value: number;
}

/**
 * Reads each number of the window at `from`, with its row of a table from `table` on (of which `begin` bytes are left
 * out), and does `body` with both.
 */
function alongWindow(
  { width, window }: ConvolutionShape,
  lane: Lanes,
  { at, stop, row, value }: Walk,
  { from, table, begin }: { from: number; table: number; begin: number },
  body: Code,
): Code {
  const token = width * lane.bytes;
  return [
    ...offset(at, from, 0),
    ...offset(stop, from, window * token),
    ...offset(row, table, begin),
    ...repeatWhileBelow(at, stop, [
      ...get(at),
      ...lane.loadSplat,
      ...set(value),
      ...body,
      ...advance(at, lane.bytes),
      ...advance(row, token),
    ]),
  ];
}

/** `convolve(weights, biases, from, to, end, least)`: `end` is where the numbers of the last token written end. */
function convolve(shape: ConvolutionShape, lane: Lanes): WasmFunction {
  const { width } = shape;
  const [weights, biases, from, to, end, least, at, stop, row, value, floor, first] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ];
  const token = width * lane.bytes;
  const sum = (n: number) => first + n;
  const part = (sums: number, begin: number): Code => [
    ...each(sums, (n) => [...load(biases, begin + 16 * n), ...set(sum(n))]),
    ...alongWindow(
      shape,
      lane,
      { at, stop, row, value },
      { from, table: weights, begin },
      each(sums, (n) => [
        ...get(value),
        ...load(row, 16 * n),
        ...lane.multiply,
        ...get(sum(n)),
        ...lane.add,
        ...set(sum(n)),
      ]),
    ),
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
function gather(shape: ConvolutionShape, lane: Lanes): WasmFunction {
  const { width } = shape;
  const [gradient, from, pull, end, at, stop, row, value, first] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const token = width * lane.bytes;
  const pulls = (n: number) => first + n;
  const part = (sums: number, begin: number): Code => [
    ...each(sums, (n) => [...load(pull, begin + 16 * n), ...set(pulls(n))]),
    ...alongWindow(
      shape,
      lane,
      { at, stop, row, value },
      { from, table: gradient, begin },
      each(sums, (n) =>
        store(row, 16 * n, [
          ...get(value),
          ...get(pulls(n)),
          ...lane.multiply,
          ...load(row, 16 * n),
          ...lane.add,
        ]),
      ),
    ),
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
