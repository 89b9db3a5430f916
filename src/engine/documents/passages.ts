/** Splits a document into sentences that can be judged separately. */
import { leadOfHeading } from './cues.ts';

export interface Passage {
  /** A sentence, or an item of a list. */
  readonly text: string;
  /** Of an item: the words that its list begins with, such as `Agents must not:`. */
  readonly lead?: string | undefined;
  readonly isItem: boolean;
  /** The heading above it, without its number. */
  readonly heading?: string | undefined;
  /** The line of the document in which its paragraph or item begins, counted from 0. */
  readonly line: number;
}

const bullet =
  /^\s*(?:[-*+•◦▪●–]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,4})[.)]|\d{1,3}(?:\.\d{1,3})+)\s+/i;
const headingShape = /^\s*(?:#{1,6}\s|[A-Z0-9][^.!?:]{0,80}$)/;
const fence = /^\s*(?:```|~~~)/;
const rule = /^\s*(?:[-=_*]\s*){3,}$|^\s*\|/;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Splits a text into sentences and items; headings, code and tables are left out. */
export function passagesOf(document: string): Passage[] {
  const passages: Passage[] = [];
  let lead: string | undefined;
  for (const { text, isItem, heading, line } of blocksOf(document)) {
    const parts = sentencesOf(text);
    const [first] = parts;
    if (text === '' && heading !== undefined) {
      lead = leadOfHeading(heading);
      continue;
    }
    if (isItem && lead !== undefined && first !== undefined) {
      passages.push(
        { text: first, lead, isItem, heading, line },
        ...parts.slice(1).map((part) => ({ text: part, isItem: false, heading, line })),
      );
      continue;
    }
    const opening = parts.at(-1)?.endsWith(':') === true ? parts.pop() : undefined;
    passages.push(...parts.map((part) => ({ text: part, isItem, heading, line })));
    if (opening !== undefined || !isItem) lead = opening;
  }
  return passages;
}

/** The headings of a document in their order, without their numbers. */
export const headingsOf = (document: string): string[] =>
  blocksOf(document).flatMap(({ text, heading }) => (text === '' && heading !== undefined ? heading : []));

/** What is longer is no sentence, and is cut between words: rules are found in time that grows with a sentence's square. */
const longestSentence = /[^]{1,1500}(?!\S)|[^]{1,1500}/g;

const sentencesOf = (text: string): string[] =>
  [...sentences.segment(text)]
    .flatMap(({ segment }) => (segment.length <= 1500 ? segment : (segment.match(longestSentence) ?? [])))
    .map((part) => part.trim())
    .filter((part) => part !== '');

interface Block {
  text: string;
  isItem: boolean;
  heading: string | undefined;
  line: number;
}

/** A block whose lines still come. */
interface OpenBlock extends Omit<Block, 'text'> {
  readonly pieces: string[];
}

/** Paragraphs and items, their lines joined; a heading is an empty block, since it ends the list above it. */
function blocksOf(document: string): Block[] {
  const blocks: OpenBlock[] = [];
  let open: OpenBlock | undefined;
  let heading: string | undefined;
  const lines = proseLines(document);
  for (const [i, line] of lines.entries()) {
    if (line === '') open = undefined;
    else if (isHeading(line, open, lines[i + 1])) {
      open = undefined;
      heading = titleOf(line);
      blocks.push({ pieces: [], isItem: false, heading, line: i });
    } else {
      const isItem = bullet.test(line);
      const text = plain(line.replace(bullet, ''));
      if (open === undefined || isItem) blocks.push((open = { pieces: [text], isItem, heading, line: i }));
      else append(open.pieces, text);
    }
  }
  return blocks.map(({ pieces, ...block }) => ({ ...block, text: pieces.join('') }));
}

/** Lines without those of code, tables and rules, which come as empty ones. */
function proseLines(document: string): string[] {
  let inCode = false;
  const lines = document
    .replace(/\r\n?/g, '\n')
    .replace(/\u00ad/g, '')
    .split('\n');
  return lines.map((line) => {
    const isFence = fence.test(line);
    if (isFence) inCode = !inCode;
    return isFence || inCode || rule.test(line) ? '' : line.trimEnd();
  });
}

/** A short line without a full stop that stands alone: not in a paragraph, nor at the beginning of one. */
const isHeading = (line: string, open: OpenBlock | undefined, next = ''): boolean =>
  /^\s*#{1,6}\s/.test(line) ||
  (open === undefined &&
    (bullet.test(line) ? isNumberedHeading(line, next) : headingShape.test(line) || capitals.test(line)) &&
    !/^\s*\p{Ll}/u.test(next) &&
    line.trim().split(/\s+/).length <= 8);

const capitals = /^[\p{Lu}\d][\p{Lu}\d\s:&/,()–-]{3,80}$/u;
const numbered = /^\s*(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\p{Lu}[^.!?:;,]{0,60}$/u;

/** `2. Accounts` above a paragraph or above `2.1 …`; above `3. …` it is the first item of a list. */
function isNumberedHeading(line: string, next: string): boolean {
  const number = numbered.exec(line)?.[1];
  if (number === undefined) return false;
  return !bullet.test(next) || next.trimStart().startsWith(`${number}.`);
}

const titleOf = (line: string): string =>
  plain(line.replace(/^\s*#{1,6}\s+/, ''))
    .replace(/^(?:(?:section|article|chapter|part)\s+)?\d{1,3}(?:\.\d{1,3})*[.):]?\s+(?=\S)/i, '')
    .trim();

/** Appends a line to its paragraph, rejoining hyphenated words. */
function append(pieces: string[], line: string): void {
  const last = pieces.pop() ?? '';
  const isCut = /[a-z]-$/.test(last) && /^[a-z]/.test(line);
  pieces.push(...(isCut ? [last.slice(0, -1), line] : [last, ` ${line}`]));
}

const plain = (line: string) =>
  line
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/^>\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
