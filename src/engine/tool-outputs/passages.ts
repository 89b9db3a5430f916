/** The passages of a tool's answer that are judged one by one: sentences, each also behind the one before it. */
import { type Word, unspacedWords, wordOf } from './words.ts';

// oxlint-disable-next-line no-misleading-character-class -- each is looked for by itself.
const invisible = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF\u202A-\u202E\u2066-\u2069\u{E0100}-\u{E01EF}]/gu;
/** Lines over, under and through letters, which stay as readable as they are. */
const strokes = /[\u0305\u0332-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E5-\u20E6\u20EB]/g;
const variations = /[\u{FE00}-\u{FE0F}]/gu;
const tagCharacters = /[\u{E0020}-\u{E007E}]+/gu;

// oxlint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/** The text as a model reads it: without invisible characters, and what is spelled in tag characters as letters. */
export const legible = (text: string): string =>
  // Most answers are plain, and read as they stand.
  ascii.test(text)
    ? text
    : text
        .replaceAll(strokes, '')
        .normalize('NFKC')
        .replaceAll(invisible, '')
        .replaceAll(variations, '')
        .replaceAll(tagCharacters, (spelled) =>
          Array.from(spelled, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000)).join(
            '',
          ),
        );

const kinds = { other: 0, letter: 1, digit: 2, unspaced: 3, space: 4 } as const;

/** What each UTF-16 code unit is: looking it up is several times as fast as a regular expression over the text. */
const kindOf = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (/[\u3040-\u30ff\u3400-\u9fff]/.test(sign)) return kinds.unspaced;
  if (/[\p{L}\p{M}]/u.test(sign)) return kinds.letter;
  if (/\p{N}/u.test(sign)) return kinds.digit;
  return /\s/.test(sign) ? kinds.space : kinds.other;
});

/** Words of scripts without spaces by their first character, the longest first. */
const unspaced = Map.groupBy(unspacedWords(), (word) => word.charCodeAt(0));
const url = wordOf('<url>');
const mail = wordOf('<mail>');
const opaque = wordOf('<opaque>');
const inAddress = /[\w.+-]/;
const addressEnd = /[\s"'<>)\]]|$/g;

export interface Tokens {
  readonly words: readonly Word[];
  /** Where each word begins and ends in the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Passages as pairs of places: first word, and the one after the last. */
  readonly passages: readonly (readonly [from: number, to: number])[];
}

const sentenceEnd = new Set(['.', '!', '?', '。', '！', '？', '؟', '।', '…']);
const fewestWords = 3;
/** Of a sentence that runs on, stretches of so many words are judged too. */
const windowWords = 26;
const windowStep = 13;

/** What must follow a full stop that ends a sentence: nothing, a space, a quotation mark, a bracket, an escape of JSON. */
const behindStop = /[\s")\\]|$/y;
/** What follows the closing quotation mark of a name or a value. */
const behindValue = /[,:}\]]/y;

const isAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** Whether a sentence ends behind a sign: dots within names and numbers do not end one; values of JSON and cells do. */
function endsAt(text: string, sign: string, end: number): boolean {
  if (sign === '|') return true;
  if (sentenceEnd.has(sign)) return sign > '~' || isAt(behindStop, text, end);
  return sign === '"' && isAt(behindValue, text, end);
}

/** Data in an alphabet of codes changes between small letters, capitals and digits all the time; joined words do not. */
const shortestOpaque = 20;
const mostRun = 2.3;
const mostBetweenDigits = 16;
const [kindOfDigit, kindOfSign] = [3, 4];

/** Small letters, capitals, digits, and the signs of Base64 and of tokens; 0 for all others. */
const alphabet = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (/[a-z]/.test(sign)) return 1;
  if (/[A-Z]/.test(sign)) return 2;
  if (/\d/.test(sign)) return kindOfDigit;
  return /[+\-./=_]/.test(sign) ? kindOfSign : 0;
});

const mostIndent = 12;
const isIndent = (unit: number): boolean => unit === 0x20 || unit === 0x09;
const smallLetter = /\p{Ll}/u;

/** Takes a text apart. */
class Scanner {
  readonly words: Word[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly cuts: number[] = [];
  /** How many of the words before each cut are words, not numbers or signs. */
  readonly spoken: number[] = [];
  #spoken = 0;
  /** Before this place nothing opaque begins. */
  #looked = 0;
  readonly #text: string;
  readonly #given: string;

  constructor(given: string) {
    this.#given = given;
    // Some letters are longer in lower case; places in it are good enough then.
    const text = given.toLowerCase();
    this.#text = text;
    for (let at = 0; at < text.length;) at = this.#next(at, text.charCodeAt(at));
    this.#cut();
  }

  #cut(): void {
    if (this.cuts.at(-1) === this.words.length) return;
    this.cuts.push(this.words.length);
    this.spoken.push(this.#spoken);
  }

  #push(word: Word, start: number, end: number): number {
    this.words.push(word);
    this.starts.push(start);
    this.ends.push(end);
    return end;
  }

