import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type VectorOptions, type WordVectors, trainVectors } from './vectors.ts';

/** Of everything that the vectors follow from but the corpus, which does not change. */
function keyOf(options: VectorOptions): string {
  const text = JSON.stringify({ ...options, unseen: [...options.unseen] });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Word vectors, read from the folder if an earlier run with the same texts stored them there, otherwise trained. For development. */
export async function cachedVectors(
  folder: string | undefined,
  options: VectorOptions,
): Promise<WordVectors> {
  if (folder === undefined) return trainVectors(options);
  const name = join(folder, `vectors-${keyOf(options)}`);
  if (existsSync(`${name}.json`)) {
    const about = JSON.parse(readFileSync(`${name}.json`, 'utf8')) as Omit<WordVectors, 'rows'>;
    const bytes = readFileSync(`${name}.bin`);
    return { ...about, rows: new Float32Array(Uint8Array.from(bytes).buffer) };
  }
  const vectors = await trainVectors(options);
  mkdirSync(folder, { recursive: true });
  const { words, counts, size, rows } = vectors;
  writeFileSync(`${name}.json`, JSON.stringify({ words, counts, size }));
  writeFileSync(`${name}.bin`, new Uint8Array(rows.buffer));
  return vectors;
}
