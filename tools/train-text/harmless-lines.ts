import { readDocuments } from './corpus.ts';
import { type LabelledRow, detectorIds } from './rows.ts';

interface HarmlessSource {
  file: string;
  rows: number;
  /** Length of the part of a document that becomes one row. */
  unit: 'document' | 'line' | 'chunk';
  /** Detectors whose labels stay unknown: the file contains such text without labels. */
  unknown?: readonly string[];
}

/** Corpus files whose text is harmless for all nine detectors, except for lines that a first model leaves out. */
const sources: readonly HarmlessSource[] = [
  { file: 'polyai-utterances.txt.xz', rows: 4000, unit: 'line' },
  { file: 'taskmaster.txt.xz', rows: 1500, unit: 'chunk' },
  { file: 'schema-guided-dialogue.txt.xz', rows: 4000, unit: 'chunk' },
  { file: 'medquad.txt.xz', rows: 4000, unit: 'line' },
  { file: 'query-wellformedness.txt.xz', rows: 5000, unit: 'line' },
  { file: 'servicenow-docs.txt.xz', rows: 4000, unit: 'chunk' },
  { file: 'open-source-docs.txt.xz', rows: 4000, unit: 'chunk' },
  { file: 'aider-chat.txt.xz', rows: 1500, unit: 'chunk' },
  { file: 'open-trivia.txt.xz', rows: 3000, unit: 'line' },
  { file: 'wikipedia-questions.txt.xz', rows: 2000, unit: 'chunk' },
  { file: 'eips.txt.xz', rows: 800, unit: 'chunk' },
  { file: 'owasp.txt.xz', rows: 800, unit: 'chunk', unknown: ['prompt_injection', 'jailbreak'] },
  { file: 'eltec-eng.txt.xz', rows: 1200, unit: 'chunk' },
  { file: 'eltec-fra.txt.xz', rows: 1200, unit: 'chunk' },
  { file: 'eltec-deu.txt.xz', rows: 1200, unit: 'chunk' },
  { file: 'eltec-spa.txt.xz', rows: 1200, unit: 'chunk' },
  { file: 'eltec-por.txt.xz', rows: 800, unit: 'chunk' },
  { file: 'eltec-ita.txt.xz', rows: 800, unit: 'chunk' },
  { file: 'reddit-other-languages.txt.xz', rows: 800, unit: 'chunk' },
  { file: 'docs-other-languages.txt.xz', rows: 2000, unit: 'chunk' },
  { file: 'xquad.txt.xz', rows: 2000, unit: 'chunk' },
  { file: 'chatterbot.txt.xz', rows: 1500, unit: 'line' },
  { file: 'prompts-book.txt.xz', rows: 1200, unit: 'chunk', unknown: ['prompt_injection', 'jailbreak'] },
];

export const harmlessFiles: readonly string[] = sources.map(({ file }) => file);

function piecesOf(document: string, unit: HarmlessSource['unit'], turn: number): string[] {
  if (unit === 'document') return [document.slice(0, 1500)];
  const lines = document.split('\n').filter((line) => line.trim().length >= 8);
  if (unit === 'line') return lines.slice(0, 2).map((line) => line.slice(0, 400));
  // Chunks have different lengths, so that length carries no information.
  const size = [120, 300, 700][turn % 3] ?? 300;
  const begin = Math.max(0, Math.min(lines.length - 1, (turn * 7) % Math.max(1, lines.length)));
  const text = lines
    .slice(begin, begin + 12)
    .join('\n')
    .slice(0, size)
    .trim();
  return text.length >= 20 ? [text] : [];
}

/**
 * Harmless rows from the corpus, spread over each file: nine in ten for training, one in ten (`dev`) for setting
 * thresholds. Lines that equal an evaluation row are left out.
 */
export async function harmlessLines(corpus: string, unseen: ReadonlySet<string>): Promise<LabelledRow[]> {
  const rows: LabelledRow[] = [];
  for (const { file, rows: wanted, unit, unknown } of sources) {
    const labels = Int8Array.from(detectorIds, (id) => (unknown?.includes(id) === true ? -1 : 0));
    const source = `corpus/${file.replace('.txt.xz', '')}`;
    const found: string[] = [];
    let turn = 0;
    for await (const document of readDocuments(corpus, file)) found.push(...piecesOf(document, unit, turn++));
    const step = Math.max(1, found.length / wanted);
    for (let at = 0, taken = 0; at < found.length; at += step, taken++) {
      const text = found[Math.floor(at)] ?? '';
      if (unseen.has(text.toLowerCase().trim())) continue;
      rows.push({ text, source, split: taken % 10 === 9 ? 'dev' : 'train', labels });
    }
  }
  return rows;
}
