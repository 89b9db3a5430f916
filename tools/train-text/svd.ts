import { Random } from '../../src/base/random.ts';

/** A sparse matrix by rows: the entries of row r are `from[r]` to `from[r + 1]`. */
export interface Sparse {
  rows: number;
  columns: number;
  from: Int32Array;
  column: Uint16Array;
  value: Float32Array;
}

type Dense = Float32Array;

/** `matrix` times `dense` (columns x width), row by row. */
function times(matrix: Sparse, dense: Dense, width: number): Dense {
  const out = new Float32Array(matrix.rows * width);
  for (let row = 0; row < matrix.rows; row++) {
    const base = row * width;
    const last = matrix.from[row + 1] ?? 0;
    for (let at = matrix.from[row] ?? 0; at < last; at++) {
      const value = matrix.value[at] ?? 0;
      const other = (matrix.column[at] ?? 0) * width;
      for (let k = 0; k < width; k++) out[base + k] = (out[base + k] ?? 0) + value * (dense[other + k] ?? 0);
    }
  }
  return out;
}

/** The transpose of `matrix` times `dense` (rows x width). */
function timesTransposed(matrix: Sparse, dense: Dense, width: number): Dense {
  const out = new Float32Array(matrix.columns * width);
  for (let row = 0; row < matrix.rows; row++) {
    const base = row * width;
    const last = matrix.from[row + 1] ?? 0;
    for (let at = matrix.from[row] ?? 0; at < last; at++) {
      const value = matrix.value[at] ?? 0;
      const other = (matrix.column[at] ?? 0) * width;
      for (let k = 0; k < width; k++) out[other + k] = (out[other + k] ?? 0) + value * (dense[base + k] ?? 0);
    }
  }
  return out;
}

/** Makes the columns orthonormal in place (modified Gram–Schmidt, on a transposed copy for speed). */
function orthonormalise(dense: Dense, rows: number, width: number): void {
  const columns = Array.from({ length: width }, (_, k) =>
    Float64Array.from({ length: rows }, (__, r) => dense[r * width + k] ?? 0),
  );
  for (let k = 0; k < width; k++) {
    const own = columns[k] ?? new Float64Array(0);
    scaleToUnit(own);
    for (let j = k + 1; j < width; j++) removePart(columns[j] ?? own, own);
  }
  columns.forEach((column, k) => column.forEach((value, r) => (dense[r * width + k] = value)));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function scaleToUnit(vector: Float64Array): void {
  const norm = Math.sqrt(dot(vector, vector)) || 1;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / norm;
}

function removePart(from: Float64Array, unit: Float64Array): void {
  const share = dot(from, unit);
  for (let i = 0; i < from.length; i++) from[i] = (from[i] ?? 0) - share * (unit[i] ?? 0);
}

/** Eigenvalues and vectors of a small symmetric matrix (Jacobi's method), largest first. */
function eigen(matrix: Float64Array[], size: number): { values: number[]; vectors: Float64Array[] } {
  const a = matrix.map((row) => Float64Array.from(row));
  const v = a.map((_, i) => Float64Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 12; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, p, q);
  const order = a.map((row, i) => [row[i] ?? 0, i] as const).sort((x, y) => y[0] - x[0]);
  return {
    values: order.map(([value]) => value),
    vectors: order.map(([, i]) => Float64Array.from(v, (row) => row[i] ?? 0)),
  };
}

function rotate(a: Float64Array[], v: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [a[p], a[q]];
  if (rowP === undefined || rowQ === undefined) return;
  const turning = turningFor(rowP[p] ?? 0, rowQ[q] ?? 0, rowP[q] ?? 0);
  if (turning === undefined) return;
  const { c, s } = turning;
  for (const row of a) turn(row, p, q, turning);
  for (let k = 0; k < rowP.length; k++) {
    const [x, y] = [rowP[k] ?? 0, rowQ[k] ?? 0];
    rowP[k] = c * x - s * y;
    rowQ[k] = s * x + c * y;
  }
  for (const row of v) turn(row, p, q, turning);
}

interface Turning {
  c: number;
  s: number;
}

/** The rotation that makes the off-diagonal entry `apq` zero; undefined if it is already negligible. */
function turningFor(app: number, aqq: number, apq: number): Turning | undefined {
  if (Math.abs(apq) < 1e-12) return undefined;
  const theta = (aqq - app) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  return { c, s: t * c };
}

function turn(row: Float64Array, p: number, q: number, { c, s }: Turning): void {
  const [x, y] = [row[p] ?? 0, row[q] ?? 0];
  row[p] = c * x - s * y;
  row[q] = s * x + c * y;
}

/**
 * The first `rank` left singular vectors times the square roots of their singular values, rows x rank
 * (Halko, Martinsson and Tropp 2011: randomised range finder with two power steps).
 */
export function leftSingular(matrix: Sparse, rank: number, seed: number, log: (line: string) => void): Dense {
  const width = rank + 12;
  const random = new Random(seed);
  let right: Dense = Float32Array.from({ length: matrix.columns * width }, () => random.normal());
  let left = times(matrix, right, width);
  for (let step = 0; step < 2; step++) {
    orthonormalise(left, matrix.rows, width);
    right = timesTransposed(matrix, left, width);
    orthonormalise(right, matrix.columns, width);
    left = times(matrix, right, width);
    log(`power step ${step + 1}`);
  }
  orthonormalise(left, matrix.rows, width);
  const small = timesTransposed(matrix, left, width);
  const gram = Array.from({ length: width }, () => new Float64Array(width));
  for (let c = 0; c < matrix.columns; c++)
    for (let i = 0; i < width; i++) {
      const value = small[c * width + i] ?? 0;
      const row = gram[i];
      if (row !== undefined)
        for (let j = 0; j < width; j++) row[j] = (row[j] ?? 0) + value * (small[c * width + j] ?? 0);
    }
  const { values, vectors } = eigen(gram, width);
  return project(left, { values, vectors }, matrix.rows, rank);
}

function project(
  left: Dense,
  { values, vectors }: { values: number[]; vectors: Float64Array[] },
  rows: number,
  rank: number,
): Dense {
  const width = rank + 12;
  const out = new Float32Array(rows * rank);
  for (let k = 0; k < rank; k++) {
    const vector = vectors[k];
    const root = Math.sqrt(Math.sqrt(Math.max(0, values[k] ?? 0)));
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += (left[r * width + i] ?? 0) * (vector?.[i] ?? 0);
      out[r * rank + k] = sum * root;
    }
  }
  return out;
}
