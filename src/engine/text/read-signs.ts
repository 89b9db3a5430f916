import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mapped, MappedWriter } from './mapped.ts';
import { copyRange } from './undo-spacing.ts';

/** `data/lexicons/signs.json` */
interface SignFile {
  words: Record<string, string>;
  beside: Record<string, string>;
  body: Record<string, string>;
  bodyBeside: Record<string, string>;
  letters: Record<string, string>;
  darkTones: string[];
  lightTones: string[];
  leads: string;
  owns: string;
}

/** What a sign is read as. */
interface Reading {
  /** A letter of another make. */
  letter?: string;
  /** Where a word is missing, and where it only stands beside others. */
  inPlace: string;
  beside: string;
  /** A part of the body, which takes more than a missing word. */
  isBody: boolean;
}

interface Signs extends Pick<SignFile, 'darkTones' | 'lightTones'> {
  readings: ReadonlyMap<string, Reading>;
  /** Signs that stand for parts of the body. */
  body: readonly string[];
  /** Words behind which one is missing, and those behind which a part of the body is. */
  leads: ReadonlySet<string>;
  owns: ReadonlySet<string>;
}

let signs: Signs | undefined;

function load(): Signs {
  const path = join(import.meta.dirname, '../../../data/lexicons/signs.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as SignFile;
  const table = (words: Record<string, string>, beside: Record<string, string>, isBody: boolean) =>
    Object.entries(words).map(([sign, inPlace]): [string, Reading] => [
      sign,
      { inPlace, beside: beside[sign] ?? inPlace, isBody },
    ]);
  return {
    ...file,
    readings: new Map([
      ...table(file.words, file.beside, false),
      ...table(file.body, file.bodyBeside, true),
      ...Object.entries(file.letters).map(([sign, letter]): [string, Reading] => [
        sign,
        { letter, inPlace: '', beside: '', isBody: false },
      ]),
    ]),
    body: Object.keys(file.body),
    leads: new Set(file.leads.split(' ')),
    owns: new Set(file.owns.split(' ')),
  };
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
  read: Reading;
  length: number;
  tone: '' | 'black ';
}

/** The sign that begins at `at`, with the tone of skin that follows it. */
function signAt(text: string, at: number, { readings, darkTones, lightTones }: Signs): Read | undefined {
  const points = pointsFrom(text, at);
  for (let count = points.length; count > 0; count--) {
    const sign = points.slice(0, count).join('');
    const read = readings.get(sign);
    if (read === undefined) continue;
    const tone = points[count] ?? '';
    const isDark = darkTones.includes(tone);
    const length = sign.length + (isDark || lightTones.includes(tone) ? tone.length : 0);
    return { read, length, tone: isDark ? 'black ' : '' };
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

/** What stands right before a sign and right behind it. */
interface Place {
  before: string;
  behind: string;
}

const farthestWord = 24;
const lastWord = /([\p{L}'’]+)[^\p{L}.!?;:,\n]*$/u;

const wordBefore = ({ before }: Place): string | undefined =>
  lastWord.exec(before)?.[1]?.toLowerCase().replace('’', "'");

/**
 * Whether a sentence misses a word where a sign stands: it begins there, or what is before leads to one ("they are 🐍",
 * "we should 🔪 them"). A sign behind what is complete only goes with it ("I laughed so hard 💀").
 */
function isMissing(place: Place, { leads }: Signs): boolean {
  const word = wordBefore(place);
  return word === undefined ? /^\s*[\p{L}\d]/u.test(place.behind) : leads.has(word);
}

/** Whether a part of the body is meant: whose, or beside another one. */
function isBody(place: Place, { owns, body }: Signs): boolean {
  const [before, behind] = [place.before.trimEnd(), place.behind.trimStart()];
  return (
    owns.has(wordBefore(place) ?? '') || body.some((sign) => before.endsWith(sign) || behind.startsWith(sign))
  );
}

const wordOf = (read: Reading, place: Place, signs: Signs): string =>
  (read.isBody ? isBody(place, signs) : isMissing(place, signs)) ? read.inPlace : read.beside;

const placeIn = (text: string, from: number, to: number): Place => ({
  before: text.slice(Math.max(0, from - farthestWord), from),
  behind: text.slice(to, to + farthestWord),
});

/**
 * The text with pictures read as the words that they take the place of (`I hate 🐒`), or that they only stand beside;
 * undefined where there are none. The same picture in a row is read once. Linear in the text's length.
 */
export function readSigns(plain: Mapped): Mapped | undefined {
  const { text } = plain;
  if (!/[\u2600-\u27bf\u24c2\ud83c-\ud83e]/.test(text)) return undefined;
  signs ??= load();
  const out = new MappedWriter(text.length + 64);
  let copied = 0;
  let last = '';
  for (const { at, length, read, tone } of signsIn(text, signs)) {
    const isRepeated = read.inPlace === last && text.slice(copied, at).trim() === '';
    copyRange(plain, copied, at, out);
    copied = at + length;
    last = read.letter === undefined ? read.inPlace : '';
    if (isRepeated) continue;
    const said = read.letter ?? ` ${tone}${wordOf(read, placeIn(text, at, copied), signs)} `;
    out.putText(said, plain.starts[at] ?? 0, plain.ends[copied - 1] ?? 0);
  }
  if (copied === 0) return undefined;
  copyRange(plain, copied, text.length, out);
  return out.finish();
}
