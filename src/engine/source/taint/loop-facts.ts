/** What holds after a loop of all that it went through, as each of them came to the end of the body. */
import type { Expression, Statement } from '../form/form.ts';
import { type Frame, type Machine, pathOf } from './frame.ts';
import type { Rounds } from './rounds.ts';
import { allTaints, type Fact, type Value } from './value.ts';

type Loop = Extract<Statement, { is: 'loop' }>;

const longestBody = 8000;

/** Out of the loop before all were looked at, or into a round of another loop. */
const leavesEarly = /\bbreak\b|\bcontinue[ \t]+['\w]|\bgoto\b/;

/** Whether each element comes to the end of the body or leaves the function, and is still the same there. */
function isWhole(name: string, { body }: Loop, { module }: Frame): boolean {
  const [first, last] = [body[0], body.at(-1)];
  if (first === undefined || last === undefined) return false;
  const text = module.text.slice(first.at, Math.min(last.end, first.at + longestBody));
  if (leavesEarly.test(text) || last.end - first.at > longestBody) return false;
  const written = name.replaceAll(/[$[\].]/g, String.raw`\$&`);
  const assignments = text.match(new RegExp(String.raw`(?:^|[^.\w])${written}\s*:?=[^=]`, 'g')) ?? [];
  // `const arg = args[i];` is where the name comes from.
  return assignments.length === 0 || (assignments.length === 1 && isDeclared(name, first));
}

const isDeclared = (name: string, first: Statement): boolean =>
  first.is === 'do' &&
  first.value.is === 'assign' &&
  first.value.target.is === 'name' &&
  first.value.target.name === name &&
  first.value.value.is === 'index';

/** The places that a loop goes through: of a list that is written there, each of its elements. */
function pathsOf(over: Expression): readonly string[][] {
  const parts = over.is === 'list' ? over.items : [over];
  return parts
    .map((part) => pathOf(part.is === 'spread' ? part.operand : part))
    .filter((path) => path !== undefined);
}

/** Bits that all taints of a value have cleared. */
const clearedIn = (value: Value | undefined): number =>
  value === undefined ? 0 : allTaints(value).reduce((bits, { cleared }) => bits & cleared, ~0);

/** What a name was looked up for: its addresses, each of which tells of the name. */
export const holdsAddresses = ({ ref = '' }: Value): boolean =>
  /(?:to_socket_addrs|lookup_host|lookup_ip)\(\)(?:\.\w+\(\))*$/.test(ref);

/** What is known of a host whose addresses a loop went through: each of them came to the end of the body. */
export function factsOfAddresses(
  loop: Loop,
  over: Value | undefined,
  after: ReadonlyMap<string, Value> | undefined,
  { machine, frame }: { machine: Machine; frame: Frame },
): Fact[] {
  const [first, last] = [loop.body[0], loop.body.at(-1)];
  if (over?.of === undefined || after === undefined || first === undefined || last === undefined) return [];
  if (!holdsAddresses(over) || leavesEarly.test(frame.module.text.slice(first.at, last.end))) return [];
  const inside = machine.rules.bitOf('server-side-request-forgery');
  return over.of
    .map((path) => path.split('\0'))
    .filter((path) => (clearedIn(after.get(path[0] ?? '')) & inside) !== 0)
    .map((path) => ({ path, bits: inside }));
}

/** What each element was shown to be, of all that the loop went through. */
export function factsOfLoop(
  loop: Loop,
  rounds: Rounds | undefined,
  element: Value | undefined,
  variables: ReadonlyMap<string, Value> | undefined,
  frame: Frame,
): Fact[] {
  if (rounds === undefined || variables === undefined) return [];
  const before = clearedIn(element);
  let bits = 0;
  for (const name of rounds.names) {
    const after = variables.get(name);
    if (after === undefined || allTaints(after).length === 0) continue;
    const shown = clearedIn(after) & ~before;
    if (shown !== 0 && isWhole(name, loop, frame)) bits |= shown;
  }
  return bits === 0 ? [] : pathsOf(rounds.over).map((path) => ({ path, bits }));
}
