import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from './calibrate.ts';

interface Stored extends Omit<Measured, 'linear' | 'net' | 'labels'> {
  linear: number[];
  net: number[];
  labels: number[];
}

/**
 * Logits of left-out groups, read from the folder if an earlier run stored them there, otherwise computed. For
 * development.
 */
export async function cachedFolds(
  folder: string | undefined,
  make: () => Promise<Measured[]>,
): Promise<Measured[]> {
  if (folder === undefined) return make();
  const path = join(folder, 'folds.json');
  if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as Stored[]).map(revive);
  const made = await make();
  const stored = made.map((row) => ({
    ...row,
    linear: [...row.linear],
    net: [...row.net],
    labels: [...row.labels],
  }));
  writeFileSync(path, JSON.stringify(stored));
  return made;
}

const revive = (row: Stored): Measured => ({
  ...row,
  linear: Float64Array.from(row.linear),
  net: Float64Array.from(row.net),
  labels: Int8Array.from(row.labels),
});
