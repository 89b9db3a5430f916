/** Lists that are made longer or shorter without being changed: `args.concat(more)`, `args.filter(Boolean)`. */
import { listedAt } from './built.ts';
import { orderedElements } from './lists.ts';
import type { Call, Model } from './model.ts';
import { elementOf } from './elements.ts';
import { clean, join, type Value } from './value.ts';

const isScript = ({ frame }: Call): boolean => /^(?:typescript|tsx)$/.test(frame.module.grammar);

/** `['clone'].concat(options, url)`: lists are taken apart, everything else is one element; the order is kept where it is known. */
export const longerList: Model = (call) => {
  const { called, args, frame, expression } = call;
  const first = called.object;
  if (!isScript(call) || first?.fields === undefined || first.constant !== undefined) return undefined;
  const place = { module: frame.module, at: expression.at, end: expression.end };
  const fields = new Map(first.fields);
  const addOne = (value: Value): void => {
    if (fields.has('*')) fields.set('*', join(fields.get('*') ?? clean, value));
    else fields.set(String(fields.size), value);
  };
  for (const { value } of args) {
    const elements = value.fields === undefined ? [listedAt(value, place)] : orderedElements(value);
    if (elements === undefined) fields.set('*', join(fields.get('*') ?? clean, elementOf(value)));
    else elements.forEach(addOne);
  }
  return { taints: first.taints, fields };
};

const keepsWhatIsThere = /^(?:Boolean|String)$/;

/** `list.filter(Boolean)`: the same without what is missing. */
export const withoutMissing: Model = (call) => {
  const [test] = call.args;
  const { object: list, method } = call.called;
  const isKept =
    method === 'filter' && test?.expression.is === 'name' && keepsWhatIsThere.test(test.expression.name);
  return isKept && isScript(call) && list?.fields !== undefined ? list : undefined;
};
