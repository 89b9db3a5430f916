/** How well built-in detectors judge, as the model card says it: `data/models/README.md`, table of the metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelId } from './label-ids.ts';
import type { DetectorSlug } from './types.ts';

/** How well a detector tells what violates from what does not. */
export interface DetectorQuality {
  /** The public data set that it was measured on. */
  readonly source: string;
  readonly violating: number;
  readonly harmless: number;
  /** Area under the ROC curve. */
  readonly quality: number;
  /** Share of violations that is found at probability .5, and of harmless texts that is flagged. */
  readonly found: number;
  readonly flagged: number;
}

/** Of each detector a set of English texts that is not made for near misses. */
const sources: Readonly<Record<DetectorSlug, string>> = {
  'general-harmful-content': 'ailuminate_demo_en',
  'hate-bias-discrimination': 'stormfront',
  'jailbreak-attempt': 'authensor',
  'prompt-injection': 'bipia_test',
  'violence-abuse': 'ailuminate_demo_en',
  'profanity-offensive-language': 'surge_toxicity',
  'sexual-suggestive': 'ailuminate_demo_en',
  'unethical-illegal': 'ailuminate_demo_en',
  'suicide-self-harm': 'ailuminate_demo_en',
};

const card = join(import.meta.dirname, '../../../data/models/README.md');

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

type Row = Readonly<Record<string, string>>;

/** The rows of the first table of the card that begins with these columns, by their columns. */
function tableOf(text: string, columns: readonly string[]): Row[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => columns.every((name, i) => cellsOf(line)[i] === name));
  if (start === -1) throw new Error(`${card} has no table with the columns ${columns.join(', ')}.`);
  const names = cellsOf(lines[start] ?? '');
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end === -1 ? undefined : end)
    .map((line) => Object.fromEntries(cellsOf(line).map((cell, i) => [names[i] ?? '', cell])));
}

let rows: readonly Row[] | undefined;

/**
 * What was measured of a built-in detector, in English.
 * @throws Error when the card does not say it
 */
export function detectorQuality(slug: DetectorSlug): DetectorQuality {
  rows ??= tableOf(readFileSync(card, 'utf8'), ['set', 'detector']);
  const source = sources[slug];
  const id = labelId(slug);
  const row = rows.find(({ set, detector }) => set === source && detector === id);
  const figure = (column: string): number => {
    // `1661 shared` are rows that other sets are measured against too.
    const value = Number.parseFloat(row?.[column] ?? '');
    if (Number.isNaN(value)) throw new Error(`${card} has no '${column}' of ${id} in ${source}.`);
    return value;
  };
  return {
    source,
    violating: figure('pos'),
    harmless: figure('neg'),
    quality: figure('AUROC'),
    found: figure('recall at .5'),
    flagged: figure('false positives at .5'),
  };
}
