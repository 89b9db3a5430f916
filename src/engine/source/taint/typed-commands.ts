/** Commands that a program is given to read, rather than as its arguments. */
import type { Expression } from '../form/form.ts';
import { startedShell } from './started-shells.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { checkSinks } from './sinks.ts';
import { clean, type Value } from './value.ts';

/** `run(["bash"], input=script)`: a program that reads commands is given them at once. */
export function checkTyped(
  expression: Expression,
  { name }: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): void {
  const typed = args.filter((arg) => arg.name === 'input');
  if (typed.length === 0 || !/^subprocess\.(?:run|check_output|check_call|call)$/.test(name)) return;
  const shell = startedShell('subprocess.Popen', args);
  if (shell !== undefined) checkSinks(expression, methodOfShell('communicate', shell), typed, machine, frame);
}

const methodOfShell = (method: string, object: Value): Called => ({
  callee: clean,
  object,
  objectExpression: undefined,
  name: `${object.ref ?? ''}.${method}`,
  method,
});
