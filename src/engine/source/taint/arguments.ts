import type { FunctionForm } from '../form/form.ts';
import type { Given, Report } from './frame.ts';
import type { FunctionValue, Value } from './value.ts';

/** A list whose elements are known one by one. */
const isListed = ({ fields, taints }: Value): boolean =>
  taints.length === 0 &&
  fields !== undefined &&
  fields.size > 0 &&
  [...fields.keys()].every((name) => /^\d+$/.test(name));

/** What a parameter for all others gets. */
function restFrom(args: readonly Given[], positional: readonly Given[], at: number): Value {
  const rest = [...positional.slice(at), ...args.filter((arg) => arg.name !== undefined)];
  const fields = new Map<string, Value>();
  for (const arg of rest)
    if (arg.isSpread && isListed(arg.value))
      for (const value of arg.value.fields?.values() ?? []) fields.set(String(fields.size), value);
    else fields.set(arg.name ?? String(fields.size), arg.value);
  return { taints: [], fields };
}

/** The value for a parameter, from arguments by position, by name and from a spread. */
export function argumentFor(
  args: readonly Given[],
  at: number,
  name: string,
  isRest: boolean,
): Value | undefined {
  const positional = args.filter((arg) => arg.name === undefined);
  if (isRest) return restFrom(args, positional, at);
  const named = args.find((arg) => arg.name !== undefined && arg.name === name);
  return named === undefined ? byPosition(positional, at, name) : named.value;
}

function byPosition(positional: readonly Given[], at: number, name: string): Value | undefined {
  const direct = positional[at];
  const spread = positional.find(({ isSpread }) => isSpread);
  if (direct !== undefined && !direct.isSpread) return direct.value;
  if (spread === undefined) return undefined;
  const { fields } = spread.value;
  return fields?.get(name) ?? fields?.get(String(at)) ?? fields?.get('*') ?? { taints: spread.value.taints };
}

/** Input of a handler of all tools, as that of the one that it was followed for. */
export function withToolName(report: Report, name: string): Report {
  const { source } = report.taint;
  if (source.kind !== 'tool') return report;
  const { isForAll: _, ...told } = source;
  return { ...report, taint: { ...report.taint, source: { ...told, name } } };
}

/** Whether the source is a handler of all tools, of which none was told yet. */
export const isUnnamed = ({ taint: { source } }: Report): boolean =>
  source.kind === 'tool' && source.name === '';

const isArrow = /^(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*=>/;
const readers = new WeakMap<FunctionForm, boolean>();

/** Whether a function reads `arguments`, which in one behind an arrow are those of the function around it. */
function readsArguments({ fn, module }: FunctionValue): boolean {
  let reads = readers.get(fn);
  if (reads === undefined) {
    const text = module.text.slice(fn.at, fn.end);
    reads =
      text.includes('arguments') && ['typescript', 'tsx'].includes(module.grammar) && !isArrow.test(text);
    readers.set(fn, reads);
  }
  return reads;
}

/** What `arguments` is within a call, as compilers hand it on: `__awaiter(this, arguments, void 0, function* (path) {…})`. */
export function argumentsIn(fn: FunctionValue, args: readonly Given[]): Value | undefined {
  if (!readsArguments(fn)) return undefined;
  return { taints: [], fields: new Map(args.map(({ value }, at) => [String(at), value])) };
}

/** `server.AddTool(tool())` of Go: all that the call gives is given on. */
export function withRest(args: Given[]): Given[] {
  const [only] = args;
  if (args.length !== 1 || only?.value.rest === undefined || only.expression.is !== 'call') return args;
  const { rest, ...value } = only.value;
  return [{ ...only, value }, ...rest.map((each) => ({ ...only, value: each }))];
}
