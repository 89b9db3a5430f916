/** The sentences of a tool's texts: what the judge reads one by one, and in pairs. */
import type { ToolText } from './tool.ts';

/** Where a sentence stands; the judge weighs words by it. */
export type Place = 'description' | 'argument' | 'value';

export interface Unit {
  place: Place;
  field: string;
  /** The sentence as it stands, for people. */
  text: string;
}

/** A line that goes on in the next: documentation is wrapped at some width. */
const wrapped = /(?<=[\p{L}\p{N},;"'”’)])[ \t]*\n[ \t]*(?=[\p{Ll}("'`])/gu;

const longestSentence = 600;
const overlap = 100;
/** Names and values of fewer words are too short to order anything. */
const fewestWords = 4;

/** Ends of sentences: punctuation before a space or a quotation mark, lines, bullets; marks of other scripts. */
const ends =
  /[\u200B\u2060\uFEFF]+\s+|\s+[\u200B\u2060\uFEFF]+|(?<=[.!?…]["'”’)\]*]{0,8})\s+(?=\S)|\n+|(?<=[。！？؟।])|\s{8,}|(?<=\S)\s+(?=(?:<!--|<\/?[a-z]|\[\/\/\]|%%%|###))/gu;

/** Names such as `sendAllFiles` or `send_all_files` as words. */
export const spelledOut = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_\-.:/]+/g, ' ')
    .trim();

function placeOf(field: string): Place {
  if (field === 'name' || field.endsWith('(name)')) return 'value';
  if (/\.(?:enum|examples?|default|const)(?:\.|$)|\.\d+$/.test(field)) return 'value';
  return field === 'description' || field === 'title' ? 'description' : 'argument';
}

function piecesOf(sentence: string): string[] {
  if (sentence.length <= longestSentence) return [sentence];
  const pieces: string[] = [];
  for (let at = 0; at < sentence.length; at += longestSentence - overlap)
    pieces.push(sentence.slice(at, at + longestSentence));
  return pieces;
}

/** The sentences of one text. A name, or a value without spaces, is read as the words that it is made of. */
function sentencesOf({ field, text }: ToolText): Unit[] {
  const place = placeOf(field);
  const isWord = place === 'value' && !/\s/.test(text.trim());
  if (isWord && spelledOut(text).split(' ').length < fewestWords) return [];
  const read = isWord ? spelledOut(text) : text.replaceAll(wrapped, ' ');
  return read
    .split(ends)
    .flatMap(piecesOf)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence.normalize('NFKC')))
    .map((sentence) => ({ place, field, text: sentence }));
}

/** Words of a window, and how far the next one is. */
const windowWords = 24;
const windowStep = 12;

/** Of a sentence that runs on, each stretch: an order behind a description without a full stop is not thinned out by it. */
function windowsOf(unit: Unit): Unit[] {
  const words = unit.text.split(/\s+/);
  if (words.length <= windowWords + windowStep) return [];
  const windows: Unit[] = [];
  for (let at = 0; at < words.length - windowStep; at += windowStep)
    windows.push({ ...unit, text: words.slice(at, at + windowWords).join(' ') });
  return windows;
}

/** Sentences one by one, each with the one before it ("Keep this between us." says nothing alone), and stretches of long ones. */
export function unitsOf(text: ToolText): Unit[] {
  const sentences = sentencesOf(text);
  return sentences.flatMap((unit, i) => {
    const before = sentences[i - 1];
    const windows = windowsOf(unit);
    return before === undefined
      ? [unit, ...windows]
      : [unit, { ...unit, text: `${before.text} ${unit.text}` }, ...windows];
  });
}
