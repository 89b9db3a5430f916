import { factsOf } from './checks.ts';
import type { Machine } from './frame.ts';
import { clean, fieldOf, joinTaints, type Value } from './value.ts';

/** Names that say whether a check went well, in what a function gave back. */
const verdictNames = new Set([
  'valid',
  'ok',
  'success',
  'isValid',
  'allowed',
  'is_valid',
  'safe',
  'isSafe',
  '0',
]);

/** A property of an instance of a class of the project: a field, else a method. */
function instanceField(object: Value, name: string, machine: Machine): Value | undefined {
  const { instance, fields } = object;
  if (instance === undefined) return undefined;
  const field = fields?.get(name) ?? machine.fieldsOf(instance).get(name);
  const method = machine.methodOf(instance, name);
  if (method === undefined || field !== undefined) return filledField(object, name, field);
  return { taints: object.taints, fn: { ...method, self: object } };
}

/** What somebody else filled is theirs, whatever the class says of it. */
function filledField({ taints, fields }: Value, name: string, field: Value | undefined): Value | undefined {
  if (fields?.has(name) === true || field?.fn !== undefined) return field;
  const given = joinTaints([taints, fields?.get('*')?.taints ?? []]);
  return given.length === 0 ? field : { taints: joinTaints([given, field?.taints ?? []]) };
}

function staticField(object: Value, name: string, machine: Machine): Value | undefined {
  if (object.cls === undefined) return undefined;
  const method = machine.methodOf(object.cls, name);
  if (method !== undefined)
    return { taints: [], fn: { ...method, self: { taints: [], instance: object.cls } } };
  return machine.fieldsOf(object.cls).get(name);
}

/** What is checked of these holds for the whole address. */
const hostParts = new Set(['hostname', 'host', 'Host', 'origin', 'netloc', 'href', 'address']);

/** Properties of an address that tell whether it is one of the inside. */
const inside = new Set(['is_private', 'is_loopback', 'is_link_local', 'is_reserved']);

/** What an address says of itself when it is asked whether it lies inside. */
function addressCheck(object: Value, name: string, machine: Machine): Value | undefined {
  if (!inside.has(name) && name !== 'is_global') return undefined;
  const facts = factsOf(object, machine.rules.bitOf('server-side-request-forgery'), machine);
  return { taints: [], check: name === 'is_global' ? { yes: facts, no: [] } : { yes: [], no: facts } };
}

/** A property of a value, wherever it may come from. */
export function propertyOf(object: Value, name: string, machine: Machine): Value {
  const own =
    (object.module === undefined ? undefined : machine.global(name, object.module)) ??
    ownField(object, name, machine) ??
    addressCheck(object, name, machine);
  if (own !== undefined) return own;
  if (name === 'length' || name === 'size') return clean;
  const field = fieldOf(object, name);
  const withCheck =
    object.check !== undefined && verdictNames.has(name) ? { ...field, check: object.check } : field;
  return object.of !== undefined && hostParts.has(name) ? { ...withCheck, of: object.of } : withCheck;
}

/** What an object of the project itself has by this name; undefined where its class declares none. */
export function ownField(self: Value, name: string, machine: Machine): Value | undefined {
  return instanceField(self, name, machine) ?? staticField(self, name, machine);
}
