import type { ClassForm, Expression, FunctionForm } from '../form/form.ts';
import type { FunctionValue } from '../taint/value.ts';

/** A tool that is a class: what it is called and says of itself. */
export interface ToolClass {
  name: string;
  description: string;
}

/** What frameworks and servers call the method that runs a tool. */
const runs =
  /^(?:_?a?run|execute|call|invoke|handle|process|perform|run_?tool|execute_?tool|call_?tool|_?a?call|__call__)$/i;

const toolName = /(?:Tool|ToolHandler|ToolImpl|ToolExecutor)$/;
const toolBase = /(?:^|[.:<\s])\w*Tool(?:Handler|Base|Interface|Impl|Executor|Trait)?(?:\[|<|$)/;

/** What a tool says of itself, as a field or by a method. */
const tells =
  /^(?:get_?)?(?:name|tool_?name|description|definition|input_?schema|schema|parameters|args_schema|spec)$/i;

const saysWhatItIs = ({ fields, methods }: ClassForm): boolean =>
  fields.some(({ name }) => tells.test(name)) || methods.some(({ name }) => tells.test(name));

const textIn = (value: Expression | undefined): string | undefined =>
  value?.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;

/** `return 'read';`, and Rust's last line `"read".to_string()` */
function lastText(fn: FunctionForm | undefined): string | undefined {
  const last = fn?.body.at(-1);
  const value = last?.is === 'return' || last?.is === 'do' ? last.value : undefined;
  return textIn(value?.is === 'call' && value.callee.is === 'member' ? value.callee.object : value);
}

/** `name = 'read'`, `get name() { return 'read'; }`, `fn name(&self) -> &str { "read" }` */
function textOf({ fields, methods }: ClassForm, wanted: RegExp): string {
  const written = fields.filter(({ name }) => wanted.test(name)).map(({ value }) => textIn(value));
  return (
    written.find((text) => text !== undefined) ??
    lastText(methods.find(({ name }) => wanted.test(name))) ??
    ''
  );
}

const isStub = ({ body }: FunctionForm): boolean =>
  body.every((each) => each.is === 'throw' || (each.is === 'do' && each.value.is === 'literal'));

/**
 * Whether a method is what runs a tool: of a class that is called a tool or is derived from one, and that says what it
 * is. How such classes are found and registered is the framework's matter, and differs with each of them.
 */
export function toolClassOf({ fn, self }: FunctionValue): ToolClass | undefined {
  const form = self?.instance?.form;
  if (form === undefined || !runs.test(fn.name) || fn.isStatic === true || isStub(fn)) return undefined;
  const isTool = toolName.test(form.name) || form.bases.some((base) => toolBase.test(base));
  if (!isTool || !saysWhatItIs(form)) return undefined;
  return {
    name: textOf(form, /^(?:get_?)?(?:tool_?)?name$/i) || form.name,
    description: textOf(form, /^(?:get_?)?description$/i),
  };
}
