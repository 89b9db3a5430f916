/**
 * As much of WebAssembly's binary format as `convolution.ts` needs: functions without results over one memory, with
 * instructions on 128 bits. Codes: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */

export type Code = readonly number[];

/** An unsigned number in LEB128: seven bits a byte, the low ones first. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low + 128);
  } while (rest > 0);
  return bytes;
}

/** A signed number in LEB128, from `-2^31` to `2^31 - 1`. */
function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 127;
    const isLast = rest >> 6 === 0 || rest >> 6 === -1;
    bytes.push(isLast ? low : low | 128);
    if (isLast) return bytes;
  }
}

const vector = (code: number): Code => [0xfd, ...unsigned(code)];
const counted = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const sized = (code: Code): Code => [...unsigned(code.length), ...code];

/** Instructions on whole numbers and of control. */
const op = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  number: 0x41,
  isBelow: 0x49,
  add: 0x6a,
} as const;
/** A loop leaves nothing behind. */
const noValue = 0x40;

export const get = (local: number): Code => [op.get, ...unsigned(local)];
export const set = (local: number): Code => [op.set, ...unsigned(local)];
/** `to = from + by`, all whole numbers. */
export const offset = (to: number, from: number, by: number): Code => [
  ...get(from),
  op.number,
  ...signed(by),
  op.add,
  ...set(to),
];
/** `local += by` */
export const advance = (local: number, by: number): Code => offset(local, local, by);
/** Does `body` at least once, and again while `local` is below `end`. */
export const repeatWhileBelow = (local: number, end: number, body: Code): Code => [
  op.loop,
  noValue,
  ...body,
  ...get(local),
  ...get(end),
  op.isBelow,
  op.branchIf,
  0,
  op.end,
];
/** Loads 16 bytes at `local + bytes`. */
export const load = (local: number, bytes: number): Code => [
  ...get(local),
  ...vector(0x00),
  0,
  ...unsigned(bytes),
];
/** Stores what `value` leaves at `local + bytes`. */
export const store = (local: number, bytes: number, value: Code): Code => [
  ...get(local),
  ...value,
  ...vector(0x0b),
  0,
  ...unsigned(bytes),
];

/** How numbers lie in 128 bits. */
export interface Lanes {
  /** Bytes of a number. */
  bytes: 4 | 8;
  /** Type of one number. */
  type: number;
  /** Loads one number at the address on the stack into all lanes. */
  loadSplat: Code;
  splat: Code;
  add: Code;
  multiply: Code;
  /** The larger one, lane by lane. */
  larger: Code;
}

export const lanes: Readonly<Record<'f32' | 'f64', Lanes>> = {
  f32: {
    bytes: 4,
    type: 0x7d,
    loadSplat: [...vector(0x09), 0, 0],
    splat: vector(0x13),
    add: vector(0xe4),
    multiply: vector(0xe6),
    larger: vector(0xe9),
  },
  f64: {
    bytes: 8,
    type: 0x7c,
    loadSplat: [...vector(0x0a), 0, 0],
    splat: vector(0x14),
    add: vector(0xf0),
    multiply: vector(0xf2),
    larger: vector(0xf5),
  },
};

/** `\0asm`, version 1 */
const magic: Code = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
export const wholeNumber = 0x7f;
const bits = 0x7b;

export interface WasmFunction {
  name: string;
  /** Types of the parameters, which are the first locals. */
  parameters: readonly number[];
  /** Locals behind them: whole numbers, then vectors. */
  wholeNumbers: number;
  vectors: number;
  body: Code;
}

/** A module with these functions and a memory of `pages` pages (64 KiB each), all exported. */
export function wasmModule(functions: readonly WasmFunction[], pages: number): Uint8Array<ArrayBuffer> {
  const name = (text: string) => sized([...Buffer.from(text)]);
  const section = (id: number, items: readonly Code[]): Code => [id, ...sized(counted(items))];
  const types = functions.map(({ parameters }) => [0x60, ...sized(parameters), 0]);
  const bodies = functions.map(({ wholeNumbers, vectors, body }) =>
    sized([
      ...counted([
        [...unsigned(wholeNumbers), wholeNumber],
        [...unsigned(vectors), bits],
      ]),
      ...body,
      op.end,
    ]),
  );
  return Uint8Array.from([
    ...magic,
    ...section(1, types),
    ...section(
      3,
      functions.map((_, at) => unsigned(at)),
    ),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [
      [...name('memory'), 2, 0],
      ...functions.map((each, at) => [...name(each.name), 0, ...unsigned(at)]),
    ]),
    ...section(10, bodies),
  ]);
}
