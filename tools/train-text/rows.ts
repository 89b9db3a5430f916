/** Reads labelled rows: the data sets folder and our own rows in data/training. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { detectorIds } from '../../src/engine/text/label-ids.ts';

export { detectorIds };

export type Split = 'train' | 'dev' | 'eval' | 'final_only';

export interface LabelledRow {
  text: string;
  source: string;
  split: Split;
  /** One per detector: 1 present, 0 absent, -1 unknown. */
  labels: Int8Array;
  lang?: string | undefined;
  category?: string | undefined;
  context?: ContextTurn[] | undefined;
}

interface ContextTurn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

interface RawRow {
  text: string;
  labels: Record<string, 0 | 1 | null>;
  source?: string;
  split?: Split;
  lang?: string;
  category?: string;
  context?: ContextTurn[] | string;
}

/** The input files, for the manifest. */
export type Manifest = Record<string, string>;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const toRow = (raw: RawRow, source: string): LabelledRow => ({
  text: raw.text,
  source: raw.source ?? source,
  split: raw.split ?? 'train',
  labels: Int8Array.from(detectorIds, (id) => raw.labels[id] ?? -1),
  lang: raw.lang,
  category: raw.category,
  context: typeof raw.context === 'object' ? raw.context : undefined,
});

const parseLines = (bytes: Buffer, source: string) =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => toRow(JSON.parse(line) as RawRow, source));

/** All rows of `<folder>/text/*.jsonl.gz`, files in the order of their names. */
export function readDataSets(folder: string, manifest: Manifest = {}): LabelledRow[] {
  const files = readdirSync(join(folder, 'text'))
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort();
  return files.flatMap((name) => {
    const bytes = readFileSync(join(folder, 'text', name));
    manifest[`text/${name}`] = sha256(bytes);
    return parseLines(gunzipSync(bytes), basename(name, '.jsonl.gz'));
  });
}

/** Rows of a file, or of every `.jsonl` file of a folder; every tenth of a file is kept for tuning (`dev`). */
export function readOwnRows(folder: string, manifest: Manifest = {}): LabelledRow[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  return files.flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    manifest[`own/${name}`] = sha256(bytes);
    const source = `own/${basename(name, '.jsonl')}`;
    return parseLines(bytes, source).map((row) => ({ ...row, source, split: ownSplit(row.text) }));
  });
}

/** Chosen by the text itself, so that a row keeps its split when others are added. */
export const ownSplit = (text: string): Split =>
  (createHash('sha256').update(text).digest()[0] ?? 0) < 26 ? 'dev' : 'train';
