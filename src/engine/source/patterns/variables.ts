import type { Expression, FunctionForm, ModuleForm, Target } from '../form/form.ts';
import { FormWalk, type Place } from './walk.ts';

interface Scope {
  outer: FunctionForm | undefined;
  /** What each is set to; undefined where that is not known, or where it is set several times. */
  set: Map<string, Expression | undefined>;
}

/** Names within a target that is taken apart. */
function namesIn(target: Target): string[] {
  if (target.is === 'name') return [target.name];
  if (target.is === 'fields') return target.fields.flatMap(({ target: part }) => namesIn(part));
  if (target.is !== 'items') return [];
  return target.items.flatMap((part) => (part === undefined ? [] : namesIn(part)));
}

/** What variables of each function are set to: two functions may have one of the same name. */
export class Variables {
  readonly #scopes = new Map<FunctionForm, Scope>();
  readonly #ofModule = new Map<string, Expression | undefined>();

  constructor(form: ModuleForm) {
    const nothing = (): void => undefined;
    const note = (target: Target, value: Expression | undefined, { fn, outer }: Place): void => {
      const whole = target.is === 'name' ? value : undefined;
      const set = fn === undefined ? this.#ofModule : this.#scopeOf(fn, outer).set;
      for (const name of namesIn(target)) set.set(name, set.has(name) ? undefined : whole);
    };
    const visitor = { call: nothing, entry: nothing, binary: nothing, loop: nothing, variable: note };
    new FormWalk({
      ...visitor,
      fn: (fn, { outer }) => void this.#scopeOf(fn, outer),
    }).run(form.body);
  }

  #scopeOf(fn: FunctionForm, outer: FunctionForm | undefined): Scope {
    const scope = this.#scopes.get(fn) ?? { outer, set: new Map<string, Expression | undefined>() };
    this.#scopes.set(fn, scope);
    return scope;
  }

  /** What a name is set to within a function, or in one around it; undefined where it is none of their variables. */
  of(name: string, within: FunctionForm | undefined): { value: Expression | undefined } | undefined {
    let fn = within;
    for (let depth = 0; depth < 20 && fn !== undefined; depth++) {
      const scope = this.#scopes.get(fn);
      if (scope?.set.has(name) === true) return { value: scope.set.get(name) };
      fn = scope?.outer;
    }
    return this.#ofModule.has(name) ? { value: this.#ofModule.get(name) } : undefined;
  }
}
