import type { Expression } from './form.ts';
import { convertedTo } from './marks.ts';

/** What makes another value of a text, as the type that is asked for says. */
const converts = /^(?:parse|try_into|into)$/;
/** What lets the value through, or changes an error alone. */
const passes = /^(?:map_err|context|with_context|unwrap|expect|ok|ok_or|ok_or_else|unwrap_or_default)$/;

/** `Name` and `names::Name`, also where it may be missing. */
const bareName = (type: string): string | undefined =>
  /^(?:(?:Option|Result)<)?(?:\w+::)*([A-Z]\w*)(?:[,>].*)?$/.exec(type.trim())?.[1];

/** A conversion with the type that it is into, as an argument of its own. */
export function convertedInto(read: Expression, type: string): Expression {
  if (read.is !== 'call' || read.callee.is !== 'member') return read;
  const { callee } = read;
  if (passes.test(callee.property)) {
    const object = convertedInto(callee.object, type);
    return object === callee.object ? read : { ...read, callee: { ...callee, object } };
  }
  const name = converts.test(callee.property) && read.args.length === 0 ? bareName(type) : undefined;
  if (name === undefined) return read;
  const value: Expression = { is: 'name', name, at: read.at, end: read.end };
  return { ...read, args: [{ name: convertedTo, value }] };
}
