/** Lines that clients of a server send which reads the protocol itself, within the function that reads them. */
import { isAnsweringCalls } from '../surface/own-protocol.ts';
import type { SourceModule } from '../modules.ts';
import type { Frame } from './frame.ts';
import type { Call, Model } from './model.ts';
import type { Source } from './taints.ts';
import type { Value } from './value.ts';

const source: Source = { id: -3, kind: 'tool', name: '', description: '', isForAll: true };

/** Where a parameter brings the request, what else is read is something else. */
const isReader = ({ fn, module }: Frame): boolean =>
  module.grammar === 'rust' &&
  fn?.parameters.length === 0 &&
  isAnsweringCalls(module.text.slice(fn.at, fn.end));

function sent({ frame, expression: { at, end } }: Call): Value {
  const step = { module: frame.module, at, end, text: '', before: undefined, count: 0 };
  return { taints: [{ source, cleared: 0, step }] };
}

/** `stdin.lock().lines()`, `lines.next_line().await`: a request, or all of them. */
export const linesRead: Model = (call) =>
  isReader(call.frame) && call.args.length === 0 ? sent(call) : undefined;

/** `stdin.read_line(&mut line)` */
export const lineReadInto: Model = (call) => {
  const [given] = call.args;
  if (given === undefined || !isReader(call.frame)) return undefined;
  const target = given.expression;
  if (target.is === 'name') call.machine.assign(target, sent(call), call.frame);
  return { taints: [] };
};

const answering = new WeakMap<SourceModule, boolean>();

/** Whether a file reads the protocol itself. */
function isAnswering(module: SourceModule): boolean {
  let known = answering.get(module);
  if (known === undefined) answering.set(module, (known = isAnsweringCalls(module.text)));
  return known;
}

/** `bufio.NewScanner(os.Stdin)`, `new Scanner(System.in)`: requests come in there. */
export const standardInput: Model = (call) => {
  const { args, called, frame } = call;
  const { at = 0, end = 0 } = args[0]?.expression ?? {};
  const isOfStdin = /^(?:os\.Stdin|System\.in)$/.test(frame.module.text.slice(at, end));
  return isOfStdin && isAnswering(frame.module) ? { ...sent(call), ref: `${called.name}()` } : undefined;
};
