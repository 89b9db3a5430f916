/** Reads the unlabelled corpus: xz files with one document per line. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Corpus files used for word vectors, with the maximum number of tokens of each (in millions). */
export const vectorSources: readonly (readonly [file: string, millions: number])[] = [
  ['reddit-posts.txt.xz', 16],
  ['reddit-posts.2.txt.xz', 10],
  ['reddit-titles.txt.xz', 4],
  ['goemotions.txt.xz', 2],
  ['counsel-chat.txt.xz', 2],
  ['ubuntu-irc.txt.xz', 2],
  ['schema-guided-dialogue.txt.xz', 2],
  ['taskmaster.txt.xz', 1],
  ['aider-chat.txt.xz', 1],
  ['model-written-statements.txt.xz', 2],
  ['polyai-utterances.txt.xz', 1],
  ['query-wellformedness.txt.xz', 1],
  ['open-trivia.txt.xz', 2],
  ['medquad.txt.xz', 4],
  ['wikipedia-questions.txt.xz', 1],
  ['asqa-wikipedia.txt.xz', 1],
  ['servicenow-docs.txt.xz', 1.5],
  ['open-source-docs.txt.xz', 3],
  ['owasp.txt.xz', 1],
  ['splunk-security.txt.xz', 1],
  ['scp-wiki.txt.xz', 2],
  ['novels-100.txt.xz', 2],
  ['eltec-eng.txt.xz', 5],
];

/**
 * The documents of one file, in order, with their line breaks restored.
 *
 * @throws Error when the `xz` program is missing or the file is broken
 */
export async function* readDocuments(folder: string, file: string): AsyncGenerator<string> {
  const child = spawn('xz', ['-dc', join(folder, file)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity }))
      yield line.replaceAll('\\n', '\n');
  } finally {
    // A reader that has enough stops early; xz must not wait for it.
    child.kill();
  }
  const status = await ended;
  if (status !== 0 && status !== null) throw new Error(`xz ended with status ${status} on ${file}`);
}

/** SHA-256 of each corpus file that training reads, for the manifest. */
export function hashCorpus(folder: string, files: readonly string[]): Record<string, string> {
  const hashes = files.map((file) => [
    `corpus/${file}`,
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex'),
  ]);
  return Object.fromEntries(hashes) as Record<string, string>;
}
