import { isUtf8 } from 'node:buffer';

/** A run of the original that holds encoded text. */
export interface Payload {
  view: string;
  start: number;
  end: number;
  text: string;
}

const longestPayload = 65_536;
const mostPayloads = 8;

const utf8 = new TextDecoder('utf-8');

const isControl = (unit: number) =>
  (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13) || (unit > 126 && unit < 160);

const isAsciiLetter = (unit: number) => (unit | 32) >= 97 && (unit | 32) <= 122;

/** Decoded bytes as text, if they read like words: hardly any control characters, mostly letters. */
function readable(bytes: Uint8Array): string | undefined {
  // Most runs are no payloads but long words: looked at first, since a decoder's refusal costs ten times as much.
  if (bytes.length < 6 || !isUtf8(bytes)) return undefined;
  const text = utf8.decode(bytes);
  let letters = 0;
  let strange = 0;
  let foreign = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isAsciiLetter(unit)) letters++;
    else if (isControl(unit)) strange++;
    else if (unit >= 0xc0) foreign++;
  }
  if (strange > text.length * 0.02) return undefined;
  return letters + foreign >= text.length * 0.55 && foreign <= letters * 4 + text.length * 0.5
    ? text
    : undefined;
}

const fromHex = (run: string) => Buffer.from(run.replace(/[^0-9a-f]/gi, ''), 'hex');

const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

function fromBase32(run: string): Uint8Array {
  const out: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of run.toLowerCase()) {
    const digit = base32Alphabet.indexOf(char);
    if (digit < 0) break;
    value = ((value << 5) | digit) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out.push((value >> bits) & 0xff);
  }
  return Uint8Array.from(out);
}

const fromNumbers = (run: string, base: number) =>
  Uint8Array.from(
    run.split(/[^0-9a-f]+/i).filter((part) => part !== ''),
    (part) => Number.parseInt(part, base),
  );

interface Coding {
  view: string;
  /** The shortest unbroken run of letters, digits and `+/_-` that it can be in. */
  leastRun: number;
  pattern: RegExp;
  bytes(run: string): Uint8Array;
}

/** Each pattern is one run of a character class or of short fixed pieces: none can backtrack far. */
const codings: readonly Coding[] = [
  {
    view: 'binary',
    leastRun: 8,
    pattern: /(?:[01]{8}[ ,]?){5,}/g,
    bytes: (run) => fromNumbers(run.replace(/([01]{8})(?=[01])/g, '$1 '), 2),
  },
  {
    view: 'hex',
    leastRun: 2,
    pattern: /(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:;-]{0,2}){8,}/g,
    bytes: (run) => fromHex(run.replace(/0x|\\x/g, '')),
  },
  {
    view: 'decimal',
    leastRun: 2,
    pattern: /(?:1?[0-9]{2}[ ,;]{1,2}){7,}1?[0-9]{2}/g,
    bytes: (run) => fromNumbers(run, 10),
  },
  { view: 'base32', leastRun: 16, pattern: /[A-Z2-7]{16,}={0,6}/g, bytes: fromBase32 },
  {
    view: 'base64',
    leastRun: 12,
    pattern: /[A-Za-z0-9+/_-]{12,}(?:\r?\n[A-Za-z0-9+/_-]{12,})*={0,2}/g,
    bytes: (run) => Buffer.from(run, 'base64'),
  },
];

const inRuns = new Uint8Array(128);
for (let unit = 0; unit < inRuns.length; unit++)
  inRuns[unit] = /[A-Za-z0-9+/_-]/.test(String.fromCharCode(unit)) ? 1 : 0;

/** Length of the longest run in which anything could be encoded: most texts have none that is worth a search. */
function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    run = inRuns[text.charCodeAt(at)] === 1 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** Runs of `text` that decode to words: base64, base32, hex, binary and decimal codes. Linear, capped. */
export function findPayloads(text: string): Payload[] {
  const found: Payload[] = [];
  const longest = longestRun(text);
  for (const coding of codings) {
    // Searching tells at a fraction of the cost of `matchAll`, which copies the pattern, that there is none.
    if (coding.leastRun > longest || text.search(coding.pattern) === -1) continue;
    for (const match of text.matchAll(coding.pattern)) {
      const run = match[0].slice(0, longestPayload);
      const decoded = readable(coding.bytes(run));
      if (decoded === undefined) continue;
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => other.start < end && start < other.end)) continue;
      found.push({ view: coding.view, start, end, text: decoded });
      if (found.length >= mostPayloads) return found;
    }
  }
  return found;
}
