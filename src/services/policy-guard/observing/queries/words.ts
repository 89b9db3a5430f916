/**
 * Texts and searches as sets of numbers: what one index can answer in any script. A number represents a word of one
 * tenant on one day, so that tenants share no list in the index and no list grows beyond a day: the newest entries with a
 * word are found without those before them. Two words have the same number once in some four thousand million pairs: a
 * search may then find an entry too many.
 */

/** Different words of a text that can be found. */
const mostWords = 256;

/** Scripts that write no spaces; there each character and each pair is a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v;
const run =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|[[\p{L}\p{N}\p{M}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+/gv;

/** FNV-1a over UTF-16 code units, as a signed integer of 32 bits. */
function numberOf(word: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const seedOf = (tenantId: string) => numberOf(`${tenantId}/`, 0x811c9dc5);

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

function* wordsIn(text: string): Generator<string> {
  for (const [word] of folded(text).matchAll(run)) {
    if (!unspaced.test(word)) yield word;
    else yield* pairsIn(Array.from(word));
  }
}

function* pairsIn(characters: readonly string[]): Generator<string> {
  for (const [i, character] of characters.entries()) {
    yield character;
    const next = characters[i + 1];
    if (next !== undefined) yield character + next;
  }
}

/** The numbers of the first {@link mostWords} different words of the texts. */
export function wordNumbers(tenantId: string, ...texts: readonly string[]): number[] {
  const seed = seedOf(tenantId);
  const numbers = new Set<number>();
  for (const text of texts)
    for (const word of wordsIn(text)) {
      if (numbers.size === mostWords) return [...numbers];
      numbers.add(numberOf(word, seed));
    }
  return [...numbers];
}

const dayMs = 86_400_000;

/** The day (UTC) of a moment in Unix milliseconds, counted from 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** What turns a word's number into that of one day, by exclusive or. The database has the same as `key_of_day`. */
export const keyOfDay = (day: number): number => Math.imul(day, 0x9e3779b1);
