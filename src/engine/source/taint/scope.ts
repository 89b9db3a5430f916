import { clean, join, type Value, type Surroundings } from './value.ts';

/** Surroundings by name, with those of the function around. */
export class Scope implements Surroundings {
  variables: Map<string, Value>;
  readonly around: Surroundings | undefined;
  /** How many branches are followed within each other: what is set there may not happen. */
  branches = 0;
  /** Surroundings of a function around, of which more is known here. */
  #shadows: Set<string> | undefined;

  constructor(around?: Surroundings, variables = new Map<string, Value>()) {
    this.around = around;
    this.variables = variables;
  }

  find(name: string): Value | undefined {
    let value = this.variables.get(name);
    for (let scope = this.around; value === undefined && scope !== undefined; scope = scope.around)
      value = scope.variables.get(name);
    return value;
  }

  /** Sets a variable where it lies; a new one here. */
  set(name: string, value: Value): void {
    const isHere = this.variables.has(name);
    const holder = isHere && this.#shadows?.has(name) !== true ? this : this.#holderAround(name);
    if (holder === undefined || holder === this) {
      this.variables.set(name, value);
      return;
    }
    if (isHere || this.branches > 0) this.shadow(name, value);
    // On another way it is what it was.
    const before = this.branches > 0 ? holder.variables.get(name) : undefined;
    holder.variables.set(name, before === undefined ? value : join(before, value));
  }

  /** A variable of this function itself, whatever those around have under its name. */
  declare(name: string): void {
    this.#shadows?.delete(name);
    if (this.around !== undefined && !this.variables.has(name)) this.variables.set(name, clean);
  }

  /** What is known of a variable on the way at hand, wherever it lies. */
  shadow(name: string, value: Value): void {
    if (!this.variables.has(name) && this.#holderAround(name) !== undefined)
      (this.#shadows ??= new Set()).add(name);
    this.variables.set(name, value);
  }

  holds(name: string): boolean {
    return this.#holder(name) !== undefined;
  }

  /** The innermost scope that has the variable. */
  #holder(name: string): Surroundings | undefined {
    return this.variables.has(name) ? this : this.#holderAround(name);
  }

  /** The same among those around. */
  #holderAround(name: string): Surroundings | undefined {
    let scope = this.around;
    while (scope !== undefined && !scope.variables.has(name)) scope = scope.around;
    return scope;
  }
}
