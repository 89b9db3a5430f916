import { confusable } from './confusables.ts';
import { type Mapped, MappedWriter } from './mapped.ts';

const asciiLower = Uint16Array.from({ length: 128 }, (_, code) =>
  code >= 65 && code <= 90 ? code + 32 : code,
);

const isMark = (code: number) =>
  (code >= 0x300 && code <= 0x36f) ||
  (code >= 0x1ab0 && code <= 0x1aff) ||
  (code >= 0x20d0 && code <= 0x20ff);

/** Ranges of characters that show nothing: controls, zero-width, bidi, variation selectors, fillers. */
const invisibleRanges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
];

const invisible = new Uint8Array(65_536);
for (const [from, to] of invisibleRanges) invisible.fill(1, from, to + 1);

/** Whether a code point shows nothing. */
export const isInvisible = (code: number) =>
  code < 65_536
    ? invisible[code] === 1
    : (code >= 0x1d173 && code <= 0x1d17a) || (code >= 0xe0000 && code <= 0xe0fff);

/** Lower-cased NFKC of single code points above ASCII, remembered: real text uses few of them. */
const foldedPoints = new Map<number, string>();

function foldPoint(code: number): string {
  const known = foldedPoints.get(code);
  if (known !== undefined) return known;
  const folded = String.fromCodePoint(code).normalize('NFKC').toLowerCase().normalize('NFKC');
  if (foldedPoints.size < 20_000) foldedPoints.set(code, folded);
  return folded;
}

/** Letters sent as regional indicators or as Unicode tag characters, in lower case; 0 for all else. */
function hiddenLetter(code: number): number {
  if (code >= 0xe0020 && code <= 0xe007e) return asciiLower[code - 0xe0000] ?? 0;
  return 0;
}

/**
 * The form that all views start from: NFKC by code point, lower case, invisible characters out, hidden tag
 * letters shown, look-alike letters of other scripts read as Latin inside Latin words.
 * Linear in the length of the text; lone surrogates become U+FFFD.
 */
export function fold(text: string): Mapped {
  if (isPlain.test(text)) return foldPlain(text);
  const out = new MappedWriter(text.length + 16);
  let hasForeign = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      if (!isInvisible(unit)) out.put(asciiLower[unit] ?? unit, i, i + 1);
      continue;
    }
    hasForeign = true;
    i = foldForeign(text, i, out) - 1;
  }
  if (hasForeign) foldLookAlikes(out);
  return out.finish();
}

/** ASCII that shows. */
const isPlain = /^[\t\n\r -~]*$/;

/** 0, 1, 2 …: the way back of every text whose characters stay where they are. */
let places = new Int32Array(0);

function foldPlain(text: string): Mapped {
  const { length } = text;
  if (places.length <= length) places = Int32Array.from({ length: length * 2 + 1 }, (_, at) => at);
  return {
    text: text.toLowerCase(),
    starts: places.subarray(0, length),
    ends: places.subarray(1, length + 1),
  };
}

/** Folds the code point above ASCII at `at`; returns where the next one begins. */
function foldForeign(text: string, at: number, out: MappedWriter): number {
  const code = text.codePointAt(at) ?? 0xfffd;
  const next = at + (code > 0xffff ? 2 : 1);
  const hidden = hiddenLetter(code);
  if (hidden !== 0) out.put(hidden, at, next);
  else if (isMark(code)) foldMark(code, next, out);
  else if (code >= 0xd800 && code <= 0xdfff) out.put(0xfffd, at, next);
  else if (!isInvisible(code)) out.putText(foldPoint(code), at, next);
  return next;
}

/** Joins an accent to the letter before it where the two have a form of their own; drops it otherwise. */
function foldMark(code: number, end: number, out: MappedWriter): void {
  if (out.length === 0) return;
  const last = out.length - 1;
  const joined = String.fromCharCode(out.units[last] ?? 0, code).normalize('NFC');
  if (joined.length !== 1) return;
  out.units[last] = joined.charCodeAt(0);
  out.ends[last] = Math.max(end, out.ends[last] ?? 0);
}

const isLatin = (unit: number) =>
  (unit >= 97 && unit <= 122) || (unit >= 0xdf && unit <= 0x24f && unit !== 0xf7);

const isWordUnit = (unit: number) =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 0xc0 && unit !== 0xd7 && unit !== 0xf7 && (unit < 0x2000 || unit > 0x206f));

/** Reads look-alikes as Latin in words that have Latin letters, or all of whose letters look Latin. */
function foldLookAlikes(out: MappedWriter): void {
  const { units, length } = out;
  if (!units.subarray(0, length).some(isLatin)) return;
  let begin = 0;
  while (begin < length) {
    const end = wordEnd(units, begin, length);
    if (end > begin) foldWord(out, begin, end);
    begin = end + 1;
  }
}

function wordEnd(units: Uint16Array, from: number, length: number): number {
  let at = from;
  while (at < length && isWordUnit(units[at] ?? 0)) at++;
  return at;
}

function foldWord(out: MappedWriter, begin: number, end: number): void {
  let latin = 0;
  let alike = 0;
  for (let i = begin; i < end; i++) {
    const unit = out.units[i] ?? 0;
    if (isLatin(unit)) latin++;
    else if (confusable(unit) !== 0) alike++;
  }
  if (alike === 0 || (latin === 0 && alike < end - begin)) return;
  for (let i = begin; i < end; i++) {
    const plain = confusable(out.units[i] ?? 0);
    if (plain !== 0) out.units[i] = plain;
  }
}
