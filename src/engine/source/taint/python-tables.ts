/** Tables of Python that are put together step by step: `update`, `setdefault`, `a | b`, `dict.fromkeys`. */
import type { Expression } from '../form/form.ts';
import { keepAt } from './additions.ts';
import type { SourceModule } from '../modules.ts';
import { type Given, type Machine, pathOf } from './frame.ts';
import type { Call, Model } from './model.ts';
import { propertyOf } from './properties.ts';
import { joinTaints } from './taints.ts';
import { clean, fieldOf, join, type Value } from './value.ts';

/** All that another table holds, in place of what was there under its names; what is no known table may have any name. */
function withTable(owner: Value, given: Value): Value {
  const fields = new Map(owner.fields);
  for (const [name, field] of given.fields ?? [])
    fields.set(name, name === '*' ? join(fields.get(name) ?? clean, field) : field);
  const taints = joinTaints([owner.taints, given.taints]);
  return { ...owner, taints, fields, isClosed: owner.isClosed === true && given.isClosed === true };
}

const isTable = ({ fields, ref }: Value): boolean => fields !== undefined && ref !== 'Map()';

function kept(owner: Value, next: Value, place: Expression | undefined, call: Call): Value {
  if (place !== undefined && pathOf(place) !== undefined) keepAt(place, next, call);
  return owner;
}

/** `query.update(wanted)`, `options.update(shell=True)` */
const updated: Model = (call) => {
  const { called, args, frame } = call;
  const owner = called.object;
  if (frame.module.grammar !== 'python' || owner === undefined || !isTable(owner)) return undefined;
  const next = args.reduce(
    (table, { name, value }) =>
      name === undefined ? withTable(table, value) : withTable(table, named(name, value)),
    owner,
  );
  kept(owner, next, called.objectExpression, call);
  return clean;
};

const named = (name: string, value: Value): Value => ({ taints: [], fields: new Map([[name, value]]) });

/** `options.setdefault('shell', True)`: what is there already stays. */
const presetKept: Model = (call) => {
  const { called, args, frame } = call;
  const owner = called.object;
  const [key, preset] = args.map(({ value }: Given) => value);
  if (frame.module.grammar !== 'python' || owner === undefined || !isTable(owner)) return undefined;
  if (typeof key?.constant !== 'string') return undefined;
  const known = owner.fields?.get(key.constant);
  if (known !== undefined) return known;
  const value = preset ?? clean;
  kept(owner, withTable(owner, named(key.constant, value)), called.objectExpression, call);
  return value;
};

export const ofTables: readonly (readonly [names: string, model: Model])[] = [
  ['**.update', updated],
  ['**.setdefault', presetKept],
];

/** Names of Python's tables are no properties: `arguments['length']` is what was given for a length. */
export function partAt(
  object: Value,
  key: Value['constant'],
  { machine, module }: { machine: Machine; module: SourceModule },
): Value {
  const isPlain = module.grammar === 'python' && object.instance === undefined && typeof key === 'string';
  return isPlain ? fieldOf(object, key) : propertyOf(object, String(key), machine);
}
