/** Shells that are started and then written to: what they read is carried out. */
import type { Called, Frame, Given, Machine } from './frame.ts';
import type { Model } from './model.ts';
import { checkSinks } from './sinks.ts';
import type { Target } from '../form/form.ts';
import { clean, type Value } from './value.ts';

const shells =
  /(?:^|\/)(?:ba|z|da|k|fi)?sh$|^cmd(?:\.exe)?$|^powershell|^pwsh|(?:^|\/)(?:python3?|node|perl|ruby|osascript|at|batch)$/;
const scripted = new Set(['-s', '-', '-i', '-il', '-l', '/dev/stdin']);

const shell: Value = {
  taints: [],
  ref: 'shell()',
  fields: new Map([['stdin', { taints: [], ref: 'shell().stdin' }]]),
};

/** Whether a command is a shell that is given no script and no command of its own. */
function readsCommands(words: readonly (Value | undefined)[]): boolean {
  const [program, ...rest] = words.map((value) => value?.constant);
  if (typeof program !== 'string' || !shells.test(program)) return false;
  // `at -f file` reads its commands from there.
  if (program === 'at') return rest.every((word) => word !== '-f');
  return rest.every((option) => typeof option === 'string' && scripted.has(option));
}

/** A program that was started and reads commands: what is written to it is carried out. */
export function startedShell(name: string, args: readonly Given[]): Value | undefined {
  const values = args.map(({ value }) => value);
  if (/(?:^|\.)exec\.Command(?:Context)?$/.test(name)) return commandOfGo(values, name.endsWith('Context'));
  if (!/(?:^|\.)(?:spawn|Popen|create_subprocess_exec|execFile)$/.test(name)) return undefined;
  const [first, second] = values;
  const list =
    first?.fields === undefined ? [first, ...(second?.fields?.values() ?? [])] : [...first.fields.values()];
  return readsCommands(list) ? shell : undefined;
}

/** `exec.Command("sh")` of Go: it reads what its `Stdin` is set to, or what is written to its pipe. */
const commandOfGo = (values: readonly Value[], hasContext: boolean): Value | undefined =>
  readsCommands(hasContext ? values.slice(1) : values) ? { taints: [], ref: 'shell()' } : undefined;

/** `Command::new("sh").stdin(Stdio::piped()).spawn()` of Rust. */
export const spawned: Model = ({ called: { object }, frame }) =>
  frame.module.grammar === 'rust' &&
  object?.ref?.endsWith('Command.new()') === true &&
  readsCommands([...(object.fields?.values() ?? [])])
    ? shell
    : undefined;

/** `command.Stdin = strings.NewReader(line)` */
export function checkInput(target: Target, whole: Value, value: Value, machine: Machine, frame: Frame): void {
  const isInput = target.is === 'member' && target.property === 'Stdin' && whole.ref === 'shell()';
  if (!isInput) return;
  const called: Called = {
    callee: clean,
    object: whole,
    objectExpression: target.object,
    name: 'shell().Stdin',
    method: 'Stdin',
  };
  checkSinks(target, called, [{ value, expression: target, isSpread: false }], machine, frame);
}
