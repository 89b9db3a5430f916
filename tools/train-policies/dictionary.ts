/** Words of other languages that share the row of the English word that they mean. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { KnownWords } from '../../src/engine/text/known-words.ts';
import type { WordVectors } from '../train-text/vectors.ts';

/** One line of the dictionary: an English word and words that mean it. */
interface Entry {
  english: string;
  others: readonly string[];
}

/** Tab-separated: an English word, then for each language words that are separated by `|`. */
export function readDictionary(file: string, manifest: Record<string, string>): Entry[] {
  const bytes = readFileSync(file);
  manifest['policies/dictionary.tsv'] = createHash('sha256').update(bytes).digest('hex');
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [english = '', ...cells] = line.split('\t');
      const others = cells.flatMap((cell) => cell.split('|').map((word) => word.trim()));
      return { english, others: others.filter((word) => word !== '') };
    });
}

export interface AliasedWords {
  /** Words with a row of their own, most frequent first. */
  own: string[];
  /** Words that share the row of another, and that row. */
  aliases: string[];
  rows: Uint16Array;
  known: KnownWords;
}

/**
 * Takes the words of the dictionary out of `words`, and gives each the row of the English word that is first met with
 * it. A word that is English too keeps its own.
 * @param wordsOf how texts are split: a translation of several words is left out
 */
export function aliasWords(
  words: readonly string[],
  entries: readonly Entry[],
  isEnglish: (word: string) => boolean,
  wordsOf: (text: string) => readonly string[],
): AliasedWords {
  const known = new Set(words);
  const meaning = new Map<string, string>();
  for (const { english, others } of entries) {
    if (!known.has(english)) continue;
    for (const other of others) {
      const [word = '', ...more] = wordsOf(other);
      if (more.length > 0 || word === '' || word === english || isEnglish(word)) continue;
      if (!meaning.has(word)) meaning.set(word, english);
    }
  }
  const own = words.filter((word) => !meaning.has(word));
  const rowOf = new Map(own.map((word, row) => [word, row] as const));
  const aliases = [...meaning].filter(([, english]) => rowOf.has(english));
  const rows = Uint16Array.from(aliases, ([, english]) => rowOf.get(english) ?? 0);
  const names = aliases.map(([word]) => word);
  return { own, aliases: names, rows, known: new KnownWords([...own, ...names], own.length, rows) };
}

/** The vectors of the words with a row of their own. */
export function ownRows({ words, counts, rows, size }: WordVectors, { own }: AliasedWords): WordVectors {
  const place = new Map(words.map((word, w) => [word, w] as const));
  const kept = own.map((word) => place.get(word) ?? 0);
  const table = new Float32Array(kept.length * size);
  kept.forEach((w, row) => table.set(rows.subarray(w * size, (w + 1) * size), row * size));
  return { words: own, counts: kept.map((w) => counts[w] ?? 0), rows: table, size };
}

/** Words that stand in two texts or more. */
export function commonWords(texts: readonly (readonly string[])[]): Set<string> {
  const [once, more] = [new Set<string>(), new Set<string>()];
  for (const words of texts) for (const word of new Set(words)) (once.has(word) ? more : once).add(word);
  return more;
}
