/** A reply in the form in which it is judged; the raw reply stays with whoever stores it. */
import { isInvisible } from '../text/fold.ts';

export interface ReadReply {
  /** What the model says: NFKC, without thoughts, emojis, invisible characters and stray combining marks. */
  readonly text: string;
  /** What it says between tags for thoughts, in the same form; an empty string if there are none. */
  readonly thoughts: string;
}

/** Longer replies are judged by this many characters of their beginning. */
export const mostCharacters = 200_000;

const thoughtNames =
  'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue';
const opening = new RegExp(`<(${thoughtNames})>|<\\|channel\\|>analysis<\\|message\\|>|◁think▷`, 'i');
const closing = new RegExp(
  `</(?:${thoughtNames})>|<\\|channel\\|>final<\\|message\\|>|<\\|end\\|>|◁/think▷`,
  'i',
);
const markers = /<\|(?:start|end|return|im_end|eot_id|channel|message)\|>(?:assistant|final)?/g;

/**
 * Splits off thoughts. A closing tag without an opening one ends thoughts that began with the reply (some chat
 * templates write the opening tag themselves); an opening tag that is never closed leaves no answer.
 */
function withoutThoughts(raw: string): { said: string; thoughts: string } {
  let said = '';
  let thoughts = '';
  let rest = raw;
  const strayEnd = closing.exec(rest);
  const firstStart = opening.exec(rest);
  if (strayEnd !== null && (firstStart === null || strayEnd.index < firstStart.index)) {
    thoughts = rest.slice(0, strayEnd.index);
    rest = rest.slice(strayEnd.index + strayEnd[0].length);
  }
  for (;;) {
    const start = opening.exec(rest);
    if (start === null) return { said: said + rest, thoughts };
    said += rest.slice(0, start.index);
    const inside = rest.slice(start.index + start[0].length);
    const end = closing.exec(inside);
    thoughts += `${thoughts === '' ? '' : '\n'}${end === null ? inside : inside.slice(0, end.index)}`;
    if (end === null) return { said, thoughts };
    rest = inside.slice(end.index + end[0].length);
  }
}

// Digits, # and * are emojis to Unicode only with a keycap behind them.
const emojis = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;
const strayMarks = /(?=\p{Script=Inherited})\p{Mn}/gu;

/** NFKC without what only hides words: emojis, invisible characters, marks that belong to no letter. */
export function plain(text: string): string {
  let shown = '';
  for (const character of text.normalize('NFKC')) {
    const code = character.codePointAt(0) ?? 0;
    // Letters sent as invisible tag characters are shown: what is hidden in a reply is part of it.
    if (code >= 0xe0020 && code <= 0xe007e) shown += String.fromCharCode(code - 0xe0000);
    else if (!isInvisible(code)) shown += character;
  }
  return shown
    .replace(/[©®™]/g, ' ')
    .replace(emojis, '')
    .replace(strayMarks, '')
    .replace(/[‘’ʼ´](?=\w)|(?<=\p{L})`(?=\p{L})/gu, "'")
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ');
}

/** Reads a reply as the judges do. */
export function readReply(raw: string): ReadReply {
  const { said, thoughts } = withoutThoughts(raw.slice(0, mostCharacters));
  return { text: plain(said.replace(markers, ' ')).trim(), thoughts: plain(thoughts).trim() };
}

/** For comparing: lower case, without accents; of the same words, but not of the same length. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss');

/** Words and numbers of a text, folded, with single spaces between them and at both ends. */
export const wordsOf = (text: string): string =>
  ` ${(folded(plain(text)).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
