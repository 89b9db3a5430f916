/** Reads words in pictures, in a process of its own. Ends with ours. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { serveQuestions } from './helper-process.ts';
import type { WordsAnswer, WordsQuestion } from './read-words.ts';

let worker: Promise<Worker> | undefined;

/** A process reads one set of languages. */
async function start(languages: WordsQuestion['languages']): Promise<Worker> {
  // Tesseract looks for all its languages in one folder.
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-words-'));
  try {
    for (const [language, file] of Object.entries(languages))
      await symlink(file, join(folder, `${language}.traineddata.gz`));
    return await createWorker(Object.keys(languages), OEM.LSTM_ONLY, {
      langPath: folder,
      cacheMethod: 'none',
      gzip: true,
      // Without it an error in the thread would end the process; it rejects what was asked all the same.
      errorHandler: () => undefined,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

serveQuestions<WordsQuestion, WordsAnswer>(async ({ languages, png }) => {
  worker ??= start(languages);
  const { data } = await (await worker).recognize(Buffer.from(png), {}, { text: false, blocks: true });
  return (data.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ confidence, words }) => ({
      confidence,
      words: words.map(({ text, confidence: sure }) => ({ text, confidence: sure })),
    }));
});
