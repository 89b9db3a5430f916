import type { ClassForm, Expression, Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { SourceModule } from '../modules.ts';
import { patternBits } from '../taint/checks.ts';
import type { Machine } from '../taint/frame.ts';
import { topFrame } from '../taint/top-frame.ts';
import { cleared, type FunctionValue, type Value } from '../taint/value.ts';
import { isFreeType } from '../taint/types-of-input.ts';

type Field = ClassForm['fields'][number];

const patternIn = (text: string): string | undefined =>
  /\b(?:pattern|regex)\s*=\s*r?(["'])(.*?)\1/.exec(text)?.[2];

/** A pattern that fits a text as a whole. */
const wholeOf = (pattern: string): string => `^${pattern.replaceAll(/^\^|\$$/g, '')}$`;

/** `Name = Annotated[str, Field(pattern=r"^[a-z]+$")]`: the pattern of a type that the file gives a name. */
function patternOfAlias(type: string | undefined, { grammar, text }: SourceModule): string | undefined {
  if (grammar !== 'python' || type === undefined || !/^[A-Z]\w{0,60}$/.test(type)) return undefined;
  const alias = new RegExp(String.raw`^${type}(?:\s*:[^=\n]{0,80})?\s*=\s*(Annotated\[[^\n]{0,400})`, 'm');
  const written = alias.exec(text)?.[1];
  return written === undefined ? undefined : patternIn(written);
}

/** What is given for a parameter, after the pattern that is declared for it. */
export function constrainedParameter(
  { constraint, type }: Parameter,
  value: Value,
  module: SourceModule,
  machine: Machine | undefined,
): Value {
  if (machine === undefined) return value;
  const pattern = constraint ?? patternOfAlias(type, module);
  return pattern === undefined ? value : cleared(value, patternBits(wholeOf(pattern), machine));
}

/** `Field(pattern=r"^[a-z]+$")`, beside the type or within `Annotated[…]`. */
function patternOf({ type = '', value, constraint }: Field): string | undefined {
  if (constraint !== undefined) return wholeOf(constraint);
  if (value?.is === 'call')
    for (const { name, value: given } of value.args)
      if (/^(?:pattern|regex)$/.test(name ?? '') && given.is === 'literal') return String(given.value);
  return patternIn(type);
}

const validatorName = /^(?:field_validator|validator)$/;

const namesIn = (mark: Expression): unknown[] =>
  mark.is === 'call' ? mark.args.map(({ value }) => (value.is === 'literal' ? value.value : undefined)) : [];

/** Methods that a model's library calls with the value of a field; what they give back takes its place. */
const validatorsOf = (name: string, form: ClassForm) =>
  form.methods.filter((method) =>
    method.marks.some((mark) => validatorName.test(markName(mark)) && namesIn(mark).includes(name)),
  );

/** Whether what is declared of a field says more than that it is text. */
export const isConstrained = (field: Field, form: ClassForm): boolean =>
  !isFreeType(field.type ?? '') ||
  patternOf(field) !== undefined ||
  validatorsOf(field.name, form).length > 0;

/** The value of a field of a model, after the checks that the model declares for it. */
export function constrainedField(
  field: Field,
  { form, fn, value }: { form: ClassForm; fn: FunctionValue; value: Value },
  machine: Machine,
): Value {
  const pattern = patternOf(field);
  let checked = pattern === undefined ? value : cleared(value, patternBits(pattern, machine));
  const frame = topFrame(fn.module, machine);
  const expression: Expression = { is: 'literal', value: null, at: fn.fn.at, end: fn.fn.end };
  for (const method of validatorsOf(field.name, form)) {
    const at = method.parameters.findIndex(({ target }) => target.is === 'name' && target.name !== 'cls');
    const args = method.parameters.map((_, index) => ({
      value: index === at ? checked : { taints: [] },
      expression,
      isSpread: false,
    }));
    const outcome = machine.call(
      { fn: method, module: fn.module, around: undefined },
      args,
      frame,
      expression,
    );
    checked = outcome.value.taints.length === 0 ? checked : { taints: outcome.value.taints };
  }
  return checked;
}
