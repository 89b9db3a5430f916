/** Policies of one sentence with a few texts each, in data/training/policies/pairs: many subjects rather than many texts. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PolicyCase } from './cases.ts';

interface RawPair {
  policy: string;
  violating: string[];
  near: string[];
  /** English where it is not named. */
  language?: string;
}

/** The pairs of every `.jsonl` file of a folder; hashes of the files go into `manifest`. They have no trade. */
export function readPairs(folder: string, manifest: Record<string, string> = {}): PolicyCase[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  return files.flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    const hand = basename(name, '.jsonl');
    manifest[`policies/pairs/${name}`] = createHash('sha256').update(bytes).digest('hex');
    const lines = bytes.toString('utf8').split('\n');
    return lines
      .filter((line) => line !== '')
      .map((line): PolicyCase => {
        const { policy, violating, near, language = 'en' } = JSON.parse(line) as RawPair;
        return {
          source: { name: '', description: policy, blockActivities: [], safeActivities: [] },
          texts: { violating, plain: [], near, other: [] },
          hand,
          trade: '',
          language,
          heldOut: false,
        };
      });
  });
}
