/** A command as somebody types it or copies it from a README, and the list of its parts that a process is started with. */

interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  /** What cannot be read, such as a quotation mark without its end. */
  readonly problem?: string;
}

/**
 * The next piece: white space; what stands in single quotes; what stands in double quotes, with `\"` and `\\`; an
 * escaped character; plain characters.
 */
const piece = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy;

const unescaped = (quoted: string): string => quoted.replace(/\\(["\\$`])/gu, '$1');

/** What the pieces between white space say together. */
function textOf([, , single, double, escaped, plain]: RegExpExecArray): string {
  if (double !== undefined) return unescaped(double);
  return single ?? escaped ?? plain ?? '';
}

const problemAt = (text: string, at: number): string =>
  text[at] === '\\'
    ? 'It ends with a lone \\.'
    : `The quotation mark at “${text.slice(at, at + 20)}” has no end.`;

/** Splits as a shell does, without running one: no variables, no pipes. */
export function readCommandLine(text: string): CommandLine {
  const parts: string[] = [];
  let part: string | undefined;
  let problem: string | undefined;
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length && problem === undefined) {
    const at = piece.lastIndex;
    const found = piece.exec(text);
    if (found === null) problem = problemAt(text, at);
    else if (found[1] === undefined) part = (part ?? '') + textOf(found);
    else if (part !== undefined) {
      parts.push(part);
      part = undefined;
    }
  }
  if (part !== undefined) parts.push(part);
  const [command = '', ...args] = parts;
  return { command, args, ...(problem !== undefined && { problem }) };
}

const needsQuotes = (part: string) => part === '' || /[\s'"\\]/u.test(part);

/** The line that {@link readCommandLine} reads as these parts. */
export const commandLineOf = (parts: readonly string[]): string =>
  parts.map((part) => (needsQuotes(part) ? `'${part.replaceAll("'", String.raw`'\''`)}'` : part)).join(' ');
