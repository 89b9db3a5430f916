/**
 * Generates our own training data: `node tools/training-data/generate.ts` writes data/training/<style>.jsonl and a
 * data card for every style of styles/. Equal sources give equal bytes.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { detectorIds } from '#engine/text/label-ids.ts';
import { Random } from '../../src/base/random.ts';
import { type DetectorId, type Row, type Style } from './style.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** The folder of the generated rows. */
export const trainingFolder = join(dirname(dirname(here)), 'data', 'training');

/** The folder of rows that the shipped weights were not trained on; `train.ts` does not read it. */
export const waitingFolder = join(trainingFolder, 'waiting');

export interface StyleFiles {
  name: string;
  folder: string;
  rows: Row[];
  jsonl: string;
  card: string;
}

/** Every style of styles/, by name; those that wait for the next training last, so that they take no row from the others. */
export async function loadStyles(): Promise<Style[]> {
  const styles: Style[] = [];
  for (const file of globSync('styles/*.ts', { cwd: here }).sort()) {
    const loaded: unknown = await import(pathToFileURL(join(here, file)).href);
    const { style } = loaded as { style?: Style };
    if (style === undefined) throw new TypeError(`${file} exports no style`);
    styles.push(style);
  }
  return styles.sort(
    (a, b) => Number(a.waiting ?? false) - Number(b.waiting ?? false) || (a.name < b.name ? -1 : 1),
  );
}

/**
 * The files of all styles. A text that an earlier style or row contains is dropped; the same text with other labels
 * is an error, because one of the two must be wrong.
 */
export function build(styles: readonly Style[]): StyleFiles[] {
  const seen = new Map<string, { style: string; row: Row }>();
  return styles.map((style) => {
    const rows = style.rows(new Random(seedOf(style.name))).filter((row) => {
      const key = normalised(row);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { style: style.name, row });
      else assertSameLabels(row, style.name, first);
      return first === undefined;
    });
    const jsonl = rows.map((row) => `${JSON.stringify(line(row, style.name))}\n`).join('');
    const folder = style.waiting === true ? waitingFolder : trainingFolder;
    return { name: style.name, folder, rows, jsonl, card: card(style, rows, jsonl) };
  });
}

/** Letters and digits of text and context in lower case: rows with the same key are duplicates. */
export const normalised = (row: Row): string =>
  [...(row.context ?? []).map((turn) => turn.content), row.text]
    .join('\n')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\n]+/gu, ' ')
    .trim();

/** How often each detector is 1, 0 and null in the rows. */
export function countLabels(
  rows: readonly Row[],
  id: DetectorId,
): { yes: number; no: number; unknown: number } {
  const yes = rows.filter((row) => row.labels[id] === 1).length;
  const unknown = rows.filter((row) => row.labels[id] === null).length;
  return { yes, no: rows.length - yes - unknown, unknown };
}

function line(row: Row, style: string): Record<string, unknown> {
  return {
    text: row.text,
    labels: Object.fromEntries(detectorIds.map((id) => [id, row.labels[id]])),
    style,
    ...(row.lang !== undefined && { lang: row.lang }),
    ...(row.context !== undefined && { context: row.context }),
  };
}

function assertSameLabels(row: Row, style: string, first: { style: string; row: Row }): void {
  const differing = detectorIds.filter((id) => row.labels[id] !== first.row.labels[id]);
  if (differing.length === 0) return;
  throw new Error(
    `${style} and ${first.style} label the same text differently (${differing.join(', ')}): ${row.text}`,
  );
}

/** FNV-1a hash of the name, so that a new style does not change the others. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

function card(style: Style, rows: readonly Row[], jsonl: string): string {
  const counts = detectorIds.map((id) => {
    const { yes, no, unknown } = countLabels(rows, id);
    return `| \`${id}\` | ${yes} | ${no} | ${unknown} |`;
  });
  const allZero = rows.filter((row) => detectorIds.every((id) => row.labels[id] === 0)).length;
  return `# ${style.name}

${style.about}

- Rows: ${rows.length}, of them ${allZero} harmless (0 for all nine detectors)
- Origin: written for this project; Apache-2.0 like the rest of the repository
${style.waiting === true ? '- Waiting: the shipped weights were not trained on these rows\n' : ''}- Make again: \`node tools/training-data/generate.ts\`
- SHA-256 of \`${style.name}.jsonl\`: \`${createHash('sha256').update(jsonl).digest('hex')}\`

| detector | present | absent | not known |
|---|---|---|---|
${counts.join('\n')}
`;
}

if (import.meta.main) {
  mkdirSync(waitingFolder, { recursive: true });
  for (const { name, folder, rows, jsonl, card: text } of build(await loadStyles())) {
    writeFileSync(join(folder, `${name}.jsonl`), jsonl);
    writeFileSync(join(folder, `${name}.md`), text);
    console.log(`${String(rows.length).padStart(6)}  ${name}`);
  }
}
