/** Policies of one sentence with a few texts each, in data/training/policies/pairs: many subjects rather than many texts. */
import type { PolicyCase } from './cases.ts';
import { readHands } from './hands.ts';

interface RawPair {
  policy: string;
  violating: string[];
  near: string[];
  /** Violations in the policy's own words, and harmless texts within its subject. */
  plain?: string[];
  other?: string[];
  /** English where it is not named. */
  language?: string;
}

/** The pairs of every `.jsonl` file of a folder; hashes of the files go into `manifest`. They have no trade. */
export const readPairs = (folder: string, manifest: Record<string, string> = {}): PolicyCase[] =>
  readHands(folder, 'policies/pairs', manifest).flatMap(({ hand, rows }) =>
    (rows as RawPair[]).map(({ policy, violating, near, plain = [], other = [], language = 'en' }) => ({
      source: { name: '', description: policy, blockActivities: [], safeActivities: [] },
      texts: { violating, plain, near, other },
      hand,
      trade: '',
      language,
      heldOut: false,
    })),
  );
