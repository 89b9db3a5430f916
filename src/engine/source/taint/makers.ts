import type { FunctionForm } from '../form/form.ts';
import type { FunctionValue } from './value.ts';

/** What only definitions of tools have in them. */
const definition = /\b(?:inputSchema|input_schema|InputSchema|Tool(?:::new)?\()/;

const longest = 3000;

const makers = new WeakMap<FunctionForm, boolean>();

/** Whether a function makes definitions of tools: `tool('name', 'description')` gives another one with each call. */
export function isMaker({ fn, module }: FunctionValue): boolean {
  let makes = makers.get(fn);
  if (makes === undefined) {
    makes = fn.end - fn.at < longest && definition.test(module.text.slice(fn.at, fn.end));
    makers.set(fn, makes);
  }
  return makes;
}
