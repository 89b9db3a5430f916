/** Words, digit runs and single symbols of one text, in order. */
export interface Tokens {
  /** What the model knows each token by: the word, `0` for digits, `<url>`, `<user>`, or the symbol. */
  words: string[];
  /** Code-unit range of each token in the tokenised text. */
  starts: number[];
  ends: number[];
  /** Numbers of the tokens that begin a line, the first token aside. */
  lineStarts: number[];
}

const unknown = 0;
const space = 1;
const letter = 2;
const digit = 3;
const symbol = 4;
/** Scripts written without spaces: each character is a token of its own. */
const ideograph = 5;
/** First half of a surrogate pair. */
const pair = 6;

/** Class of each UTF-16 unit, filled as units are met. */
const classes = new Uint8Array(65_536);

function classify(unit: number): number {
  const char = String.fromCharCode(unit);
  if (/\s/u.test(char)) return space;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(char)) return ideograph;
  if (/[\p{L}\p{M}]/u.test(char)) return letter;
  if (unit >= 0xd800 && unit <= 0xdbff) return pair;
  return /\p{Nd}/u.test(char) ? digit : symbol;
}

function classOf(unit: number): number {
  const known = classes[unit] ?? unknown;
  if (known !== unknown) return known;
  const found = classify(unit);
  classes[unit] = found;
  return found;
}

const maxWordLength = 40;

/** Where the run of `kind` that begins at `from` ends; words are cut at 40 units. */
function runEnd(text: string, from: number, kind: number): number {
  let at = from + 1;
  const limit = Math.min(text.length, from + maxWordLength);
  while (at < limit && classOf(text.charCodeAt(at)) === kind) at++;
  return at;
}

const isApostrophe = (unit: number) => unit === 0x27 || unit === 0x2019;

/** `don't` is one word, as are `it's` and `we'll`. */
function wordEnd(text: string, from: number): number {
  const end = runEnd(text, from, letter);
  if (end + 1 >= text.length || !isApostrophe(text.charCodeAt(end))) return end;
  if (classOf(text.charCodeAt(end + 1)) !== letter) return end;
  const tail = runEnd(text, end + 1, letter);
  return tail - end <= 3 ? tail : end;
}

/** The word from `from` to `end`, each apostrophe in its plain form, drawn-out letters (three and more) as two. */
function wordIn(text: string, from: number, end: number): string {
  const word = text.slice(from, end);
  let isPlain = true;
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at);
    const isDrawn = at >= from + 2 && unit === text.charCodeAt(at - 1) && unit === text.charCodeAt(at - 2);
    if (isDrawn || unit === 0x2019) isPlain = false;
  }
  return isPlain ? word : word.replaceAll('’', "'").replace(/(.)\1{2,}/g, '$1$1');
}

const urlHead = /^(?:https?:\/\/|www\.)[^\s"'<>)\]]*/;

/** Cuts folded text into tokens. Linear in its length. */
export function tokenise(text: string): Tokens {
  const tokens: Tokens = { words: [], starts: [], ends: [], lineStarts: [] };
  let at = 0;
  while (at < text.length) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === space) {
      if (text.charCodeAt(at) === 10) breakLine(tokens);
      at++;
      continue;
    }
    const end = tokenEnd(text, at, kind);
    tokens.words.push(tokenIn(text, at, end, kind));
    tokens.starts.push(at);
    tokens.ends.push(end);
    at = end;
  }
  return tokens;
}

function breakLine({ words, lineStarts }: Tokens): void {
  if (words.length > 0 && lineStarts.at(-1) !== words.length) lineStarts.push(words.length);
}

function tokenEnd(text: string, at: number, kind: number): number {
  if (kind === letter) {
    const url = urlAt(text, at);
    return url > 0 ? at + url : wordEnd(text, at);
  }
  if (kind === digit) return runEnd(text, at, digit);
  if (kind === pair) return Math.min(at + 2, text.length);
  return isUser(text, at) ? runEnd(text, at + 1, letter) : symbolEnd(text, at);
}

/** What the model knows the token from `at` to `end` by. */
function tokenIn(text: string, at: number, end: number, kind: number): string {
  if (kind === letter) return urlAt(text, at) > 0 ? '<url>' : wordIn(text, at, end);
  if (kind === digit) return '0';
  if (kind === pair) return text.slice(at, end);
  return isUser(text, at) ? '<user>' : text.charAt(at);
}

/** Whether a name follows an at sign. */
const isUser = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 0x40 && classOf(text.charCodeAt(at + 1) || 32) === letter;

/** Of a run of one symbol the first is a token and the rest is another: `!!!!` says no more than `!!`. */
function symbolEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let end = at + 1;
  if (text.charCodeAt(at - 1) !== unit) return end;
  while (end < text.length && text.charCodeAt(end) === unit) end++;
  return end;
}

/** Length of the address that begins here, or 0. */
function urlAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first !== 104 && first !== 119) return 0;
  if (!text.startsWith('http', at) && !text.startsWith('www.', at)) return 0;
  return urlHead.exec(text.slice(at, at + 200))?.[0].length ?? 0;
}
