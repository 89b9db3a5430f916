import { pathOf } from './frame.ts';
import { type Model, valueAt } from './model.ts';
import { elementOf } from './statements.ts';
import { clean, type Value, withField } from './value.ts';

/** `Command::new("git")`: a list whose first element is the program. */
export const newCommand: Model = (call) => ({
  taints: [],
  ref: `${call.called.name}()`,
  fields: new Map([['0', valueAt(call, 0)]]),
});

/** What `.args([…])` and `.arg(…)` put behind the rest. */
const givenBy = (method: string, value: Value): readonly Value[] => {
  if (method !== 'args') return [value];
  return value.fields === undefined ? [elementOf(value)] : [...value.fields.values()];
};

/** `.arg(x)` and `.args([x, y])` make the list of a command longer, in the chain and in its variable. */
export const withArguments: Model = ({ called, args, frame }) => {
  const { object, objectExpression, method } = called;
  if (object?.fields?.has('0') !== true) return undefined;
  const fields = new Map(object.fields);
  for (const value of args.flatMap((arg) => givenBy(method, arg.value)))
    fields.set(fields.size > 30 ? '*' : String(fields.size), value);
  const made: Value = { ...object, fields };
  const [root, ...rest] = (objectExpression && pathOf(objectExpression)) ?? [];
  if (root !== undefined && frame.scope.holds(root))
    frame.scope.set(root, withField(frame.scope.find(root) ?? clean, rest, made));
  return made;
};

/** A list of what a function is given: `List.of(a, b)`. */
export const listed: Model = ({ args }) => ({
  taints: [],
  fields: new Map(args.map(({ value }, at) => [String(at), value])),
  ...(args.length > 0 && args.every(({ value }) => value.constant !== undefined) ? { isClosed: true } : {}),
});
