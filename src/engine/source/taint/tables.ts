/** Tables: what is put together of others, and what they hold as pairs of a name and a value. */
import { withArchiveTaint } from './archive-entries.ts';
import { elementOf } from './elements.ts';
import type { Machine } from './frame.ts';
import type { Model } from './model.ts';
import { withExports } from './module-exports.ts';
import { joinTaints } from './taints.ts';
import { clean, join, type Value } from './value.ts';

/** `Object.assign(a, b)`. */
export const merged: Model = ({ args, machine }) => {
  const fields = new Map<string, Value>();
  for (const { value } of args)
    for (const [name, field] of withExports(value, machine).fields ?? []) fields.set(name, field);
  return { taints: joinTaints(args.map(({ value }) => value.taints)), fields };
};

/** `Map.of(key, value, …)`. */
export const pairs: Model = ({ args }) => {
  const fields = new Map<string, Value>();
  for (let at = 0; at + 1 < args.length; at += 2) {
    const key = args[at]?.value.constant;
    const value = args[at + 1]?.value ?? clean;
    fields.set(typeof key === 'string' ? key : '*', value);
  }
  return { taints: [], fields, isClosed: true };
};

/** The key and the value of `[name, value]`. */
function pairOf({ fields }: Value): readonly [key: Value, value: Value] | undefined {
  const [key, value] = [fields?.get('0'), fields?.get('1')];
  return fields?.size === 2 && key !== undefined && value !== undefined ? [key, value] : undefined;
}

/** `[[name, value], …]` as a table, where all of it is such pairs. */
export function tableOf(list: Value): Value | undefined {
  const elements = [...(list.fields?.values() ?? [])];
  const read = elements.map(pairOf).filter((pair) => pair !== undefined);
  if (read.length === 0 || read.length < elements.length || list.taints.length > 0) return undefined;
  const fields = new Map<string, Value>();
  for (const [key, value] of read) {
    if (typeof key.constant === 'string') fields.set(key.constant, value);
    else fields.set('*', join(fields.get('*') ?? clean, withTaints(value, key.taints)));
  }
  return { taints: [], fields, ...(fields.has('*') ? {} : { isClosed: true }) };
}

const withTaints = (value: Value, taints: Value['taints']): Value =>
  taints.length === 0 ? value : { ...value, taints: joinTaints([value.taints, taints]) };

/** A name of a table, which may be one of a library's. */
const nameIn = ({ taints, ref }: Value): Value =>
  ref === undefined || ref.length > 160 ? { taints } : { taints, ref: `${ref}.keys()[]` };

/** No element of a list of pairs: a function or an object of the project, or an object with names. */
const isNoPair = ({ fn, instance, cls, fields }: Value): boolean =>
  fn !== undefined || instance !== undefined || cls !== undefined
    ? fields === undefined
    : fields !== undefined && fields.size > 0 && ['0', '1', '*'].every((name) => !fields.has(name));

/** `for (const [name, run] of table)`: JavaScript goes through a table pair by pair. */
export function pairIn(table: Value, element: Value): Value {
  if (!isNoPair(element)) return element;
  return {
    taints: [],
    fields: new Map([
      ['0', nameIn(table)],
      ['1', element],
    ]),
  };
}

/** `{ notes, people }` with modules of the project in it, which have what they export. */
function withModules(table: Value, machine: Machine): Value {
  const { fields } = table;
  if (fields === undefined || [...fields.values()].every(({ module }) => module === undefined)) return table;
  return { ...table, fields: new Map([...fields].map(([name, each]) => [name, withExports(each, machine)])) };
}

/** `Object.entries(table)`, `table.items()`, `table.values()`. */
export const entries: Model = ({ called, args, machine, frame, expression }) => {
  const listed =
    called.method === 'items' || called.object?.fields !== undefined ? called.object : args[0]?.value;
  if (listed === undefined) return undefined;
  const table = withModules(withExports(listed, machine), machine);
  const element = elementOf(table);
  const pair: Value = {
    taints: [],
    fields: new Map([
      ['0', withArchiveTaint(nameIn(table), frame, expression)],
      ['1', element],
    ]),
  };
  if (called.method === 'values') return { taints: [], fields: new Map([['*', element]]) };
  return { taints: [], fields: new Map([['*', pair]]) };
};
