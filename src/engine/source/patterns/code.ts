import type { Argument, Expression, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import type { Place } from './walk.ts';

/** Lines that are comments say nothing of what the code does. */
const withoutComments = (code: string): string =>
  code.replaceAll(/^[ \t]*(?:\/\/|#(?![[!])|\*).*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** The longest code that is looked through around a place, and of a file. */
const longestCode = 20_000;
const longestFile = 1_000_000;

interface Span {
  at: number;
  end: number;
}

/** The code of one file around its places, without comments. */
export class Code {
  readonly #module: SourceModule;
  readonly #around = new Map<FunctionForm | undefined, string>();
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

  /** What a call or a decorator registers, with all else that is given there; the whole file where it is another one's. */
  ofHandler(args: readonly Argument[], { marks }: Place): string {
    const functions: Span[] = args.flatMap(({ value }) => this.#functionOf(value) ?? []);
    if (marks !== undefined) functions.push(marks);
    if (functions.length === 0) return this.ofFile();
    return withoutComments(
      [...args.map(({ value }) => value), ...functions].map((each) => this.textOf(each)).join('\n'),
    );
  }

  #functionOf(value: Expression): FunctionForm | undefined {
    if (value.is === 'function') return value.fn;
    return value.is === 'name' ? this.#named().get(value.name) : undefined;
  }

  #named(): ReadonlyMap<string, FunctionForm> {
    this.#functions ??= new Map(
      this.#module.form.body.flatMap((each) =>
        each.is === 'function' ? [[each.fn.name, each.fn] as const] : [],
      ),
    );
    return this.#functions;
  }
}
