/**
 * A command line as the shell takes it apart (POSIX shell command language): quotes, escapes, comments, redirections,
 * here-documents, pipes, lists, and substitutions. What a substitution or a pipe gives is known where it is plain text
 * of the line itself, as in `$(printf "\x72\x6d") -rf /`; nothing is run.
 */
import type { ShellCommand } from './shell-command.ts';
import { ansiText } from './shell-escapes.ts';
import { braceMarks, expandBraces } from './shell-braces.ts';
import { ShellBudget } from './shell-budget.ts';
import { outputOf } from './shell-output.ts';

const deepest = 6;
const longestVariable = 400;
/** What begins a quoted, escaped or substituted piece. */
const pieces = new Set(["'", '"', '\\', '$', '`']);
const nameShape = /^[A-Za-z_]\w*/;
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

interface HereDocument {
  readonly end: string;
  readonly indented: boolean;
}

class ShellParser {
  readonly #text: string;
  readonly #depth: number;
  readonly #variables: Map<string, string>;
  readonly #budget: ShellBudget;
  readonly #commands: ShellCommand[] = [];
  #at = 0;
  #words: string[] = [];
  #word: string | undefined;
  #writes: string[] = [];
  #reads: string[] = [];
  #piped = false;
  #input: string | undefined;
  #redirect = '';
  #documents: HereDocument[] = [];

  constructor(text: string, depth: number, variables: Map<string, string>, budget: ShellBudget) {
    this.#budget = budget;
    this.#text = text;
    this.#depth = depth;
    this.#variables = variables;
  }

