/** Reads words in pictures with Tesseract, which runs in a process of its own and needs no network. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '#base/errors.ts';
import type { Picture } from '#engine/video/picture.ts';
import type { Region } from '#engine/video/text-regions.ts';
import { textStrip } from '#engine/video/text-strip.ts';
import { HelperProcess } from './helper-process.ts';
import { greyPngOf } from './png.ts';

/** `low`: with the time that others leave. Decoders and image models of live streams cannot wait, words can. */
export type Urgency = 'normal' | 'low';

export interface WordsQuestion {
  /** Files with the data of each language. */
  readonly languages: Readonly<Record<string, string>>;
  readonly urgency: Urgency;
  /** Parts of one picture, each a PNG. */
  readonly parts: readonly Uint8Array[];
}

/** The lines that were read in each part, with confidences from 0 to 100. */
export type WordsAnswer = readonly (readonly ReadLine[])[];

export interface ReadLine {
  readonly confidence: number;
  /** Where it is in its part, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly words: readonly { readonly text: string; readonly confidence: number }[];
}

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

/** Pieces of one line beside each other, lines below each other. */
const inReadingOrder = (a: ReadLine, b: ReadLine): number => {
  const overlap = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const isOneLine = overlap > Math.min(a.bottom - a.top, b.bottom - b.top) / 2;
  return isOneLine ? a.left - b.left : a.top - b.top;
};

const failed = (why: string) =>
  new AppError(503, 'words_not_read', `Words in pictures cannot be read: ${why}`.slice(0, 500));

export class WordReader implements Disposable {
  readonly #files: Readonly<Record<string, string>>;
  readonly #urgency: Urgency;
  #process: HelperProcess<WordsQuestion, WordsAnswer> | undefined;
  #pictures = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param languages codes of Tesseract; those that are not installed are left out */
  constructor(languages: readonly string[], urgency: Urgency = 'normal') {
    this.#urgency = urgency;
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

  /**
   * The words in these regions of a picture, line by line; empty where there are none.
   * @throws AppError 503 where nothing can be read
   */
  async read(picture: Picture, regions: readonly Region[], signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.languages.length === 0)
      throw new AppError(503, 'no_language', 'No language for reading text in pictures is installed.');
    const mine = this.#last.then(() => {
      const parts = regions.map((region) => greyPngOf(textStrip(picture, region)));
      return this.#open().ask({ languages: this.#files, urgency: this.#urgency, parts }, signal);
    });
    // One picture at a time; one that failed does not stop the others.
    this.#last = mine.catch(() => undefined);
    const parts = await mine;
    this.#replaceIfWorn();
    return parts
      .flatMap((lines) => lines.toSorted(inReadingOrder))
      .filter(({ confidence }) => confidence >= leastLineConfidence)
      .map(({ words }) =>
        words
          .filter(({ confidence }) => confidence >= leastWordConfidence)
          // A capital I that stands alone is read as a bar.
          .map(({ text }) => (text === '|' ? 'I' : text))
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
