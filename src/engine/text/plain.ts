import { decodeEscapes } from './decode-escapes.ts';
import { findPayloads } from './decode-payload.ts';
import { lettersEnd } from './strange-words.ts';
import type { Vocabulary } from './vocabulary.ts';
import { UnitReader } from './word-table.ts';

const printable = /^[\x20-\x7e\n\r\t]*$/;
/** Letters beside digits or signs that stand for letters, and single letters in a row. */
const disguised =
  /[a-z][\d@$|+*#]|[\d@$|+*#!(][a-z](?![a-z]*[) ])|(?:(?<![a-z])[a-z][^a-z\n]{1,3}){3}(?<![a-z])[a-z](?![a-z])/i;
const shortest = 4;
const commonWords = 25_000;
const reader = new UnitReader();

/**
 * Whether the text is nothing but words of the vocabulary, in the open: nothing is encoded, escaped, written with signs
 * or set apart, and no word is strange. Says at a fiftieth of the cost of an analysis that there is one way to read it.
 */
export function readsPlainly(text: string, vocabulary: Vocabulary): boolean {
  if (!printable.test(text) || disguised.test(text)) return false;
  if (decodeEscapes(text) !== undefined || findPayloads(text).length > 0) return false;
  const units = reader.read(text.toLowerCase());
  for (let at = 0; at < units.length;) {
    const end = lettersEnd(units, at);
    if (end - at >= shortest && !vocabulary.knowsAt(units, at, end, commonWords)) return false;
    at = end + 1;
  }
  return true;
}
