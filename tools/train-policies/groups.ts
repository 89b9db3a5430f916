import { Random } from '../../src/engine/evaluation/random.ts';

/**
 * Groups of words by k-means of their directions (spherical k-means, Dhillon and Modha 2001). The centres are found on
 * the most frequent words.
 */
export function groupWords(
  rows: Float32Array,
  { size, groups, frequent, seed }: { size: number; groups: number; frequent: number; seed: number },
): Uint16Array {
  const count = rows.length / size;
  const unit = new Float32Array(rows.length);
  for (let r = 0; r < count; r++) {
    let norm = 1e-9;
    for (let k = 0; k < size; k++) norm += rows[r * size + k]! ** 2;
    for (let k = 0; k < size; k++) unit[r * size + k] = rows[r * size + k]! / Math.sqrt(norm);
  }
  const random = new Random(seed);
  const centres = new Float32Array(groups * size);
  const starts = random.sample([...Array(frequent).keys()], groups);
  starts.forEach((row, g) => centres.set(unit.subarray(row * size, (row + 1) * size), g * size));
  const own = new Uint16Array(count);
  const assign = (upTo: number) => {
    for (let r = 0; r < upTo; r++) {
      let best = -Infinity;
      for (let g = 0; g < groups; g++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += unit[r * size + k]! * centres[g * size + k]!;
        if (sum <= best) continue;
        best = sum;
        own[r] = g;
      }
    }
  };
  for (let turn = 0; turn < 12; turn++) {
    assign(frequent);
    const sums = new Float64Array(groups * size);
    for (let r = 0; r < frequent; r++)
      for (let k = 0; k < size; k++) sums[own[r]! * size + k] = sums[own[r]! * size + k]! + unit[r * size + k]!;
    for (let g = 0; g < groups; g++) {
      let norm = 0;
      for (let k = 0; k < size; k++) norm += sums[g * size + k]! ** 2;
      if (norm === 0) continue;
      for (let k = 0; k < size; k++) centres[g * size + k] = sums[g * size + k]! / Math.sqrt(norm);
    }
  }
  assign(count);
  return own;
}
