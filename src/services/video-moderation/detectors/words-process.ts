/** Reads words in pictures, in a process of its own. Ends with ours. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorker, OEM, PSM, type Worker, type WorkerParams } from 'tesseract.js';
import { serveQuestions } from './helper-process.ts';
import type { ReadLine, WordsAnswer, WordsQuestion } from './read-words.ts';

/** Parts have few words and no layout, and their letters are dark already: nothing is read a second time turned over. */
const parameters: Partial<WorkerParams> & Record<string, string> = {
  tessedit_pageseg_mode: PSM.SPARSE_TEXT,
  invert_threshold: '0',
  // Sauvola’s: by the surroundings of each pixel, since backgrounds of captions change within a line.
  thresholding_method: '2',
};

/** As `nice` counts. */
const lowPriority = 10;

let worker: Promise<Worker> | undefined;

/** A process reads one set of languages, with one urgency. */
async function start({ languages, urgency }: WordsQuestion): Promise<Worker> {
  // Of this thread, and with it of the one that Tesseract starts.
  if (urgency === 'low') setPriority(lowPriority);
  // Tesseract looks for all its languages in one folder.
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-words-'));
  try {
    for (const [language, file] of Object.entries(languages))
      await symlink(file, join(folder, `${language}.traineddata.gz`));
    const started = await createWorker(Object.keys(languages), OEM.LSTM_ONLY, {
      langPath: folder,
      cacheMethod: 'none',
      gzip: true,
      // Without it an error in the thread would end the process; it rejects what was asked all the same.
      errorHandler: () => undefined,
    });
    await started.setParameters(parameters);
    return started;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function read(png: Uint8Array, question: WordsQuestion): Promise<ReadLine[]> {
  worker ??= start(question);
  const { data } = await (await worker).recognize(Buffer.from(png), {}, { text: false, blocks: true });
  return (data.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ confidence, words, bbox }) => ({
      confidence,
      left: bbox.x0,
      top: bbox.y0,
      bottom: bbox.y1,
      words: words.map(({ text, confidence: sure }) => ({ text, confidence: sure })),
    }));
}

serveQuestions<WordsQuestion, WordsAnswer>(async (question) => {
  const found: ReadLine[][] = [];
  for (const png of question.parts) found.push(await read(png, question));
  return found;
});
