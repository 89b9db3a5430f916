/** One sentence, or one line, of a text. */
export interface Sentence {
  text: string;
  /** What stands right before it: `:` after "do the following:", `(` inside brackets, else empty. */
  after: string;
}

const maxText = 100_000;
const maxSentences = 1500;
const maxLength = 1200;

const isSpace = (unit: number) => unit <= 32;
const isUpper = (char: string) => char !== char.toLowerCase() && char === char.toUpperCase();
const isLower = (char: string) => char !== char.toUpperCase() && char === char.toLowerCase();

/** A new line ends a sentence, unless the next line is the folded rest of it (indented, no list mark, no key). */
function endsAtNewline(text: string, at: number): boolean {
  let next = at + 1;
  while (text.charAt(next) === ' ' || text.charAt(next) === '\t') next++;
  if (next - at <= 2) return true;
  const rest = text.slice(next, next + 40);
  return rest === '' || /^(?:[-*•\n<]|\d+[.)]|[\w ]{1,20}:(?:\s|$))/.test(rest);
}

function endsAtMark(text: string, at: number): boolean {
  const next = text.charAt(at + 1);
  if (next === '' || isSpace(next.charCodeAt(0))) return true;
  if ('"\')]<'.includes(next)) return true;
  return (
    text.charAt(at) !== ':' &&
    isUpper(next) &&
    isLower(text.charAt(at + 2) || 'a') &&
    !isUpper(text.charAt(at - 1))
  );
}

const closers = new Set(['.', '!', '?', ';', '。']);
const walls: Readonly<Record<string, string>> = {
  '<': '',
  '>': '',
  '{': '',
  '}': '',
  '|': '',
  '(': '(',
  '[': '(',
  ')': '',
  ']': '',
};

/** What kind of break stands here: undefined for none, else what the next sentence comes after. */
function breakAt(text: string, at: number): string | undefined {
  const char = text.charAt(at);
  const wall = walls[char];
  if (wall !== undefined) return wall;
  if (closers.has(char)) return endsAtMark(text, at) ? '' : undefined;
  if (char === '\n') return endsAtNewline(text, at) ? '' : undefined;
  if (char === ':') return endsAtMark(text, at) ? ':' : undefined;
  const dash = char === '-' && text.charAt(at + 1) === ' ' && isSpace(text.charCodeAt(at - 1));
  return dash ? ':' : undefined;
}

/** Cuts a text into sentences. Linear; bounded in number and length. */
export function sentencesOf(source: string): Sentence[] {
  const text = source
    .slice(0, maxText)
    .replaceAll('\\n', '\n')
    .replaceAll('\r', '')
    .replaceAll(/\[[ xX]\]/g, ' ');
  const found: Sentence[] = [];
  let from = 0;
  let after = '';
  for (let at = 0; at <= text.length && found.length < maxSentences; at++) {
    const mark = at === text.length || at - from >= maxLength ? '' : breakAt(text, at);
    if (mark === undefined) continue;
    const piece = text.slice(from, at).replaceAll(/\s+/g, ' ').trim();
    if (piece.length >= 3) found.push({ text: piece, after });
    if (piece.length > 0 || mark !== '') after = mark;
    from = at + 1;
  }
  return found;
}
