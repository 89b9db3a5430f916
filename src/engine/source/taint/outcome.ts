import { partsOf } from './exits.ts';
import { commonFacts, type Frame, mergedFacts, type Outcome, pathText } from './frame.ts';
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

/** Bits that all ways out have cleared in a part, of those that were not before. */
function commonParts(rows: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const [first = new Map<string, number>(), ...others] = rows;
  const common = new Map<string, number>();
  for (const [part, bits] of first) {
    const shared = others.reduce((all, row) => all & (row.get(part) ?? 0), bits);
    if (shared !== 0) common.set(part, shared);
  }
  return common;
}

/** What is known of the parts at a way out, with what its answer shows of them. */
function partsWith(
  parts: ReadonlyMap<string, number>,
  { facts, frame, before }: { facts: readonly Fact[]; frame: Frame; before: ReadonlyMap<string, number> },
): ReadonlyMap<string, number> {
  if (parts.size === 0 && facts.length === 0) return parts;
  const known = new Map<string, number>();
  for (const [part, path] of partsOf(frame)) {
    const shown = facts
      .filter((fact) => fact.isEmpty !== true && pathText(fact.path) === pathText(path))
      .reduce((bits, fact) => bits | fact.bits, parts.get(part) ?? 0);
    const bits = shown & ~(before.get(part) ?? 0);
    if (bits !== 0) known.set(part, bits);
  }
  return known;
}

/** What is known of parameters when a function begins, and when it ends. */
interface Before {
  whole: readonly number[];
  parts: ReadonlyMap<string, number>;
}

/** What a function's ways out come to together. */
export function outcomeOf(frame: Frame, { whole: before, parts: partsBefore }: Before): Outcome {
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
    const partsBy = (facts: readonly Fact[]) => partsWith(exit.parts, { facts, frame, before: partsBefore });
    return {
      value,
      parts: {
        always: partsBy([]),
        yes: partsBy(value.check?.yes ?? []),
        no: partsBy(value.check?.no ?? []),
      },
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
    parts: {
      always: commonParts(exits.map(({ parts }) => parts.always)),
      yes: commonParts(saysYes.map(({ parts }) => parts.yes)),
      no: commonParts(saysNo.map(({ parts }) => parts.no)),
    },
    around: {
      always: commonOf(exits.map((exit) => exit.around)),
      yes: commonOf(saysYes.map(({ aroundYes }) => aroundYes)),
    },
  };
}
