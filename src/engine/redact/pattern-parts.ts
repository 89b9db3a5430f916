/** Parts of patterns for languages in the Latin script. */

/** Its letters, for a class that stands before a word: much faster to test than all letters of Unicode. */
export const latin = 'A-Za-zÀ-ɏ';

/** The words of a pattern with a small or a capital first letter; what stands in brackets stays. */
export const anyCase = (words: string): string =>
  words.replaceAll(/(?<![\p{L}\\\]])(?<!\[[^\]]*)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
