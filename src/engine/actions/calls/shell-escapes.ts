const escapes = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|([0-7]{1,3})|(.))/gs;
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001B', a: '\u0007' };

/** Text with the escapes of `$'…'` and of printf: `\x72`, `\162`, `\n`. */
export const ansiText = (text: string): string =>
  text.replace(escapes, (_, hex?: string, code?: string, octal?: string, letter?: string) => {
    if (letter !== undefined) return letters[letter] ?? letter;
    const number = octal === undefined ? Number.parseInt(hex ?? code ?? '0', 16) : Number.parseInt(octal, 8);
    return String.fromCharCode(number);
  });
