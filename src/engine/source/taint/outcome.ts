import type { Frame, Outcome } from './frame.ts';
import { clean, join, type Value } from './value.ts';

const verdicts = ['valid', 'ok', 'success', 'isValid', 'allowed', 'is_valid', 'safe', 'isSafe', '0'];

/** Whether a value says yes or no; undefined where it may be either. */
function verdictOf(value: Value): boolean | undefined {
  if (typeof value.constant === 'boolean') return value.constant;
  if (value.constant === null) return false;
  for (const name of verdicts) {
    const constant = value.fields?.get(name)?.constant;
    if (typeof constant === 'boolean') return constant;
  }
  return undefined;
}

/** What a function's ways out come to together. */
export function outcomeOf(frame: Frame, before: readonly number[]): Outcome {
  const parameters = frame.fn?.parameters ?? [];
  const names = parameters.map(({ target }) => (target.is === 'name' ? target.name : undefined));
  const exits = frame.exits.map(({ value, cleared }) => {
    const verdict = verdictOf(value);
    const bitsWith = (facts: readonly { path: readonly string[]; bits: number }[] | undefined) =>
      names.map((name, at) => {
        const own = (facts ?? []).filter(({ path }) => path.length === 1 && path[0] === name);
        return own.reduce((bits, fact) => bits | fact.bits, cleared[at] ?? 0) & ~(before[at] ?? 0);
      });
    return {
      value,
      verdict,
      always: bitsWith(undefined),
      yes: bitsWith(value.check?.yes),
      no: bitsWith(value.check?.no),
    };
  });
  const common = (rows: readonly (readonly number[])[]): number[] =>
    names.map((_, at) => (rows.length === 0 ? 0 : rows.reduce((bits, row) => bits & (row[at] ?? 0), ~0)));
  const values = exits.map(({ value }) => value);
  return {
    value: values.reduce((a, b) => join(a, b), values[0] ?? clean),
    always: common(exits.map(({ always }) => always)),
    yes: common(exits.filter(({ verdict }) => verdict !== false).map(({ yes }) => yes)),
    no: common(exits.filter(({ verdict }) => verdict !== true).map(({ no }) => no)),
  };
}
