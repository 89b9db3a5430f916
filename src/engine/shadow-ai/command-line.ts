/**
 * The arguments of a command line, as far as a log has kept them: double and single quotes group, a backslash escapes a
 * quote alone, since on Windows it separates folders. One pass, at most `most` arguments.
 */
// oxlint-disable-next-line eslint/complexity -- one pass over the words with a few states; in parts it is harder to follow
export function splitCommandLine(line: string, most = 400): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let begun = false;
  for (let i = 0; i < line.length && words.length < most; i += 1) {
    const char = line.charAt(i);
    if (char === '\\' && (line[i + 1] === '"' || (quote === '' && line[i + 1] === "'"))) {
      word += line.charAt((i += 1));
      begun = true;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      begun = true;
    } else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') {
      if (begun) words.push(word);
      word = '';
      begun = false;
    } else {
      word += char;
      begun = true;
    }
  }
  if (begun && words.length < most) words.push(word);
  return words;
}
