/** Lists as they are written, with others that are put into them. */
import type { Expression } from '../form/form.ts';
import { listedAt } from './built.ts';
import { withExports } from './module-exports.ts';
import type { Frame, Machine } from './frame.ts';
import { clean, join, type Value } from './value.ts';

type ListExpression = Extract<Expression, { is: 'list' }>;

/** Elements of a list whose order is known: put into another list they keep it. */
export function orderedElements({ taints, fields }: Value): readonly Value[] | undefined {
  if (fields === undefined || taints.length > 0 || fields.size > 20) return undefined;
  const isOrdered = [...fields.keys()].every((name, at) => name === String(at));
  return isOrdered ? [...fields.values()] : undefined;
}

/** Elements that stand in one place, as their order is not known. */
function addSeveral(fields: Map<string, Value>, value: Value): void {
  const add = (each: Value) => fields.set('*', join(fields.get('*') ?? clean, each));
  if (value.taints.length > 0)
    add({ taints: value.taints, ...(value.ref === undefined ? {} : { ref: value.ref }) });
  for (const field of value.fields?.values() ?? []) add(field);
}

/** `[first, ...others]`; what is put in keeps its place, so that what stands before it (`--`) holds for it. */
export function listValue({ items, at, end }: ListExpression, machine: Machine, frame: Frame): Value {
  const place = { module: frame.module, at, end };
  const fields = new Map<string, Value>();
  let isClosed = items.length > 0;
  let next = 0;
  for (const item of items) {
    const value = machine.evaluate(item, frame);
    isClosed &&= value.constant !== undefined || value.isClosed === true;
    const elements =
      item.is === 'spread' ? orderedElements(value) : [listedAt(withExports(value, machine), place)];
    for (const each of elements ?? []) fields.set(String(next++), each);
    if (elements !== undefined) continue;
    addSeveral(fields, value);
    next++;
  }
  return { taints: [], fields, ...(isClosed ? { isClosed: true } : {}) };
}
