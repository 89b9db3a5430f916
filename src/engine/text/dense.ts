/*
 * The hot loops. Each function created here is a closure over its tables: V8 then knows
 * their location and length, which halves the time compared with passing them as arguments.
 */

/** Row of `table` at `from` times `by`, whose length is a multiple of four: four sums, so that none waits for another. */
export function dot(table: Float64Array, from: number, by: Float64Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let k = 0; k < by.length; k += 4) {
    a += (table[from + k] ?? 0) * (by[k] ?? 0);
    b += (table[from + k + 1] ?? 0) * (by[k + 1] ?? 0);
    c += (table[from + k + 2] ?? 0) * (by[k + 2] ?? 0);
    d += (table[from + k + 3] ?? 0) * (by[k + 3] ?? 0);
  }
  return a + b + (c + d);
}

/** The rows of a table two by two, the numbers of both in turns. */
function inPairs(table: Float32Array, width: number): Float64Array {
  const pairs = new Float64Array(table.length);
  for (let row = 0; row * width < table.length; row++)
    for (let k = 0; k < width; k++)
      pairs[(row - (row % 2)) * width + 2 * k + (row % 2)] = table[row * width + k] ?? 0;
  return pairs;
}

/**
 * The first layer of a net: `dot` of each row of a table of an even number of rows with `by`, and the row's bias, none
 * below zero, into `out`. Two rows at once read `by` half as often.
 */
export function layerOf(
  table: Float32Array,
  bias: Float32Array,
  by: Float64Array,
  out: Float64Array,
): () => void {
  const pairs = inPairs(table, by.length);
  const [width, height] = [by.length, out.length];
  // oxlint-disable-next-line complexity -- each `??` is counted as a branch, and there is none
  return () => {
    let at = 0;
    for (let row = 0; row < height; row += 2) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let e = 0;
      let f = 0;
      let g = 0;
      let h = 0;
      for (let k = 0; k < width; k += 4, at += 8) {
        const first = by[k] ?? 0;
        const second = by[k + 1] ?? 0;
        const third = by[k + 2] ?? 0;
        const fourth = by[k + 3] ?? 0;
        a += (pairs[at] ?? 0) * first;
        e += (pairs[at + 1] ?? 0) * first;
        b += (pairs[at + 2] ?? 0) * second;
        f += (pairs[at + 3] ?? 0) * second;
        c += (pairs[at + 4] ?? 0) * third;
        g += (pairs[at + 5] ?? 0) * third;
        d += (pairs[at + 6] ?? 0) * fourth;
        h += (pairs[at + 7] ?? 0) * fourth;
      }
      out[row] = Math.max(0, (bias[row] ?? 0) + (a + b + (c + d)));
      out[row + 1] = Math.max(0, (bias[row + 1] ?? 0) + (e + f + (g + h)));
    }
  };
}

/** Rows of numbers in eight bits, each row with the scale that makes them what they stand for. */
interface ScaledRows {
  vectors: Int8Array;
  vectorScales: Float32Array;
}

/** Pools the rows named by `rows[from]` to `rows[to]`. */
export type Pool = (rows: Int32Array, from: number, to: number) => void;

/**
 * For each column the sum, the sum of the positive parts of what is `shift` higher, and the largest of that, into the
 * three thirds of `out`. Two columns at once, whose sums stay in registers; the positive part is taken without a branch,
 * which would go either way.
 */
export function poolOf({ vectors, vectorScales }: ScaledRows, shift: Float64Array, out: Float64Array): Pool {
  const width = shift.length;
  const poolPair = (rows: Int32Array, from: number, to: number, column: number): void => {
    const lift = shift[column] ?? 0;
    const nextLift = shift[column + 1] ?? 0;
    let sum = 0;
    let nextSum = 0;
    let parts = 0;
    let nextParts = 0;
    let most = to > from ? -1e9 : 0;
    let nextMost = most;
    for (let t = from; t < to; t++) {
      const row = rows[t] ?? 0;
      const scale = vectorScales[row] ?? 0;
      const at = row * width + column;
      const value = (vectors[at] ?? 0) * scale;
      const nextValue = (vectors[at + 1] ?? 0) * scale;
      const moved = value + lift;
      const nextMoved = nextValue + nextLift;
      sum += value;
      nextSum += nextValue;
      parts += (moved + Math.abs(moved)) / 2;
      nextParts += (nextMoved + Math.abs(nextMoved)) / 2;
      if (moved > most) most = moved;
      if (nextMoved > nextMost) nextMost = nextMoved;
    }
    out[column] = sum;
    out[column + 1] = nextSum;
    out[width + column] = parts;
    out[width + column + 1] = nextParts;
    out[width * 2 + column] = most;
    out[width * 2 + column + 1] = nextMost;
  };
  return (rows, from, to) => {
    for (let column = 0; column < width; column += 2) poolPair(rows, from, to, column);
  };
}

/** Adds up the rows `ids[from]` to `ids[to]`. */
export type SumRows = (ids: Int32Array, from: number, to: number) => void;

/** Sums of rows of a table whose number of columns is a multiple of three, three columns at once, into `out`. */
export function sumRowsOf(table: Int8Array, out: Int32Array): SumRows {
  const width = out.length;
  const addThree = (ids: Int32Array, from: number, to: number, column: number): void => {
    let a = 0;
    let b = 0;
    let c = 0;
    for (let at = from; at < to; at++) {
      const base = (ids[at] ?? 0) * width + column;
      a += table[base] ?? 0;
      b += table[base + 1] ?? 0;
      c += table[base + 2] ?? 0;
    }
    out[column] = a;
    out[column + 1] = b;
    out[column + 2] = c;
  };
  return (ids, from, to) => {
    for (let column = 0; column < width; column += 3) addThree(ids, from, to, column);
  };
}
