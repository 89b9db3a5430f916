/** Classes of Python that learn of those derived from them: `__init_subclass__`, and marks of classes. */
import type { Expression } from '../form/form.ts';
import { basesOf } from './bases.ts';
import type { Frame, Given, Machine } from './frame.ts';
import type { ClassValue, Value } from './value.ts';

/** `class Search(Tool, name='search')`: what stands behind the bases is given to the class above. */
const isSetting = /^(\w+)\s*=\s*(['"])([^'"]*)\2$/s;

function settingsOf({ form }: ClassValue, expression: Expression): Given[] {
  return form.bases.flatMap((base): Given[] => {
    const [, name, , constant] = isSetting.exec(base) ?? [];
    return name === undefined || constant === undefined
      ? []
      : [{ name, value: { taints: [], constant }, expression, isSpread: false }];
  });
}

/** Runs what a class above says of each class that is derived from it, and what marks do with the class. */
export function tellBases(cls: ClassValue, machine: Machine, frame: Frame): void {
  if (frame.module.grammar !== 'python') return;
  const { form } = cls;
  const at: Expression = { is: 'name', name: form.name, at: form.at, end: form.end };
  const self: Value = { taints: [], instance: cls, cls };
  const above = form.bases.length === 0 ? undefined : methodAbove(cls, machine);
  if (above !== undefined) machine.call({ ...above, self }, settingsOf(cls, at), frame, at);
  for (const mark of form.marks) {
    const { fn } = machine.evaluate(mark, frame);
    const given: Given = { value: { taints: [], cls }, expression: at, isSpread: false };
    if (fn !== undefined) machine.call(fn, [given], frame, at);
  }
}

function methodAbove(cls: ClassValue, machine: Machine) {
  for (const base of basesOf(cls, machine)) {
    const method = machine.methodOf(base, '__init_subclass__');
    if (method !== undefined) return method;
  }
  return undefined;
}
