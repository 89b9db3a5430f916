import type { Expression } from '../form/form.ts';
import { type Called, type Given, pathOf, reopened } from './frame.ts';
import { ofOptions } from './checks.ts';
import { type Call, type Model, sameThing, valueAt } from './model.ts';
import { elementOf } from './elements.ts';
import { clean, isTainted, type Value, withField } from './value.ts';

/** `Command::new("git")`: a list whose first element is the program. */
export const newCommand: Model = (call) => ({
  taints: [],
  ref: `${call.called.name}()`,
  fields: new Map([['0', programAt(call)]]),
});

/** The program; one that somebody's settings say is a shell where its name says so. */
function programAt(call: Call): Value {
  const value = valueAt(call, 0);
  const written = call.args[0]?.expression;
  if (written === undefined || value.constant !== undefined || isTainted(value)) return value;
  return namedShell(written) === '' ? value : { ...value, constant: 'sh' };
}

/** Variables that hold a shell, which one somebody's settings say. */
const ofShells =
  /^(?:user|default|login|system|my)?_?shell(?:_?(?:path|cmd|command|bin|binary|exe|program))?$/i;

/** A shell by the name of its variable: `exec.Command(c.config.Shell, "-c", command)`. */
export function namedShell(written: Expression | undefined): string {
  const first = written?.is === 'list' ? written.items[0] : written;
  const name = first === undefined ? undefined : pathOf(first)?.at(-1);
  return name !== undefined && ofShells.test(name) ? 'sh' : '';
}

/** Options behind which a shell reads a command. */
const takesCommand = /^-[a-z]*c$|^\/[cC]$/;

/** `Command::new(program).arg("-c")`: a program of the settings that is given a command is a shell. */
function asShell(fields: Map<string, Value>): void {
  const [program, option] = [fields.get('0'), fields.get('1')];
  const isUnknown = program !== undefined && program.constant === undefined && !isTainted(program);
  if (isUnknown && typeof option?.constant === 'string' && takesCommand.test(option.constant))
    fields.set('0', { ...program, constant: 'sh' });
}

/** What `.args([…])` and `.arg(…)` put behind the rest. */
const givenBy = (method: string, value: Value): readonly Value[] => {
  if (method !== 'args') return [value];
  return value.fields === undefined ? [elementOf(value)] : [...value.fields.values()];
};

/** `Command::new(program).args(["-c", line])`, in one call. */
export function startsUnknownShell({ object, method }: Called, args: readonly Given[]): boolean {
  const program = object?.fields?.size === 1 ? object.fields.get('0') : undefined;
  const option = args[0]?.value.fields?.get('0')?.constant;
  const isUnknown = program !== undefined && program.constant === undefined && !isTainted(program);
  return method === 'args' && isUnknown && typeof option === 'string' && takesCommand.test(option);
}

/** The variable at the beginning of a chain: `command` of `command.arg(a).arg(b)`. */
function chainStart(expression: Expression | undefined): Expression | undefined {
  let start = expression;
  while (start?.is === 'call' && start.callee.is === 'member') start = start.callee.object;
  return start;
}

/** `.arg(x)` and `.args([x, y])` make the list of a command longer, in the chain and in its variable. */
export const withArguments: Model = ({ called, args, frame }) => {
  const { object, objectExpression, method } = called;
  if (object?.fields?.has('0') !== true) return undefined;
  const fields = new Map(object.fields);
  for (const value of args.flatMap((arg) => givenBy(method, arg.value)))
    fields.set(fields.size > 30 ? '*' : String(fields.size), value);
  asShell(fields);
  const made: Value = { ...object, fields };
  const start = chainStart(objectExpression);
  const [root, ...rest] = (start && pathOf(start)) ?? [];
  if (root !== undefined && frame.scope.holds(root))
    frame.scope.set(root, withField(frame.scope.find(root) ?? clean, rest, made));
  return made;
};

