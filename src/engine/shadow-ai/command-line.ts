/** Spaces, an escaped quote, a text in quotes (whose end a log may have cut off), plain characters, or a backslash. */
const piece = /[ \t\n\r]+|\\(["'])|"((?:\\"|[^"])*)"?|'((?:\\"|[^'])*)'?|[^ \t\n\r"'\\]+|\\/g;

const unescaped = (quoted: string | undefined): string | undefined => quoted?.replaceAll('\\"', '"');

/**
 * The arguments of a command line, as far as a log has kept them: double and single quotes group, a backslash escapes a
 * quote alone, since on Windows it separates folders. One pass, at most `most` arguments.
 */
export function splitCommandLine(line: string, most = 400): string[] {
  // Most lines have no quotes.
  return /["']/.test(line) ? splitQuoted(line, most) : splitPlain(line, most);
}

function splitPlain(line: string, most: number): string[] {
  const words = line.split(/[ \t\n\r]+/, most + 1);
  if (words[0] === '') words.shift();
  if (words.at(-1) === '') words.pop();
  return words.slice(0, most);
}

function splitQuoted(line: string, most: number): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [text, escaped, inDouble, inSingle] of line.matchAll(piece)) {
    if (words.length >= most) return words;
    if (/^[ \t\n\r]/.test(text)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (escaped ?? unescaped(inDouble ?? inSingle) ?? text);
  }
  if (word !== undefined && words.length < most) words.push(word);
  return words;
}
