import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mapped, MappedWriter } from './mapped.ts';
import { copyRange } from './undo-spacing.ts';

/** `data/lexicons/signs.json` */
interface SignFile {
  words: Record<string, string>;
  letters: Record<string, string>;
  darkTones: string[];
  lightTones: string[];
}

interface Signs extends Omit<SignFile, 'words' | 'letters'> {
  words: ReadonlyMap<string, string>;
  letters: ReadonlyMap<string, string>;
}

let signs: Signs | undefined;

function load(): Signs {
  const path = join(import.meta.dirname, '../../../data/lexicons/signs.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as SignFile;
  const mapOf = (table: Record<string, string>) => new Map(Object.entries(table));
  return { ...file, words: mapOf(file.words), letters: mapOf(file.letters) };
}

/** The longest row of pictures that is one sign: two people and what is between them. */
const longestSign = 4;

const pointsFrom = (text: string, at: number): string[] => {
  const points: string[] = [];
  for (let i = at; i < text.length && points.length < longestSign;) {
    const point = String.fromCodePoint(text.codePointAt(i) ?? 0);
    points.push(point);
    i += point.length;
  }
  return points;
};

interface Read {
  word: string;
  length: number;
  isLetter: boolean;
}

/** The sign that begins at `at`, with the tone of skin that follows it. */
function signAt(
  text: string,
  at: number,
  { words, letters, darkTones, lightTones }: Signs,
): Read | undefined {
  const points = pointsFrom(text, at);
  const letter = letters.get(points[0] ?? '');
  if (letter !== undefined) return { word: letter, length: points[0]?.length ?? 1, isLetter: true };
  for (let count = points.length; count > 0; count--) {
    const sign = points.slice(0, count).join('');
    const word = words.get(sign);
    if (word === undefined) continue;
    const tone = points[count] ?? '';
    const isDark = darkTones.includes(tone);
    const length = sign.length + (isDark || lightTones.includes(tone) ? tone.length : 0);
    return { word: isDark ? `black ${word}` : word, length, isLetter: false };
  }
  return undefined;
}

const mostSigns = 400;

/** Every sign of the text with its place, the first four hundred. */
function* signsIn(text: string, table: Signs): Generator<Read & { at: number }> {
  let found = 0;
  for (let at = 0; at < text.length && found < mostSigns; at++) {
    const read = text.charCodeAt(at) < 0x2000 ? undefined : signAt(text, at, table);
    if (read === undefined) continue;
    found++;
    yield { ...read, at };
    at += read.length - 1;
  }
}

/**
 * The text with pictures read as the words that they take the place of (`I hate 🐒`); undefined where there are
 * none. The same picture in a row is read once. Linear in the text's length.
 */
export function readSigns(plain: Mapped): Mapped | undefined {
  const { text } = plain;
  if (!/[\u2600-\u27bf\u24c2\ud83c-\ud83e]/.test(text)) return undefined;
  signs ??= load();
  const out = new MappedWriter(text.length + 64);
  let copied = 0;
  let before = '';
  for (const { word, length, isLetter, at } of signsIn(text, signs)) {
    const isRepeated = !isLetter && word === before && text.slice(copied, at).trim() === '';
    copyRange(plain, copied, at, out);
    copied = at + length;
    before = word;
    if (!isRepeated)
      out.putText(isLetter ? word : ` ${word} `, plain.starts[at] ?? 0, plain.ends[copied - 1] ?? 0);
  }
  if (copied === 0) return undefined;
  copyRange(plain, copied, text.length, out);
  return out.finish();
}
