import { WordReader } from './read-words.ts';

/** One reader for each set of languages: each holds some 150 MB, and is opened when it is first needed. */
export class WordReaders implements Disposable {
  readonly #readers = new Map<string, WordReader>();

  for(languages: readonly string[]): WordReader {
    const key = languages.toSorted().join('+');
    const reader = this.#readers.get(key) ?? new WordReader(languages);
    this.#readers.set(key, reader);
    return reader;
  }

  [Symbol.dispose](): void {
    for (const reader of this.#readers.values()) reader[Symbol.dispose]();
  }
}
