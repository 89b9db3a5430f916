/** A module as a table of what it exports: `{ ...handlers }`, `Object.entries(handlers)`. */
import type { SourceModule } from '../modules.ts';
import type { Machine } from './frame.ts';
import type { Value } from './value.ts';

const exported = /^export\s+(?:default\s+)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+([\w$]+)/gm;

/** Names that a module of JavaScript exports where it declares them, and those of its lists. */
function namesOf({ form, text }: SourceModule): ReadonlySet<string> {
  const listed = form.exports.map(({ name }) => name).filter((name) => name !== '*');
  return new Set([...Array.from(text.matchAll(exported), ([, name = '']) => name), ...listed]);
}

/** `exports.read = …`, `module.exports = {…}` */
export const commonOf = (module: SourceModule, machine: Machine): Value | undefined => {
  const top = machine.topOf(module);
  return top.find('module')?.fields?.get('exports') ?? top.find('exports');
};

/** The same value, with its exports as fields where it is a whole module of the project. */
export function withExports(value: Value, machine: Machine): Value {
  const { module } = value;
  if (module === undefined || value.fields !== undefined) return value;
  const fields = new Map<string, Value>(commonOf(module, machine)?.fields);
  for (const name of namesOf(module)) {
    const each = machine.global(name, module);
    if (each !== undefined)
      fields.set(name, each.fn === undefined ? each : { ...each, fn: { ...each.fn, key: name } });
  }
  return { taints: [], fields };
}

/** The values that a module of JavaScript gives to others: declared, listed, by default and through `exports`. */
export function exportsOf(module: SourceModule, machine: Machine): Value[] {
  const top = machine.topOf(module);
  const own = module.form.exports.filter((each) => each.module === undefined).map(({ local }) => local);
  const names = new Set([...Array.from(module.text.matchAll(exported), ([, name = '']) => name), ...own]);
  const common = commonOf(module, machine);
  return [...[...names, 'default'].map((name) => (name === '*' ? undefined : top.find(name))), common].filter(
    (value) => value !== undefined,
  );
}
