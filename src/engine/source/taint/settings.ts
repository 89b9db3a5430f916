/** What a call of a library is given by names. */
import type { Expression } from '../form/form.ts';
import type { Frame, Given } from './frame.ts';
import type { Value } from './value.ts';

export const optionsOf = (args: readonly Given[]): ReadonlyMap<string, string> =>
  new Map(
    args.flatMap(({ name, value: { constant, ref } }) =>
      name === undefined ? [] : [[name, String(constant ?? ref ?? '')] as const],
    ),
  );

/** `ExecOptions { cmd: Some(words), ..Default::default() }`: the parts of a struct of Rust's libraries, and what else is given. */
export function settingsOf(
  { isNew }: Extract<Expression, { is: 'call' }>,
  args: readonly Given[],
  { module: { grammar } }: Frame,
): { fields?: ReadonlyMap<string, Value>; rest: readonly Given[] } {
  const isNamed = args.some(({ name }) => name !== undefined);
  if (!isNew || grammar !== 'rust' || !isNamed) return { rest: args };
  const fields = new Map(
    args.flatMap(({ name, value }): [string, Value][] => (name === undefined ? [] : [[name, value]])),
  );
  return { fields, rest: args.filter(({ name }) => name === undefined) };
}
