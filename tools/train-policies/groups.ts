import { Random } from '../../src/base/random.ts';

export interface GroupOptions {
  /** Numbers of a vector. */
  size: number;
  groups: number;
  /** The centres are found on this many of the most frequent words. */
  frequent: number;
  seed: number;
}

const turns = 12;

/** Groups of words by k-means of their directions (spherical k-means, Dhillon and Modha 2001). */
export function groupWords(rows: Float32Array, { size, groups, frequent, seed }: GroupOptions): Uint16Array {
  const count = rows.length / size;
  const unit = unitRows(rows, size);
  const centres = new Float32Array(groups * size);
  const starts = new Random(seed).sample([...Array(frequent).keys()], groups);
  starts.forEach((row, g) => centres.set(unit.subarray(row * size, (row + 1) * size), g * size));
  const own = new Uint16Array(count);
  const assign = (upTo: number) => {
    for (let r = 0; r < upTo; r++) own[r] = nearestCentre(unit, r * size, centres, size);
  };
  for (let turn = 0; turn < turns; turn++) {
    assign(frequent);
    moveCentres(centres, unit, own, { size, frequent });
  }
  assign(count);
  return own;
}

function unitRows(rows: Float32Array, size: number): Float32Array {
  const unit = new Float32Array(rows.length);
  for (let at = 0; at < rows.length; at += size) {
    let norm = 1e-9;
    for (let k = 0; k < size; k++) norm += (rows[at + k] ?? 0) ** 2;
    for (let k = 0; k < size; k++) unit[at + k] = (rows[at + k] ?? 0) / Math.sqrt(norm);
  }
  return unit;
}

function nearestCentre(unit: Float32Array, at: number, centres: Float32Array, size: number): number {
  let best = -Infinity;
  let nearest = 0;
  for (let from = 0; from < centres.length; from += size) {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += (unit[at + k] ?? 0) * (centres[from + k] ?? 0);
    if (sum > best) [best, nearest] = [sum, from / size];
  }
  return nearest;
}

/** Each centre to the mean direction of its words; one without words stays. */
function moveCentres(
  centres: Float32Array,
  unit: Float32Array,
  own: Uint16Array,
  { size, frequent }: { size: number; frequent: number },
): void {
  const sums = new Float64Array(centres.length);
  for (let r = 0; r < frequent; r++) {
    const to = (own[r] ?? 0) * size;
    for (let k = 0; k < size; k++) sums[to + k] = (sums[to + k] ?? 0) + (unit[r * size + k] ?? 0);
  }
  for (let from = 0; from < centres.length; from += size) {
    let norm = 0;
    for (let k = 0; k < size; k++) norm += (sums[from + k] ?? 0) ** 2;
    if (norm === 0) continue;
    for (let k = 0; k < size; k++) centres[from + k] = (sums[from + k] ?? 0) / Math.sqrt(norm);
  }
}
