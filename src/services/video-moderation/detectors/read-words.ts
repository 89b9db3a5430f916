/** Reads words in pictures with Tesseract, which runs in a process of its own and needs no network. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '#base/errors.ts';
import type { Picture } from '#engine/video/picture.ts';
import { HelperProcess } from './helper-process.ts';
import { pngOf } from './png.ts';

export interface WordsQuestion {
  /** Files with the data of each language. */
  readonly languages: Readonly<Record<string, string>>;
  readonly png: Uint8Array;
}

/** The lines that were read, with confidences from 0 to 100. */
export type WordsAnswer = readonly {
  readonly confidence: number;
  readonly words: readonly { readonly text: string; readonly confidence: number }[];
}[];

/** Lines below are mostly texture; words that stand alone are wrong more often. */
const leastLineConfidence = 62;
const leastWordConfidence = 35;
const mostLetters = 2000;
/** A process is replaced after so many pictures. */
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

const failed = (why: string) =>
  new AppError(503, 'words_not_read', `Words in pictures cannot be read: ${why}`.slice(0, 500));

export class WordReader implements Disposable {
  readonly #files: Readonly<Record<string, string>>;
  #process: HelperProcess<WordsQuestion, WordsAnswer> | undefined;
  #pictures = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param languages codes of Tesseract; those that are not installed are left out */
  constructor(languages: readonly string[]) {
    this.#files = Object.fromEntries(
      languages.flatMap((language) => {
        const file = languageFile(language);
        return file === undefined ? [] : [[language, file]];
      }),
    );
  }

  get languages(): readonly string[] {
    return Object.keys(this.#files);
  }

  /** The words in a picture, line by line; empty where there are none. @throws AppError 503 where nothing can be read */
  async read(picture: Picture, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.languages.length === 0)
      throw new AppError(503, 'no_language', 'No language for reading text in pictures is installed.');
    const mine = this.#last.then(() => {
      const png = pngOf(picture);
      return this.#open().ask({ languages: this.#files, png }, signal);
    });
    // One picture at a time; one that failed does not stop the others.
    this.#last = mine.catch(() => undefined);
    const lines = await mine;
    this.#replaceIfWorn();
    return lines
      .filter(({ confidence }) => confidence >= leastLineConfidence)
      .map(({ words }) =>
        words
          .filter(({ confidence }) => confidence >= leastWordConfidence)
          .map(({ text }) => text)
          .join(' '),
      )
      .filter((line) => /\p{L}{3}/u.test(line))
      .join('\n')
      .slice(0, mostLetters);
  }

  [Symbol.dispose](): void {
    this.#process?.[Symbol.dispose]();
    this.#process = undefined;
  }

  #open(): HelperProcess<WordsQuestion, WordsAnswer> {
    if (this.#process === undefined || this.#process.hasEnded) {
      this.#pictures = 0;
      this.#process = new HelperProcess(new URL('./words-process.ts', import.meta.url), failed);
    }
    this.#pictures += 1;
    return this.#process;
  }

  #replaceIfWorn(): void {
    if (this.#pictures >= mostPictures && this.#process?.waiting === 0) this[Symbol.dispose]();
  }
}
