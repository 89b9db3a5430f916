/** Twins of `data/training/twins`: a text to find, and a harmless one of the same subject and words. */
import { readFileSync } from 'node:fs';
import { jsonLines } from '../json-lines.ts';
import { type LabelledRow, detectorIds } from '../train-text/rows.ts';

interface Twin {
  harmful: string;
  /** Short names of detectors, in the order of `shortNames`. */
  as: string[];
  harmless: string;
}

const shortNames = ['gen', 'hate', 'jb', 'pi', 'viol', 'prof', 'sex', 'ill', 'self'];

/** The rows of a file of twins; what `as` does not name is unknown in the harmful text and absent in the harmless one. */
export function readTwins(path: string): { harmful: LabelledRow[]; harmless: LabelledRow[] } {
  const twins = jsonLines(readFileSync(path, 'utf8')) as Twin[];
  const row = (text: string, labels: Int8Array): LabelledRow => ({
    text,
    source: 'twins',
    split: 'eval',
    labels,
  });
  return {
    harmful: twins.map(({ harmful, as }) =>
      row(
        harmful,
        Int8Array.from(shortNames, (name) => (as.includes(name) ? 1 : -1)),
      ),
    ),
    harmless: twins.map(({ harmless }) => row(harmless, new Int8Array(detectorIds.length))),
  };
}
