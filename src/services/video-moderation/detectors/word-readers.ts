import { WordReader, type Urgency } from './read-words.ts';

/**
 * One reader for each set of languages and each urgency: a reader holds some 150 MB, and is opened when it is first needed.
 */
export class WordReaders implements Disposable {
  readonly #readers = new Map<string, WordReader>();

  for(languages: readonly string[], urgency: Urgency = 'normal'): WordReader {
    const key = `${languages.toSorted().join('+')} ${urgency}`;
    const reader = this.#readers.get(key) ?? new WordReader(languages, urgency);
    this.#readers.set(key, reader);
    return reader;
  }

  [Symbol.dispose](): void {
    for (const reader of this.#readers.values()) reader[Symbol.dispose]();
  }
}