  parse(): ShellCommand[] {
    while (this.#at < this.#text.length && this.#budget.goesOn) this.#step();
    this.#endCommand(false);
    return this.#commands;
  }

  #step(): void {
    const char = this.#text.charAt(this.#at);
    if (pieces.has(char)) this.#readPiece();
    else if (char === '#' && this.#word === undefined) this.#skipTo('\n');
    else if (char === ' ' || char === '\t') this.#endWord(1);
    else if (char in braceMarks) this.#add(braceMarks[char] ?? char, 1);
    else if ('<>'.includes(char)) this.#readRedirect();
    else if (';|&()\n'.includes(char)) this.#readOperator(char);
    else this.#add(char, 1);
  }

  #add(text: string, length: number): void {
    this.#word = (this.#word ?? '') + text;
    this.#at += length;
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at);
    this.#at = found < 0 ? this.#text.length : found;
  }

  /** A quoted, escaped or substituted piece of a word. */
  #readPiece(): void {
    const char = this.#text.charAt(this.#at);
    if (char === '\\') this.#add(this.#text.charAt(this.#at + 1).replace('\n', ''), 2);
    else if (char === "'") this.#addUntil("'", 1, (text) => text);
    else if (char === '"') this.#readDouble();
    else if (char === '`') this.#readBackticks(false);
    else this.#readDollar(false);
  }

  #addUntil(end: string, skip: number, change: (text: string) => string): void {
    const from = this.#at + skip;
    const found = this.#text.indexOf(end, from);
    const to = found < 0 ? this.#text.length : found;
    this.#at = to + 1;
    this.#add(change(this.#text.slice(from, to)), 0);
  }

  #readDouble(): void {
    this.#add('', 1);
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === '"') {
        this.#at++;
        return;
      }
      if (char === '\\') {
        const next = this.#text.charAt(this.#at + 1);
        this.#add('"\\$`'.includes(next) ? next : next === '\n' ? '' : `\\${next}`, 2);
      } else if (char === '`') this.#readBackticks(true);
      else if (char === '$') this.#readDollar(true);
      else this.#add(char, 1);
    }
  }

  #readBackticks(quoted: boolean): void {
    const from = this.#at + 1;
    const found = this.#text.indexOf('`', from);
    const to = found < 0 ? this.#text.length : found;
    this.#at = to + 1;
    this.#substitute(this.#text.slice(from, to), quoted);
  }

  #readDollar(quoted: boolean): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "'" && !quoted) this.#addUntil("'", 2, ansiText);
    else if (next === '(') this.#readSubstitution(quoted);
    else this.#readVariable(quoted);
  }

  #readSubstitution(quoted: boolean): void {
    const from = this.#at + 2;
    const to = closing(this.#text, from);
    this.#at = to + 1;
    this.#substitute(this.#text.slice(from, to), quoted);
  }

  /** The commands of a substitution are commands of the line; what they write stands in the word. */
  #substitute(text: string, quoted: boolean): void {
    this.#add('', 0);
    if (this.#depth >= deepest) {
      this.#budget.cut();
      return;
    }
    const inner = new ShellParser(text, this.#depth + 1, this.#variables, this.#budget).parse();
    for (const one of inner) this.#commands.push(one);
    const last = inner.at(-1);
    this.#insert(last === undefined ? '' : (outputOf(last, this.#budget) ?? ''), quoted);
  }

  /** A value outside of quotes is cut into words. */
  #insert(value: string, quoted: boolean): void {
    if (!this.#budget.takes(value.length + 1)) return;
    if (quoted) {
      this.#add(value, 0);
      return;
    }
    const own = this.#variables.get('IFS') ?? '';
    const parts = own === '' ? value.trim().split(/\s+/) : value.split(new RegExp(`[${escaped(own)}\\s]+`));
    const [first = '', ...more] = parts;
    this.#add(first, 0);
    for (const one of more) {
      this.#endWord(0);
      this.#add(one, 0);
    }
  }

  #readVariable(quoted: boolean): void {
    const rest = this.#text.slice(this.#at + 1, this.#at + longestVariable);
    const braced = /^\{([A-Za-z_]\w*)(?::?[-=]([^{}$`]*))?\}/.exec(rest);
    if (this.#readSeparator(rest, quoted)) return;
    const name = braced?.[1] ?? nameShape.exec(rest)?.[0];
    const length = 1 + (braced?.[0] ?? name ?? '').length;
    const value = this.#variables.get(name ?? '') ?? braced?.[2];
    const said = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    if (value === undefined) this.#add(said, 0);
    else this.#insert(value, quoted);
  }

  /** `$IFS`, `${IFS}`, `${IFS%?}`: what stands between words. */
  #readSeparator(rest: string, quoted: boolean): boolean {
    const found = /^(?:IFS(?!\w)|\{IFS(?![\w])[^{}]{0,20}\})(?:\$\d)?/.exec(rest);
    if (found === null || this.#variables.has('IFS')) return false;
    if (quoted) this.#add(' ', 1 + found[0].length);
    else this.#endWord(1 + found[0].length);
    return true;
  }

  #readRedirect(): void {
    const sign =
      /^(?:<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0] ?? '>';
    // The number or the `&` before it says which stream is meant.
    if (this.#word !== undefined && /^(?:\d|&)$/.test(this.#word)) this.#word = undefined;
    this.#endWord(sign.length);
    this.#redirect = sign;
  }

  #endWord(skip: number): void {
    this.#at += skip;
    const written = this.#word;
    if (written === undefined) return;
    this.#word = undefined;
    const redirect = this.#redirect;
    this.#redirect = '';
    const [word = '', ...others] = expandBraces(written, this.#budget);
    if (redirect === '') this.#words.push(word, ...others);
    else if (redirect === '<<<') this.#input = word;
    else if (redirect.startsWith('<<')) this.#documents.push({ end: word, indented: redirect === '<<-' });
    else if (redirect === '<') this.#reads.push(word);
    else if (redirect.startsWith('>') && redirect !== '>&') this.#writes.push(word);
  }

  #readOperator(char: string): void {
    const isPipe = char === '|' && this.#text.charAt(this.#at + 1) !== '|';
    const isStream = char === '&' && this.#text.charAt(this.#at + 1) === '>';
    if (isStream) {
      this.#endWord(1);
      return;
    }
    this.#endWord(0);
    if (char === '\n' && this.#documents.length > 0) {
      this.#at++;
      this.#readDocuments();
      this.#endCommand(false);
      return;
    }
    this.#endCommand(isPipe);
    this.#at++;
  }

  /** The lines of here-documents, up to the word that ends each. */
  #readDocuments(): void {
    for (const { end, indented } of this.#documents) {
      const lines: string[] = [];
      while (this.#at < this.#text.length) {
        const from = this.#at;
        this.#skipTo('\n');
        const line = this.#text.slice(from, this.#at);
        this.#at++;
        if ((indented ? line.trimStart() : line) === end) break;
        lines.push(line);
      }
      this.#input = lines.join('\n');
    }
    this.#documents = [];
  }

  #endCommand(pipes: boolean): void {
    this.#endWord(0);
    const words = this.#words;
    const before = this.#piped ? this.#commands.at(-1) : undefined;
    const input = this.#input ?? (before === undefined ? undefined : outputOf(before, this.#budget));
    if ((words.length > 0 || this.#writes.length > 0) && this.#budget.counts())
      this.#commands.push({ words, piped: this.#piped, input, writes: this.#writes, reads: this.#reads });
    if (words.every((word) => assignment.test(word)))
      for (const word of words) {
        const [, name = '', value = ''] = assignment.exec(word) ?? [];
        this.#variables.set(name, value);
      }
    this.#words = [];
    this.#writes = [];
    this.#reads = [];
    this.#input = undefined;
    this.#redirect = '';
    this.#piped = pipes;
  }
}

const escaped = (signs: string) => signs.replaceAll(/[\\\]^-]/g, String.raw`\$&`);

/** Where the bracket that was opened before is closed, minding quotes. */
function closing(text: string, from: number): number {
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '\\') at++;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** The simple commands of a command line, those of substitutions before the one that they stand in. */
export const parseShell = (line: string, budget = new ShellBudget()): ShellCommand[] =>
  new ShellParser(line, 0, new Map(), budget).parse();
