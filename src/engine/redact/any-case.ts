/** The words of a pattern with a small or a capital first letter; what stands in brackets stays. */
export const anyCase = (words: string): string =>
  words.replaceAll(
    /(?<![\p{L}\\\]])(?<!\[[^\]]*)\p{Ll}/gu,
    (letter) => `[${letter}${letter.toUpperCase()}]`,
  );
