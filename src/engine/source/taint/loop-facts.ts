/** What holds after a loop of all that it went through, as each of them came to the end of the body. */
import type { Expression, Statement } from '../form/form.ts';
import { type Frame, pathOf } from './frame.ts';
import { allTaints, type Fact, type Value } from './value.ts';

type Loop = Extract<Statement, { is: 'loop' }>;

const longestBody = 8000;

/** Whether each element comes to the end of the body or leaves the function, and is still the same there. */
function isWhole(name: string, { body }: Loop, { module }: Frame): boolean {
  const [first, last] = [body[0], body.at(-1)];
  if (first === undefined || last === undefined) return false;
  const text = module.text.slice(first.at, Math.min(last.end, first.at + longestBody));
  if (/\b(?:continue|break)\b/.test(text) || last.end - first.at > longestBody) return false;
  return !new RegExp(String.raw`(?:^|[^.\w])${name.replaceAll('$', String.raw`\$`)}\s*:?=[^=]`).test(text);
}

/** The places that a loop goes through: of a list that is written there, each of its elements. */
function pathsOf(over: Expression): readonly string[][] {
  const parts = over.is === 'list' ? over.items : [over];
  return parts.map(pathOf).filter((path) => path !== undefined);
}

/** Bits that all taints of a value have cleared. */
const clearedIn = (value: Value | undefined): number =>
  value === undefined ? 0 : allTaints(value).reduce((bits, { cleared }) => bits & cleared, ~0);

/** What each element was shown to be, of all that the loop went through. */
export function factsOfLoop(
  loop: Loop,
  element: Value | undefined,
  variables: ReadonlyMap<string, Value> | undefined,
  frame: Frame,
): Fact[] {
  const { target, over } = loop;
  const after = target?.is === 'name' ? variables?.get(target.name) : undefined;
  if (target?.is !== 'name' || over === undefined || after === undefined) return [];
  if (allTaints(after).length === 0) return [];
  const bits = clearedIn(after) & ~clearedIn(element);
  if (bits === 0 || !isWhole(target.name, loop, frame)) return [];
  return pathsOf(over).map((path) => ({ path, bits }));
}
