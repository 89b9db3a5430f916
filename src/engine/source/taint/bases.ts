import type { Expression } from '../form/form.ts';
import type { Frame, Machine } from './frame.ts';
import type { ClassValue, Value } from './value.ts';

/** The classes of the project that a class is derived from, nearest first. */
export function basesOf(cls: ClassValue, machine: Machine): ClassValue[] {
  const found: ClassValue[] = [];
  const scope = cls.around ?? machine.topOf(cls.module);
  for (const base of cls.form.bases) {
    const value = machine.instanceByType(base, { module: cls.module, scope })?.instance;
    if (value !== undefined && value.form !== cls.form) found.push(value);
  }
  return found;
}

const isSuper = (expression: Expression): boolean =>
  (expression.is === 'name' && expression.name === 'super') ||
  (expression.is === 'call' && expression.callee.is === 'name' && expression.callee.name === 'super');

/** The name of the method that is meant; Python's `super()` is the object and no constructor. */
function nameAbove(callee: Expression, frame: Frame): string | undefined {
  if (callee.is === 'member') return isSuper(callee.object) ? callee.property : undefined;
  const isBare = callee.is === 'name' && callee.name === 'super';
  return isBare && frame.module.grammar !== 'python' ? 'constructor' : undefined;
}

/** `super(…)` and `super.method(…)`: what the class above has, for the object at hand. */
export function calledAbove(callee: Expression, machine: Machine, frame: Frame): Value | undefined {
  const name = nameAbove(callee, frame);
  if (name === undefined || frame.self === undefined || frame.fn?.owner === undefined) return undefined;
  const own = machine.instanceByType(frame.fn.owner, frame)?.instance ?? frame.self.instance;
  for (const base of own === undefined ? [] : basesOf(own, machine)) {
    const fn = machine.methodOf(base, name);
    if (fn !== undefined) return { taints: [], fn: { ...fn, self: frame.self } };
  }
  return undefined;
}
