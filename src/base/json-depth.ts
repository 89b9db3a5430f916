/**
 * Nesting limit for JSON input: recursive code, such as `JSON.stringify`, overflows the
 * stack at some thousand levels.
 */
export const deepestJson = 500;

const quote = 34;
const backslash = 92;
const openSquare = 91;
const closeSquare = 93;
const openCurly = 123;
const closeCurly = 125;

/** The end of the string that starts at `start`; the text's end if unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Whether JSON text nests deeper than {@link deepestJson}, without parsing it. */
export function nestsTooDeep(text: string): boolean {
  // Each level takes two characters, so short texts need no check.
  if (text.length <= 2 * deepestJson) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === openSquare || sign === openCurly) {
      depth += 1;
      if (depth > deepestJson) return true;
    } else if (sign === closeSquare || sign === closeCurly) depth -= 1;
  }
  return false;
}
