import type { SourceModule } from '../modules.ts';
import type { Machine } from './frame.ts';
import { moduleName } from './module-name.ts';
import type { Model } from './model.ts';
import { clean, join, type Value } from './value.ts';

/** A module of which only the folder is known: it has what any module there has. */
function oneOf(modules: readonly SourceModule[], machine: Machine): Value | undefined {
  if (modules.length === 0) return undefined;
  const fields = new Map<string, Value>();
  for (const module of modules)
    for (const name of [
      ...machine.topOf(module).variables.keys(),
      ...module.form.exports.map((each) => each.name),
    ]) {
      const value = machine.global(name, module);
      if (value !== undefined) fields.set(name, join(fields.get(name) ?? clean, value));
    }
  return { taints: [], fields };
}

/** `require(name)`, `import(name)`, `importlib.import_module(name)`. */
export const required: Model = ({ args, machine, frame }) => {
  const { constant: name, beginning } = args[0]?.value ?? clean;
  if (typeof name !== 'string') return oneOf(machine.finder.under(frame.module, beginning ?? ''), machine);
  const module = machine.finder.find(frame.module, name);
  return module === undefined ? { taints: [], ref: moduleName(name) } : { taints: [], module };
};
