/** Twins of `data/training/twins`: a text to find, and a harmless one of the same subject and words. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonLines } from '../json-lines.ts';
import { type LabelledRow, type Manifest, type Split, detectorIds, ownSplit } from './rows.ts';

interface Twin {
  harmful: string;
  /** Short names of detectors, in the order of `shortNames`. */
  as: string[];
  harmless: string;
  /** Harmless too, but for foul language. */
  rough?: string;
}

const shortNames = ['gen', 'hate', 'jb', 'pi', 'viol', 'prof', 'sex', 'ill', 'self'];

/** Labels of a text to find: what `as` does not name is unknown. */
export const labelsOf = (as: readonly string[]): Int8Array =>
  Int8Array.from(shortNames, (name) => (as.includes(name) ? 1 : -1));

/** Foul, and nothing else that is known; whether foul language is harm in general is left open. */
const roughLabels = Int8Array.from(shortNames, (name) => (name === 'prof' ? 1 : name === 'gen' ? -1 : 0));

export interface Twins {
  harmful: LabelledRow[];
  harmless: LabelledRow[];
  rough: LabelledRow[];
}

/**
 * The rows of a file of twins.
 * @param splitOf by the text to find, so that twins are in one split
 */
export function readTwins(path: string, source: string, splitOf: (text: string) => Split): Twins {
  const twins = jsonLines(readFileSync(path, 'utf8')) as Twin[];
  const row = (twin: Twin, text: string, labels: Int8Array): LabelledRow => ({
    text,
    source,
    split: splitOf(twin.harmful),
    labels,
  });
  return {
    harmful: twins.map((twin) => row(twin, twin.harmful, labelsOf(twin.as))),
    harmless: twins.map((twin) => row(twin, twin.harmless, new Int8Array(detectorIds.length))),
    rough: twins.flatMap((twin) => (twin.rough === undefined ? [] : [row(twin, twin.rough, roughLabels)])),
  };
}

/** Nothing learns from these: one is kept for measuring; with the others more of what people ordinarily write is flagged. */
const measuring: ReadonlySet<string> = new Set(['kept.jsonl', 'direct.jsonl', 'praise.jsonl']);

/** All twins of a folder that the detectors learn from, as rows of `own/twins-<file>`. */
export function readTwinRows(folder: string, manifest: Manifest = {}): LabelledRow[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && !measuring.has(name));
  return files.sort().flatMap((name) => {
    const path = join(folder, name);
    manifest[`twins/${name}`] = createHash('sha256').update(readFileSync(path)).digest('hex');
    const { harmful, harmless, rough } = readTwins(path, `own/twins-${basename(name, '.jsonl')}`, ownSplit);
    return [...harmful, ...harmless, ...rough];
  });
}
