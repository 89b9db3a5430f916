/** Rows of the files of a folder, each of which was written by one hand. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonLines } from '../json-lines.ts';

export interface Hand {
  /** The file's name without its ending. */
  hand: string;
  rows: unknown[];
}

/** Every `.jsonl` file of a folder by its name; the hash of each goes into `manifest` as `<label>/<name>`. */
export function readHands(folder: string, label: string, manifest: Record<string, string>): Hand[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  return names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    manifest[`${label}/${name}`] = createHash('sha256').update(bytes).digest('hex');
    return { hand: basename(name, '.jsonl'), rows: jsonLines(bytes.toString('utf8')) };
  });
}
