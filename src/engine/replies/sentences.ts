export interface Sentence {
  readonly text: string;
  /** Offsets in the text that was split, in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Part of a numbered or bulleted list. */
  readonly inList: boolean;
  /** Inside a fenced block of code. */
  readonly inCode: boolean;
}

const bullet =
  /^\s*(?:[-*•·–]|\(?\d{1,2}[.):]|\(?[a-z][.)]|#{1,5}\s|(?:step|schritt|etape|paso|passo|stap|шаг) ?\d)/iu;
const most = 2000;

/**
 * The sentences of a text, line by line. Abbreviations end one too often rather than too rarely: every sentence is
 * looked at, so a cut in the wrong place costs little. Linear.
 */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  let at = 0;
  let inCode = false;
  for (const line of text.split('\n')) {
    const fence = line.trimStart().startsWith('```');
    if (fence) inCode = !inCode;
    const inList = bullet.test(line);
    if (inCode || fence) add(line, at, { inList: false, inCode: true });
    else
      for (const match of line.matchAll(
        /[^.!?。！？]+(?:[.!?](?!\s|$|["')\]*])[^.!?。！？]*)*[.!?。！？]*["')\]*]*/g,
      ))
        add(match[0], at + match.index, { inList, inCode: false });
    at += line.length + 1;
    if (found.length >= most) break;
  }
  return found;

  function add(raw: string, from: number, marks: { inList: boolean; inCode: boolean }): void {
    const text = raw.trim();
    if (!/\p{L}/u.test(text)) return;
    const start = from + raw.indexOf(text);
    found.push({ text, start, end: start + text.length, ...marks });
  }
}
