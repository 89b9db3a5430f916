/** What a handler is given, by the types that its source declares. */
import type { ClassForm, Expression, Parameter } from '../form/form.ts';
import type { Given, Machine } from '../taint/frame.ts';
import { Scope } from '../taint/scope.ts';
import type { Taint } from '../taint/taints.ts';
import { topFrame } from '../taint/top-frame.ts';
import { isFreeType } from '../taint/types-of-input.ts';
import type { ClassValue, FunctionValue, Value } from '../taint/value.ts';
import { constrainedField, isConstrained } from './constraints.ts';
import type { Handler } from './entrances.ts';

/** Java checks what is declared of fields only where it is asked to. */
const isValidated = (parameter: Parameter | undefined): boolean =>
  parameter?.marks?.some((mark) => mark === 'Valid' || mark === 'Validated') === true;

/** A record of Java that checks what it is made of, as it is made of what somebody else chose. */
function recordOf(
  cls: ClassValue,
  { fn, module }: FunctionValue,
  taints: readonly Taint[],
  machine: Machine,
): Value | undefined {
  if (!cls.form.methods.some(({ isCompact }) => isCompact === true)) return undefined;
  const expression: Expression = { is: 'literal', value: null, at: fn.at, end: fn.end };
  const args = cls.form.fields.map(({ type = '' }): Given => ({
    value: { taints: isFreeType(type) ? taints : [] },
    expression,
    isSpread: false,
  }));
  return machine.construct(cls, args, topFrame(module, machine), fn.at);
}

type Field = ClassForm['fields'][number];

const withoutConstraint = ({ name, type, value }: Field): Field => ({
  name,
  ...(type !== undefined && { type }),
  ...(value !== undefined && { value }),
});

/** Fields as their class declares them: numbers and the like among them carry no text. */
function fieldsOf(
  cls: ClassValue,
  fn: FunctionValue,
  { parameter, taints }: { parameter: Parameter; taints: readonly Taint[] },
  machine: Machine,
): Value | undefined {
  const { form } = cls;
  if (!form.fields.some((field) => isConstrained(field, cls, machine))) return undefined;
  const isUnchecked = fn.module.grammar === 'java' && !isValidated(parameter);
  const declared = isUnchecked ? form.fields.map(withoutConstraint) : form.fields;
  const scope = new Scope(machine.topOf(fn.module));
  const known = declared.map((field): [string, Value] => {
    if (!isFreeType(field.type ?? '')) return [field.name, { taints: [] }];
    // A part of another type of the project keeps the methods of that.
    const { instance } = machine.instanceByType(field.type, { module: fn.module, scope }) ?? {};
    const value = { taints, ...(instance !== undefined && { instance }) };
    return [field.name, constrainedField(field, { cls, fn: fn.fn, value }, machine)];
  });
  return { taints: [], fields: new Map([...known, ['*', { taints }]]) };
}

/** Arguments of types whose fields are declared, with what the types say. */
export function typedArguments({ fn, args }: Handler, machine: Machine): Given[] {
  return args.map((arg, at) => {
    const { taints, fields } = arg.value;
    const parameter = fn.fn.parameters[at];
    if (taints.length === 0 || fields !== undefined || parameter?.type === undefined) return arg;
    const scope = new Scope(machine.topOf(fn.module));
    const { instance } = machine.instanceByType(parameter.type, { module: fn.module, scope }) ?? {};
    if (instance === undefined) return arg;
    const { form } = instance;
    // A value that the author named.
    if (form.bases.some((base) => base.endsWith('Enum'))) return { ...arg, value: { taints: [] } };
    const value =
      recordOf(instance, fn, taints, machine) ?? fieldsOf(instance, fn, { parameter, taints }, machine);
    return value === undefined ? arg : { ...arg, value };
  });
}