  /** Reads what begins at `at`; where it ends. */
  #next(at: number, unit: number): number {
    const kind = kindOf[unit];
    if (kind === kinds.space) {
      if (unit === 0x0a && !this.#isWrapped(at)) this.#cut();
      return at + 1;
    }
    if (kind === kinds.letter || kind === kinds.digit) {
      const end = this.#opaqueEnd(at);
      if (end > at) return this.#push(opaque, at, end);
      return kind === kinds.letter ? this.#word(at) : this.#number(at);
    }
    return kind === kinds.unspaced ? this.#character(at, unit) : this.#sign(at, unit);
  }

  /** Whether a line break only wraps a sentence: behind a word or a comma, and before a small letter. */
  #isWrapped(at: number): boolean {
    const given = this.#given;
    const before = given.charCodeAt(at - 1);
    if (before !== 0x2c && kindOf[before] !== kinds.letter) return false;
    let next = at + 1;
    while (next - at < mostIndent && isIndent(given.charCodeAt(next))) next++;
    return smallLetter.test(given.charAt(next));
  }

  /** Where signed, encrypted or encoded data ends that begins at `at`; `at` if there is none. Nobody can read it. */
  #opaqueEnd(at: number): number {
    if (at < this.#looked) return at;
    const given = this.#given;
    // One by one: an array to take them from would be made for each word of each answer.
    let end = at;
    let changes = 0;
    let digits = 0;
    let signs = 0;
    let before = 0;
    for (; end < given.length; end++) {
      const kind = alphabet[given.charCodeAt(end)] ?? 0;
      if (kind === 0) break;
      if (kind === kindOfDigit) digits++;
      if (kind === kindOfSign) signs++;
      else {
        if (kind !== before) changes++;
        before = kind;
      }
    }
    const length = end - at - signs;
    if (length >= shortestOpaque && digits * mostBetweenDigits >= length && changes * mostRun >= length)
      return end;
    this.#looked = end;
    return at;
  }

  #number(at: number): number {
    let end = at + 1;
    while (kindOf[this.#text.charCodeAt(end)] === kinds.digit) end++;
    return this.#push(wordOf('0'), at, end);
  }

  #character(at: number, unit: number): number {
    const text = this.#text;
    const word = unspaced.get(unit)?.find((each) => text.startsWith(each, at)) ?? text.charAt(at);
    this.#spoken++;
    return this.#push(wordOf(word), at, at + word.length);
  }

  #sign(at: number, unit: number): number {
    const text = this.#text;
    if (unit === 0x40 && inAddress.test(text.charAt(at - 1)) && inAddress.test(text.charAt(at + 1)))
      return this.#mail(at);
    // Rulers and borders of tables are one sign.
    if (unit === text.charCodeAt(at - 1)) return at + 1;
    const sign = text.slice(at, at + (unit >= 0xd800 && unit <= 0xdbff ? 2 : 1));
    const end = this.#push(wordOf(sign), at, at + sign.length);
    if (endsAt(text, sign, end)) this.#cut();
    return end;
  }

  /** A word, with what an apostrophe or a hyphen joins to it, or an address that begins like one. */
  #word(at: number): number {
    const text = this.#text;
    let end = at + 1;
    for (;;) {
      while (kindOf[text.charCodeAt(end)] === kinds.letter) end++;
      const joint = text.charCodeAt(end);
      const isJoint = joint === 0x27 || joint === 0x2d || joint === 0x2019;
      if (!isJoint || kindOf[text.charCodeAt(end + 1)] !== kinds.letter) break;
      end++;
    }
    if (text.startsWith('://', end)) {
      addressEnd.lastIndex = end;
      return this.#push(url, at, addressEnd.exec(text)?.index ?? text.length);
    }
    this.#spoken++;
    return this.#push(wordOf(text.slice(at, end)), at, end);
  }

  /** The words that touch the @ are the name; so is what follows. */
  #mail(at: number): number {
    const text = this.#text;
    let start = at;
    while (this.words.length > 0 && this.ends.at(-1) === start && inAddress.test(text.charAt(start - 1))) {
      start = this.starts.at(-1) ?? start;
      this.words.pop();
      this.starts.pop();
      this.ends.pop();
    }
    let end = at + 1;
    while (inAddress.test(text.charAt(end))) end++;
    // The full stop behind an address ends the sentence.
    while (text.charAt(end - 1) === '.') end--;
    return this.#push(mail, start, end);
  }
}

/** Linear in the text's length. */
export function tokensOf(given: string): Tokens & { text: string } {
  const text = legible(given);
  const { words, starts, ends, cuts, spoken } = new Scanner(text);
  return { text, words, starts, ends, passages: passagesOf(cuts, spoken) };
}

function passagesOf(cuts: readonly number[], spoken: readonly number[]): [number, number][] {
  const passages: [number, number][] = [];
  let from = 0;
  let before = 0;
  let said = 0;
  for (const [place, to] of cuts.entries()) {
    const now = spoken[place] ?? 0;
    if (now - said < fewestWords) continue;
    said = now;
    passages.push([from, to]);
    if (before < from && to - before <= windowWords * 4) passages.push([before, to]);
    if (to - from > windowWords + windowStep)
      for (let at = from; at < to - windowStep; at += windowStep)
        passages.push([at, Math.min(to, at + windowWords)]);
    before = from;
    from = to;
  }
  return passages;
}
