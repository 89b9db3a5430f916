/** Reads the patterns of allow-lists: regular expressions without anything that needs backtracking. */
import { invalid } from '#base/errors.ts';

/** Code points from the first to the last. */
export type Range = readonly [from: number, to: number];

export type Node =
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly Range[] }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number };

const mostRepeats = 1000;
const mostDepth = 50;

const codeOf = (character: string) => character.codePointAt(0) ?? 0;
const digit: Range = [0x30, 0x39];
const word: readonly Range[] = [digit, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const classes: Record<string, readonly Range[]> = { d: [digit], w: word, s: [[0x20, 0x20]] };

const refuse = (what: string): never => {
  throw invalid(`'content' is no pattern that can be used: ${what}.`);
};

/** The ranges of `\d` and the like; undefined for other letters. */
function classNamed(letter: string): { negated: boolean; ranges: readonly Range[] } | undefined {
  const ranges = classes[letter.toLowerCase()];
  return ranges && { negated: letter !== letter.toLowerCase(), ranges };
}

const everyCode: Range = [0, 0x10ffff];

/** What the ranges leave over. */
function opposite(ranges: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let next = everyCode[0];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) rest.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= everyCode[1]) rest.push([next, everyCode[1]]);
  return rest;
}

/** @throws AppError 422 that names the position at which the pattern is invalid. */
export const parsePattern = (pattern: string): Node => new PatternParser(pattern).parse();

/** By recursive descent: each method reads one part of the grammar from the current position. */
class PatternParser {
  readonly #characters;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern.normalize('NFKC'));
  }

  parse(): Node {
    const parsed = this.#choice();
    if (this.#at < this.#characters.length) refuse('a ) closes nothing');
    return parsed;
  }

  #peek() {
    return this.#characters[this.#at];
  }

  #takeIf(character: string) {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.#takeIf('|')) items.push(this.#sequence());
    return items.length === 1 ? (items[0] as Node) : { kind: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#peek() !== undefined && this.#peek() !== '|' && this.#peek() !== ')')
      items.push(...this.#repeated(this.#atom()));
    return { kind: 'sequence', items };
  }

  #repeated(atoms: readonly Node[]): Node[] {
    const bounds = this.#quantifier();
    if (bounds === undefined) return [...atoms];
    if (this.#quantifier() !== undefined)
      refuse('a quantifier follows another; put what the first one repeats into a group');
    const item: Node = atoms.length === 1 ? (atoms[0] as Node) : { kind: 'sequence', items: atoms };
    return [{ kind: 'repeat', item, ...bounds }];
  }

  #quantifier(): { min: number; max: number } | undefined {
    if (this.#takeIf('*')) return { min: 0, max: Infinity };
    if (this.#takeIf('+')) return { min: 1, max: Infinity };
    if (this.#takeIf('?')) return { min: 0, max: 1 };
    return this.#peek() === '{' ? this.#counted() : undefined;
  }

  #counted(): { min: number; max: number } {
    const counts = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(
      this.#characters.slice(this.#at, this.#at + 12).join(''),
    );
    if (counts === null) return refuse('a { that is no quantifier; write \\{ for the character');
    const [whole, least = '', more, most] = counts;
    this.#at += whole.length;
    const min = Number(least);
    const max = more === undefined ? min : most === '' ? Infinity : Number(most);
    if (min > max) refuse(`{${min},${max}} ends before it begins`);
    if (min > mostRepeats || (max !== Infinity && max > mostRepeats))
      refuse(`a quantifier repeats more than ${mostRepeats} times`);
    return { min, max };
  }

  #atom(): Node[] {
    const character = this.#characters[this.#at++] ?? '';
    switch (character) {
      case '(':
        return [this.#group()];
      case '[':
        return [this.#bracket()];
      case '.':
        return [{ kind: 'class', negated: false, ranges: [everyCode] }];
      case '\\':
        return [this.#escape()];
      case '^':
      case '$':
        return refuse(
          `${character} is not needed, since a pattern matches the whole text; write \\${character} for the character`,
        );
      case '*':
      case '+':
      case '?':
      case '{':
        return refuse(
          `there is nothing that ${character} could repeat; write \\${character} for the character`,
        );
      default:
        // One character in capitals can be two in small letters.
        return Array.from(character.toLowerCase(), (each) => ({ kind: 'character', code: codeOf(each) }));
    }
  }

  #group(): Node {
    if (this.#takeIf('?') && !(this.#takeIf(':') as boolean))
      refuse('groups can only be (…) or (?:…): look-around and named groups are not possible');
    this.#depth += 1;
    if (this.#depth > mostDepth) refuse(`groups are nested deeper than ${mostDepth}`);
    const inner = this.#choice();
    if (!this.#takeIf(')')) refuse('a group is not closed');
    this.#depth -= 1;
    return inner;
  }

  #escape(): Node {
    const character = this.#characters[this.#at++] ?? refuse('it ends with a \\');
    const named = classNamed(character);
    if (named !== undefined) return { kind: 'class', ...named };
    if (/[\p{L}\p{N}]/u.test(character))
      refuse(`\\${character} is not possible; there are \\d, \\w, \\s, their opposites, and escaped signs`);
    return { kind: 'character', code: codeOf(character) };
  }

  #bracket(): Node {
    const negated = this.#takeIf('^');
    const ranges: Range[] = [];
    do ranges.push(...this.#member());
    while (!this.#takeIf(']'));
    return { kind: 'class', negated, ranges };
  }

  #member(): readonly Range[] {
    const from = this.#bracketCharacter();
    if (typeof from !== 'number') return from;
    if (this.#peek() !== '-' || this.#characters[this.#at + 1] === ']') return [[from, from]];
    this.#at += 1;
    const to = this.#bracketCharacter();
    if (typeof to !== 'number' || to < from) return refuse('a range in [ ] ends before it begins');
    return [[from, to]];
  }

  #bracketCharacter(): number | readonly Range[] {
    const character = this.#characters[this.#at++] ?? refuse('a [ is not closed');
    if (character !== '\\') return codeOf(character);
    const escaped = this.#escape();
    if (escaped.kind === 'character') return escaped.code;
    if (escaped.kind !== 'class') return refuse('a [ ] holds what is no character');
    return escaped.negated ? opposite(escaped.ranges) : escaped.ranges;
  }
}
