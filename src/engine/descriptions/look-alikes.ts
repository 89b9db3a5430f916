/** Letters of other scripts that look like Latin ones: a name that has them can be taken for another name. */
import { confusable } from '#engine/text/confusables.ts';
import { fold } from '#engine/text/fold.ts';

/** Scripts with letters that look like Latin ones. */
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
/** Letters of Latin as other blocks have them: full width, and those of mathematics. */
const styled = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/gu;
const latin = /\p{Script=Latin}/u;
const ascii = /^[\0-\x7F]*$/;

const looksLatin = (letter: string): boolean =>
  foreign.test(letter) && confusable(letter.toLowerCase().charCodeAt(0)) !== 0;

/**
 * The letters by which a name can be taken for another one, each once: styled ones, and those of another script in a word
 * with Latin ones, which nobody writes. In an identifier, with no space in it, a word of several such letters alone counts
 * where another word is Latin; a single one is a symbol (σ_max).
 */
export function lookAlikesIn(name: string): string[] {
  if (ascii.test(name)) return [];
  const found: string[] = name.match(styled) ?? [];
  const isIdentifier = !/\s/.test(name) && latin.test(name);
  for (const word of name.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const letters = Array.from(word);
    const alike = letters.filter(looksLatin);
    const isWhole = isIdentifier && letters.length > 1 && alike.length === letters.length;
    if (latin.test(word) || isWhole) found.push(...alike);
  }
  return [...new Set(found)];
}

/** The name as somebody takes it who does not look closely: such letters are Latin ones; others stay. */
export const asLatin = (name: string): string =>
  Array.from(fold(name).text)
    .map((letter) => {
      const unit = confusable(letter.charCodeAt(0));
      return unit === 0 ? letter : String.fromCharCode(unit);
    })
    .join('');
