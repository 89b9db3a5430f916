/**
 * Text of users, models and attackers as a page may have it: what would be invisible, would turn the line around or
 * speak to a terminal is shown as its code point, and nothing is left out in silence.
 */

/** A piece of text; `isEscape` marks the escaped form of a character that is not shown itself. */
export interface TextPiece {
  text: string;
  isEscape: boolean;
}

/**
 * Control characters (but for the line end), format characters (bidirectional overrides, zero-width, tags), lone
 * surrogates, private and unassigned code points, line and paragraph separators, and all else that fonts leave blank.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const mark = /\p{M}/u;
const emoji = /\p{Extended_Pictographic}/u;
const emojiStyle = 0xfe0f;
/** No script stacks more marks on a letter; piles of them draw over the lines around. */
const mostMarks = 4;
const tabWidth = 4;

/** The code point as text: `U+202E`. */
export const codePointName = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The pieces of a text, in order. Line ends of all kinds become `\n`, a tab becomes spaces; the sign that asks for the
 * coloured form of the emoji before it says nothing on paper and is the one character that goes.
 */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let [shown, marks, before] = ['', 0, ''];
  const escape = (name: string) => {
    if (shown !== '') pieces.push({ text: shown, isEscape: false });
    shown = '';
    pieces.push({ text: name, isEscape: true });
  };
  for (const character of text.replaceAll('\r\n', '\n')) {
    const codePoint = character.codePointAt(0) ?? 0;
    marks = mark.test(character) ? marks + 1 : 0;
    if (character === '\n') shown += '\n';
    else if (character === '\t') shown += ' '.repeat(tabWidth);
    else if (codePoint === emojiStyle && emoji.test(before)) marks = 0;
    else if (marks > mostMarks || hidden.test(character)) escape(codePointName(codePoint));
    else shown += character;
    before = character;
  }
  if (shown !== '') pieces.push({ text: shown, isEscape: false });
  return pieces;
}

/** The same as one string, for places that have no colour of their own: `‹U+202E›`. */
export const visibleText = (text: string): string =>
  visiblePieces(text)
    .map((piece) => (piece.isEscape ? `‹${piece.text}›` : piece.text))
    .join('');

/** A text of at most `limit` characters; if it is cut, its end states how many are missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Not between the halves of a character.
  const half = text.charCodeAt(limit - 1);
  const end = half >= 0xd800 && half <= 0xdbff ? limit - 1 : limit;
  const left = text.length - end;
  return `${text.slice(0, end)}… [${left.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters left out]`;
}
