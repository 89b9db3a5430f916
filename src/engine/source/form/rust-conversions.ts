import type { Expression } from './form.ts';
import { convertedTo } from './marks.ts';
import { nothing } from './reader.ts';

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

/** What reads a value of the type that is asked for out of a text or of another value: `from_value::<Call>(params)`. */
const reads =
  /^(?:from_(?:value|str|slice|reader|bytes)|deserialize\w*|json|extract\w*|decode|try_deserialize|into_typed|parse_args|arguments_as)$/;

/** A call that reads a value of the type that stands between its marks. */
export function readAs(call: Expression, type: string): Expression {
  if (call.is !== 'call') return call;
  const { callee } = call;
  const name = callee.is === 'member' ? callee.property : callee.is === 'name' ? callee.name : '';
  if (!reads.test(name) || !/^(?:\w+::)*[A-Z]\w*$/.test(type.trim())) return call;
  return { is: 'assign', target: nothing, value: call, type: type.trim(), at: call.at, end: call.end };
}
