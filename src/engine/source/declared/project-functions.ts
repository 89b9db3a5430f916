/** All functions of a project by their names, for what is told by how functions belong together. */
import type { Expression, FunctionForm } from '../form/form.ts';
import { isTest, type SourceModule } from '../modules.ts';
import { withoutComments } from '../patterns/code.ts';
import { FormWalk } from '../patterns/walk.ts';

export interface Own {
  module: SourceModule;
  fn: FunctionForm;
  name: string;
}

export interface Span {
  at: number;
  end: number;
}

const longestCode = 20_000;
/** A name that so many functions have says of none which one it is. */
const mostOfAName = 3;
const calledLimit = 40;

const nothing = (): void => undefined;
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export class ProjectFunctions {
  readonly all: Own[] = [];
  readonly #byName = new Map<string, Own[]>();
  /** What variables and fields of a file are set to. */
  readonly #set = new Map<SourceModule, Map<string, Expression>>();
  readonly #code = new Map<Span, string>();

  constructor(modules: readonly SourceModule[]) {
    for (const module of modules) if (!isTest(module)) this.#read(module);
  }

  #read(module: SourceModule): void {
    const named = new Map<FunctionForm, string>();
    const set = new Map<string, Expression>();
    this.#set.set(module, set);
    new FormWalk({
      call: nothing,
      binary: nothing,
      loop: nothing,
      entry: (name, value) => {
        if (value.is === 'function') named.set(value.fn, name);
      },
      variable: (target, value) => {
        const name =
          target.is === 'name' ? target.name : target.is === 'member' ? target.property : undefined;
        if (name === undefined || value === undefined || value.is === 'function') return;
        if (!set.has(name)) set.set(name, value);
      },
      fn: (fn) => {
        const own = { module, fn, name: fn.name === '' ? (named.get(fn) ?? '') : lastOf(fn.name) };
        this.all.push(own);
        if (own.name === '') return;
        const known = this.#byName.get(own.name);
        if (known === undefined) this.#byName.set(own.name, [own]);
        else known.push(own);
      },
    }).run(module.form.body);
  }

  /** Those of a file where it has one of this name, else those of all files. */
  named(name: string, module: SourceModule, caller?: FunctionForm): readonly Own[] {
    // A function that calls one of its own name in another file is not the one that it calls.
    const all = (this.#byName.get(name) ?? []).filter(({ fn }) => fn !== caller);
    const here = all.filter((each) => each.module === module);
    const meant = here.length > 0 ? here : all;
    return meant.length > mostOfAName ? [] : meant;
  }

  /** What a variable of a file is set to at first. */
  setTo(name: string, module: SourceModule): Expression | undefined {
    return this.#set.get(module)?.get(name);
  }

  /** As it is written, without comments. */
  codeOf(module: SourceModule, span: Span): string {
    let code = this.#code.get(span);
    if (code === undefined) {
      code = withoutComments(module.text.slice(span.at, Math.min(span.end, span.at + longestCode)));
      this.#code.set(span, code);
    }
    return code;
  }

  /** Functions that code of a file calls or names, by their names alone. */
  calledIn(code: string, module: SourceModule): readonly Own[] {
    const names = new Set([...code.matchAll(/\b([A-Za-z_$][\w$]*)\s*\(/g)].map(([, name = '']) => name));
    return [...names].flatMap((name) => this.named(name, module)).slice(0, calledLimit);
  }
}
