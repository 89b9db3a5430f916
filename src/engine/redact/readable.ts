import { isInvisible } from '../text/fold.ts';
import { type Mapped, MappedWriter } from '../text/mapped.ts';

const dashes = new Set([0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0xff0d]);
const quotes: Readonly<Record<number, string>> = { 0x2018: "'", 0x2019: "'", 0x201c: '"', 0x201d: '"' };
const isDigit = /^\p{Nd}$/u;
const isSpace = /^\s$/u;

const plainPoints = new Map<number, string>();

/** Digits of all scripts come in runs of ten, each of which begins at a code point whose last digit tells nothing. */
function digitOf(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

function plainOf(code: number): string {
  if (isInvisible(code)) return '';
  if (dashes.has(code)) return '-';
  const folded = quotes[code] ?? String.fromCodePoint(code).normalize('NFKC');
  if (folded.length > 2) return folded;
  if (isDigit.test(folded)) return folded >= '0' && folded <= '9' ? folded : digitOf(folded);
  return isSpace.test(folded) ? ' ' : folded;
}

function plainPoint(code: number): string {
  const known = plainPoints.get(code);
  if (known !== undefined) return known;
  const plain = plainOf(code);
  if (plainPoints.size < 20_000) plainPoints.set(code, plain);
  return plain;
}

/**
 * The text as shapes are looked for in it, with the way back: invisible characters out, digits of all scripts and
 * widths as 0–9, dashes, spaces and quotation marks as the plain ones. Capitals stay. Linear in its length.
 */
export function readable(text: string): Mapped {
  const out = new MappedWriter(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      if (unit >= 32 || unit === 10 || unit === 13 || unit === 9) out.put(unit, i, i + 1);
      continue;
    }
    const code = text.codePointAt(i) ?? unit;
    const end = i + (code > 0xffff ? 2 : 1);
    out.putText(plainPoint(code), i, end);
    i = end - 1;
  }
  return out.finish();
}
