/** Reads words in pictures with Tesseract, which runs in a thread of its own and needs no network. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { AppError } from '#base/errors.ts';
import type { Picture } from '#engine/video/picture.ts';
import { pngOf } from './png.ts';

/** Lines below are mostly texture; words that stand alone are wrong more often. */
const leastLineConfidence = 62;
const leastWordConfidence = 35;
const mostLetters = 2000;
/** A reader is replaced after so many pictures. */
const mostPictures = 5000;

const require = createRequire(import.meta.url);

/** Where the data of a language is; undefined where its package is not installed. */
export function languageFile(language: string): string | undefined {
  try {
    const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
    return join(folder, '4.0.0_best_int', `${language}.traineddata.gz`);
  } catch {
    return undefined;
  }
}

export class WordReader implements AsyncDisposable {
  readonly #languages: readonly string[];
  #worker: Promise<Worker> | undefined;
  #pictures = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param languages codes of Tesseract; those that are not installed are left out */
  constructor(languages: readonly string[]) {
    this.#languages = languages.filter((language) => languageFile(language) !== undefined);
  }

  get languages(): readonly string[] {
    return this.#languages;
  }

  /** The words in a picture, line by line; empty where there are none. @throws AppError 503 where nothing can be read */
  async read(picture: Picture, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const mine = this.#last.then(async () => {
      signal.throwIfAborted();
      const worker = await this.#open();
      const { data } = await worker.recognize(pngOf(picture), {}, { text: false, blocks: true });
      return data.blocks ?? [];
    });
    // One picture at a time; one that failed does not stop the others.
    this.#last = mine.catch(() => undefined);
    const blocks = await mine;
    await this.#renew();
    const lines = blocks
      .flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
      .filter(({ confidence }) => confidence >= leastLineConfidence)
      .map(({ words }) =>
        words
          .filter(({ confidence }) => confidence >= leastWordConfidence)
          .map(({ text }) => text)
          .join(' '),
      )
      .filter((line) => /\p{L}{3}/u.test(line));
    return lines.join('\n').slice(0, mostLetters);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker?.catch(() => undefined))?.terminate();
  }

  #open(): Promise<Worker> {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  async #start(): Promise<Worker> {
    if (this.#languages.length === 0)
      throw new AppError(503, 'no_language', 'No language for reading text in pictures is installed.');
    // Tesseract looks for all its languages in one folder.
    const folder = await mkdtemp(join(tmpdir(), 'bulwark-words-'));
    try {
      for (const language of this.#languages)
        await symlink(languageFile(language) ?? '', join(folder, `${language}.traineddata.gz`));
      return await createWorker([...this.#languages], OEM.LSTM_ONLY, {
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

  async #renew(): Promise<void> {
    this.#pictures += 1;
    if (this.#pictures < mostPictures) return;
    this.#pictures = 0;
    await this[Symbol.asyncDispose]();
  }
}
