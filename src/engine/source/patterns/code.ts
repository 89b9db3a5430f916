import type { Argument, Expression, FunctionForm, Statement } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { FormWalk, type Place } from './walk.ts';

/** Lines that are comments say nothing of what the code does. */
export const withoutComments = (code: string): string =>
  code.replaceAll(/^[ \t]*(?:\/\/|#(?![[!])|\*).*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** The longest code that is looked through around a place, and of a file. */
const longestCode = 20_000;
const longestFile = 1_000_000;

/** How far functions are followed that a handler calls, and how many of them each time. */
const callDepth = 2;
const calledLimit = 40;

interface Span {
  at: number;
  end: number;
}

const nothing = (): void => undefined;

const isComment = /^\s*(?:\/\/|#(?![[!])|\*|\/\*)/;

/** The code of one file around its places, without comments. */
export class Code {
  readonly #module: SourceModule;
  readonly #around = new Map<FunctionForm | undefined, string>();
  #outside: string | undefined;
  #whole: string | undefined;
  #functions: ReadonlyMap<string, FunctionForm> | undefined;

  constructor(module: SourceModule) {
    this.#module = module;
  }

  /** As it is written. */
  textOf({ at, end }: Span): string {
    return this.#module.text.slice(at, end);
  }

  of(span: Span): string {
    return withoutComments(this.textOf(span).slice(0, longestCode));
  }

  ofFile(): string {
    return (this.#whole ??= withoutComments(this.#module.text.slice(0, longestFile)));
  }

  /** Of the function around a place, or of the file. */
  around({ fn }: Place): string {
    let code = this.#around.get(fn);
    if (code === undefined) {
      code = this.of(fn ?? { at: 0, end: this.#module.text.length });
      this.#around.set(fn, code);
    }
    return code;
  }

  /** Of the function around a place, or what of the file runs with it: what stands in functions does not. */
  runningAt(place: Place): string {
    return place.fn === undefined ? (this.#outside ??= this.#withoutFunctions()) : this.around(place);
  }

  #withoutFunctions(): string {
    const { text, form } = this.#module;
    const parts: string[] = [];
    let from = 0;
    const visitor = {
      call: nothing,
      entry: nothing,
      binary: nothing,
      loop: nothing,
      fn: ({ at, end }: Span): void => {
        if (at < from) return;
        parts.push(text.slice(from, at));
        from = end;
      },
    };
    new FormWalk(visitor).run(form.body);
    parts.push(text.slice(from));
    return withoutComments(parts.join('\n').slice(0, longestCode));
  }

  /** Where an expression first matches in the function around a place; in the file where there is none. */
  placeOf(wanted: RegExp, { fn }: Place): Span | undefined {
    const { at, end } = fn ?? { at: 0, end: this.#module.text.length };
    const code = this.#module.text.slice(at, Math.min(end, at + longestCode));
    for (const found of code.matchAll(new RegExp(wanted.source, `${wanted.flags}g`))) {
      const line = code.slice(code.lastIndexOf('\n', found.index) + 1, found.index);
      if (!isComment.test(line)) return { at: at + found.index, end: at + found.index + found[0].length };
    }
    return undefined;
  }

  /**
   * What a call or a decorator registers, with all else that is given there and the functions of this file that it
   * calls; the whole file where it is another one's.
   */
  ofHandler(args: readonly Argument[], { marks }: Place): string {
    const functions: Span[] = args.flatMap(({ value }) => this.#functionsOf(value));
    if (marks !== undefined) functions.push(marks);
    if (functions.length === 0) return this.ofFile();
    const spans = new Set<Span>([...args.map(({ value }) => value), ...functions]);
    // What the handler calls may check for it, and what that calls.
    let fresh: readonly Span[] = functions;
    for (let depth = 0; depth < callDepth; depth++) fresh = this.#addCalled(fresh, spans);
    return withoutComments([...spans].map((each) => this.textOf(each).slice(0, longestCode)).join('\n'));
  }

  #addCalled(from: readonly Span[], spans: Set<Span>): readonly Span[] {
    const names = from.flatMap((each) =>
      [...this.of(each).matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name),
    );
    const called = [...new Set(names)]
      .flatMap((name) => this.#named().get(name) ?? [])
      .filter((each) => !spans.has(each))
      .slice(0, calledLimit);
    for (const each of called) spans.add(each);
    return called;
  }

  /** Also of `h.received` and `post(received)`. */
  #functionsOf(value: Expression): FunctionForm[] {
    if (value.is === 'function') return [value.fn];
    if (value.is === 'call') return value.args.flatMap(({ value: inner }) => this.#functionsOf(inner));
    const name = value.is === 'name' ? value.name : value.is === 'member' ? value.property : undefined;
    return name === undefined ? [] : [this.#named().get(name) ?? []].flat();
  }

  #named(): ReadonlyMap<string, FunctionForm> {
    this.#functions ??= new Map(
      this.#module.form.body.flatMap(functionsIn).map((fn) => [lastOf(fn.name), fn] as const),
    );
    return this.#functions;
  }
}

/** Functions and methods of a file, and variables that hold one. */
function functionsIn(statement: Statement): FunctionForm[] {
  if (statement.is === 'function') return [statement.fn];
  if (statement.is === 'class') return [...statement.form.methods];
  if (statement.is !== 'do' || statement.value.is !== 'assign') return [];
  const { target, value } = statement.value;
  return target.is === 'name' && value.is === 'function' ? [{ ...value.fn, name: target.name }] : [];
}

/** `received` of `Shop.received`: Go's methods of a type that another file declares. */
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
