import type { ClassForm, Expression, FunctionForm, Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import { patternBits } from '../taint/checks.ts';
import type { Machine } from '../taint/frame.ts';
import { topFrame } from '../taint/top-frame.ts';
import { type ClassValue, cleared, type Value } from '../taint/value.ts';
import { isFreeType } from '../taint/types-of-input.ts';
import { declaredPattern } from './declared-patterns.ts';

type Field = ClassForm['fields'][number];

/** What is given for a parameter, after the pattern that is declared for it. */
export function constrainedParameter(
  parameter: Parameter,
  value: Value,
  module: SourceModule,
  machine: Machine | undefined,
): Value {
  if (machine === undefined) return value;
  const pattern = declaredPattern(parameter, module, machine);
  return pattern === undefined ? value : cleared(value, patternBits(pattern, machine));
}

/** `Field(pattern=r"^[a-z]+$")`, beside the type or within `Annotated[…]`. */
const patternOf = ({ type, value, constraint }: Field, module: SourceModule, machine: Machine) =>
  declaredPattern({ type, preset: value, constraint }, module, machine);

const validatorName = /^(?:field_validator|validator)$/;

const namesIn = (mark: Expression): unknown[] =>
  mark.is === 'call' ? mark.args.map(({ value }) => (value.is === 'literal' ? value.value : undefined)) : [];

/** Methods that a model's library calls with the value of a field; what they give back takes its place. */
const validatorsOf = (name: string, form: ClassForm) =>
  form.methods.filter((method) =>
    method.marks.some((mark) => validatorName.test(markName(mark)) && namesIn(mark).includes(name)),
  );

/** Whether what is declared of a field says more than that it is text. */
export const isConstrained = (field: Field, { form, module }: ClassValue, machine: Machine): boolean =>
  !isFreeType(field.type ?? '') ||
  patternOf(field, module, machine) !== undefined ||
  validatorsOf(field.name, form).length > 0;

/** The value of a field of a model, after the checks that the model declares for it. */
export function constrainedField(
  field: Field,
  { cls: { form, module }, fn, value }: { cls: ClassValue; fn: FunctionForm; value: Value },
  machine: Machine,
): Value {
  const pattern = patternOf(field, module, machine);
  let checked = pattern === undefined ? value : cleared(value, patternBits(pattern, machine));
  const frame = topFrame(module, machine);
  const expression: Expression = { is: 'literal', value: null, at: fn.at, end: fn.end };
  for (const method of validatorsOf(field.name, form)) {
    const at = method.parameters.findIndex(({ target }) => target.is === 'name' && target.name !== 'cls');
    const args = method.parameters.map((_, index) => ({
      value: index === at ? checked : { taints: [] },
      expression,
      isSpread: false,
    }));
    const outcome = machine.call({ fn: method, module, around: undefined }, args, frame, expression);
    checked = outcome.value.taints.length === 0 ? checked : { taints: outcome.value.taints };
  }
  return checked;
}
