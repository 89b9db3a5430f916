/** What Python's models let through: libraries that make them of input check their fields after what is declared. */
import type { ClassForm } from '../form/form.ts';
import { declaredPattern } from '../surface/declared-patterns.ts';
import { basesOf } from './bases.ts';
import { patternBits } from './checks.ts';
import type { Machine } from './frame.ts';
import { Scope } from './scope.ts';
import { isFreeType } from './types-of-input.ts';
import { type ClassValue, clean, cleared, type Value } from './value.ts';

type Field = ClassForm['fields'][number];

/** Classes whose libraries check what they are made of; a plain class takes anything. */
const checks = /(?:^|\.)(?:BaseModel|BaseSettings|SQLModel|Struct|Schema|RootModel)$/;

interface Owned {
  field: Field;
  owner: ClassValue;
}

/** A field of a model by its name, in the class or in one that it is derived from. */
function fieldOfModel(cls: ClassValue, name: string, machine: Machine, depth = 0): Owned | undefined {
  const field = cls.form.fields.find((each) => each.name === name);
  if (field !== undefined) return isModelClass(cls, machine) ? { field, owner: cls } : undefined;
  for (const base of depth > 4 ? [] : basesOf(cls, machine)) {
    const above = fieldOfModel(base, name, machine, depth + 1);
    if (above !== undefined) return above;
  }
  return undefined;
}

/** Whether objects of a class are checked by a library when they are made. */
export const isModelClass = (cls: ClassValue, machine: Machine, depth = 0): boolean =>
  cls.form.bases.some((base) => checks.test(base.replace(/\[.*$/s, ''))) ||
  (depth < 4 && basesOf(cls, machine).some((base) => isModelClass(base, machine, depth + 1)));

/** The value of a field that somebody else filled, after what the model declares of it. */
export function checkedField(cls: ClassValue, name: string, value: Value, machine: Machine): Value {
  if (cls.module.grammar !== 'python') return value;
  const found = fieldOfModel(cls, name, machine);
  if (found === undefined) return value;
  const { field, owner } = found;
  const { type = '', value: preset } = field;
  if (!isFreeType(type)) return clean;
  const scope = new Scope(machine.topOf(owner.module));
  const typed = machine.instanceByType(type, { module: owner.module, scope })?.instance;
  if (typed?.form.bases.some((base) => base.endsWith('Enum')) === true) return clean;
  const pattern = declaredPattern({ type, preset }, owner.module, machine);
  return pattern === undefined ? value : cleared(value, patternBits(pattern, machine));
}

/** Names of a class's fields, with those of the classes that it is derived from. */
export function fieldNames(cls: ClassValue, machine: Machine, depth = 0): string[] {
  const above =
    depth > 4 ? [] : basesOf(cls, machine).flatMap((base) => fieldNames(base, machine, depth + 1));
  return [...new Set([...above, ...cls.form.fields.map(({ name }) => name)])];
}