/** `.current_dir(folder)`: the same command; in Rust alone objects with such methods are commands. */
export const sameCommand: Model = ({ called: { object } }) =>
  object?.fields?.has('0') === true && object.ref?.endsWith('Command.new()') === true ? object : undefined;

const shells =
  /(?:^|\/)(?:ba|z|da|k|fi)?sh$|^cmd(?:\.exe)?$|^powershell|^pwsh|(?:^|\/)(?:python3?|node|perl|ruby|osascript|at|batch)$/;
const scripted = new Set(['-s', '-', '-i', '-il', '-l', '/dev/stdin']);

/** A program that was started and reads commands: what is written to it is carried out. */
export function startedShell(name: string, args: readonly Given[]): Value | undefined {
  if (!/(?:^|\.)(?:spawn|Popen|create_subprocess_exec|execFile)$/.test(name)) return undefined;
  const [first, second] = args.map(({ value }) => value);
  const list =
    first?.fields === undefined ? [first, ...(second?.fields?.values() ?? [])] : [...first.fields.values()];
  const [program, ...rest] = list.map((value) => value?.constant);
  if (typeof program !== 'string' || !shells.test(program)) return undefined;
  // With a script or a command of its own it reads data from there.
  const isTimed = program === 'at' && rest.every((word) => word !== '-f');
  if (!isTimed && !rest.every((option) => typeof option === 'string' && scripted.has(option)))
    return undefined;
  return { taints: [], ref: 'shell()', fields: new Map([['stdin', { taints: [], ref: 'shell().stdin' }]]) };
}

/** A list of what a function is given: `List.of(a, b)`. */
export const listed: Model = ({ args }) => ({
  taints: [],
  fields: new Map(args.map(({ value }, at) => [String(at), value])),
  ...(args.length > 0 && args.every(({ value }) => value.constant !== undefined) ? { isClosed: true } : {}),
});

/** `Stream.concat(a, b)`: the elements of both, in their order. */
export const concatenated: Model = ({ args }) => ({
  taints: [],
  fields: new Map(
    args
      .flatMap(({ value }) => (value.fields === undefined ? [value] : [...value.fields.values()]))
      .map((value, at) => [String(at), value]),
  ),
});

/** `text.split(' ')` rather than `split(text, ' ')`. */
const isOfText = ({ called }: Call): boolean =>
  called.object !== undefined && !/^(?:shlex|strings)\./.test(called.name);

/** The text, and where it is split. */
function splitBy(call: Call): readonly [text: Value | undefined, separator: Value | undefined] {
  const [first, second] = [call.args[0]?.value, call.args[1]?.value];
  return isOfText(call) ? [call.called.object, first] : [first, second];
}

/** Whether a text is split where its words end. */
function isBlank(separator: Value | undefined): boolean {
  if (separator === undefined || separator.pattern?.includes(String.raw`\s`) === true) return true;
  return /^\s+$/.test(String(separator.constant));
}

/**
 * `shlex.split(command)`, `command.split(' ')`: what stood within a text can be a word of its own again, such as an
 * option. The first word stays the author's where the text begins with it.
 */
export const words: Model = (call) => {
  const { machine } = call;
  const value = sameThing(call);
  const [text, separator] = splitBy(call);
  if (value !== undefined && separator?.constant === '=') return { ...value, ref: ofOptions };
  if (value === undefined || value.taints.length === 0 || !isBlank(separator)) return value;
  const taints = reopened(value.taints, machine.rules.bitOf('argument-injection'));
  const program = /^\s*([^\s'"$]+)\s/.exec(text?.beginning ?? '')?.[1];
  if (program === undefined) return { ...value, taints };
  return {
    taints: [],
    ...(value.ref === undefined ? {} : { ref: value.ref }),
    fields: new Map<string, Value>([
      ['0', { taints: [], constant: program }],
      ['*', { taints }],
    ]),
  };
};
