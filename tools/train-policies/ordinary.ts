/** Ordinary text of the corpus, which no custom policy is about: for training it as harmless, and for false alarms. */
import { createHash } from 'node:crypto';
import { readDocuments } from '../train-text/corpus.ts';

interface OrdinarySource {
  file: string;
  /** Number of texts that are trained on, from other documents than those measured; 0: the source is for measuring only. */
  trained: number;
  /** How many documents to read before stopping. */
  documents: number;
}

const sources: readonly OrdinarySource[] = [
  { file: 'goemotions.txt.xz', trained: 900, documents: 20_000 },
  { file: 'reddit-titles.txt.xz', trained: 900, documents: 40_000 },
  { file: 'reddit-posts.txt.xz', trained: 600, documents: 12_000 },
  { file: 'schema-guided-dialogue.txt.xz', trained: 500, documents: 8000 },
  { file: 'ubuntu-irc.txt.xz', trained: 300, documents: 4000 },
  { file: 'medquad.txt.xz', trained: 300, documents: 8000 },
  { file: 'counsel-chat.txt.xz', trained: 300, documents: 3000 },
  { file: 'servicenow-docs.txt.xz', trained: 300, documents: 5000 },
  { file: 'reddit-other-languages.txt.xz', trained: 200, documents: 800 },
  { file: 'docs-other-languages.txt.xz', trained: 200, documents: 1800 },
  { file: 'polyai-utterances.txt.xz', trained: 0, documents: 20_000 },
  { file: 'taskmaster.txt.xz', trained: 0, documents: 3000 },
  { file: 'model-written-statements.txt.xz', trained: 0, documents: 50_000 },
  { file: 'wikipedia-questions.txt.xz', trained: 0, documents: 6000 },
  { file: 'open-source-docs.txt.xz', trained: 0, documents: 6000 },
  { file: 'chatterbot.txt.xz', trained: 0, documents: 5000 },
];

/** Corpus files that ordinary text comes from. */
export const ordinaryFiles: readonly string[] = sources.map(({ file }) => file);

export interface OrdinaryText {
  text: string;
  source: string;
  /** Whether it is for training; otherwise it is for measuring only. */
  trained: boolean;
}

const longest = 300;

/** A part of a document of up to 300 characters that ends with a line or a word. */
function pieceOf(document: string): string | undefined {
  const lines = document.split('\n').filter((line) => line.trim().length >= 12);
  if (lines.length === 0) return undefined;
  const first = Math.floor(lines.length / 3);
  const piece = lines
    .slice(first, first + 3)
    .join('\n')
    .slice(0, longest);
  const cut = piece.length < longest ? piece : piece.slice(0, Math.max(40, piece.lastIndexOf(' ')));
  return cut.trim().length < 12 ? undefined : cut.trim();
}

const measuredOfEach = 80;
const isMeasured = (text: string) => (createHash('sha256').update(text).digest()[0] ?? 0) < 64;

/** Spread over each file; which texts are measured is decided by the hash of the document. */
export async function readOrdinary(corpus: string): Promise<OrdinaryText[]> {
  const found: OrdinaryText[] = [];
  for (const { file, trained, documents } of sources) {
    const [measure, train]: [string[], string[]] = [[], []];
    let read = 0;
    for await (const document of readDocuments(corpus, file)) {
      if (read++ >= documents) break;
      const piece = pieceOf(document);
      if (piece !== undefined) (trained === 0 || isMeasured(document) ? measure : train).push(piece);
    }
    const source = file.replace('.txt.xz', '');
    const take = (texts: readonly string[], wanted: number, isTrained: boolean) => {
      for (let i = 0; i < Math.min(wanted, texts.length); i++)
        found.push({
          text: texts[Math.floor((i * texts.length) / Math.min(wanted, texts.length))] ?? '',
          source,
          trained: isTrained,
        });
    };
    take(measure, measuredOfEach, false);
    take(train, trained, true);
  }
  return found;
}
