import { commonFacts, type Frame, mergedFacts, type Outcome } from './frame.ts';
import { clean, type Fact, join, type Value } from './value.ts';

const verdicts = ['valid', 'ok', 'success', 'isValid', 'allowed', 'is_valid', 'safe', 'isSafe', '0'];

/** Whether a value says yes or no; undefined where it may be either. */
function verdictOf(value: Value): boolean | undefined {
  if (typeof value.constant === 'boolean') return value.constant;
  if (value.constant === null) return false;
  // A text: why it is refused, where nothing is said of what is fine.
  if (typeof value.constant === 'string') return value.constant !== '';
  if (value.beginning !== undefined && value.beginning !== '') return true;
  for (const name of verdicts) {
    const constant = value.fields?.get(name)?.constant;
    if (typeof constant === 'boolean') return constant;
  }
  return undefined;
}

const commonBits = (rows: readonly (readonly number[])[], size: number): number[] =>
  Array.from({ length: size }, (_, at) =>
    rows.length === 0 ? 0 : rows.reduce((bits, row) => bits & (row[at] ?? 0), ~0),
  );

const commonOf = (lists: readonly (readonly Fact[])[]): readonly Fact[] =>
  lists.length === 0 ? [] : lists.reduce((a, b) => commonFacts(a, b));

/** What a function's ways out come to together. */
export function outcomeOf(frame: Frame, before: readonly number[]): Outcome {
  const parameters = frame.fn?.parameters ?? [];
  const names = parameters.map(({ target }) => (target.is === 'name' ? target.name : undefined));
  const { around } = frame.scope;
  const isAround = ({ path: [root = ''] }: Fact) => !names.includes(root) && around?.holds(root) === true;
  // Rust's errors are looked at before the value is.
  const fine = frame.exits.filter(({ value }) => value.ref !== 'Err()');
  const exits = fine.map((exit) => {
    const { value, cleared } = exit;
    const bitsWith = (facts: readonly Fact[] | undefined) =>
      names.map((name, at) => {
        const own = (facts ?? []).filter(
          ({ path, isEmpty }) => path.length === 1 && path[0] === name && isEmpty !== true,
        );
        return own.reduce((bits, fact) => bits | fact.bits, cleared[at] ?? 0) & ~(before[at] ?? 0);
      });
    return {
      value,
      verdict: verdictOf(value),
      always: bitsWith(undefined),
      yes: bitsWith(value.check?.yes),
      no: bitsWith(value.check?.no),
      around: exit.around,
      aroundYes: mergedFacts([...exit.around, ...(value.check?.yes ?? []).filter(isAround)]),
    };
  });
  const saysYes = exits.filter(({ verdict }) => verdict !== false);
  const saysNo = exits.filter(({ verdict }) => verdict !== true);
  const values = exits.map(({ value }) => value);
  return {
    value: values.reduce((a, b) => join(a, b), values[0] ?? clean),
    always: commonBits(
      exits.map(({ always }) => always),
      names.length,
    ),
    yes: commonBits(
      saysYes.map(({ yes }) => yes),
      names.length,
    ),
    no: commonBits(
      saysNo.map(({ no }) => no),
      names.length,
    ),
    around: {
      always: commonOf(exits.map((exit) => exit.around)),
      yes: commonOf(saysYes.map(({ aroundYes }) => aroundYes)),
    },
  };
}
