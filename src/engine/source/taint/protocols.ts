/** Protocols of Python: any class is meant that has what they ask for, whether or not it names them. */
import type { ClassForm } from '../form/form.ts';
import type { FunctionValue } from './value.ts';

/** How many classes may be meant by one protocol. */
const mostMeant = 40;

/** Whether a class only says what others have. */
export const isProtocol = ({ bases }: ClassForm): boolean =>
  bases.some((base) => /^(?:\w+\.)?Protocol\b/.test(base));

/** Methods of Python's classes, by name. */
export class ByShape {
  readonly #methods = new Map<string, FunctionValue[]>();

  /** Remembers a method with an object of its class. */
  add(method: FunctionValue): void {
    if (method.module.grammar !== 'python') return;
    const known = this.#methods.get(method.fn.name);
    if (known === undefined) this.#methods.set(method.fn.name, [method]);
    else known.push(method);
  }

  /** Methods of this name in classes that have all that a protocol asks for. */
  find({ methods }: ClassForm, name: string): FunctionValue[] {
    const fits = ({ self }: FunctionValue): boolean => {
      const form = self?.instance?.form;
      if (form === undefined || isProtocol(form)) return false;
      const has = new Set(form.methods.map((each) => each.name));
      return methods.every((each) => has.has(each.name));
    };
    return (this.#methods.get(name) ?? []).filter(fits).slice(0, mostMeant);
  }
}
