import { partsOf } from './exits.ts';
import { commonFacts, type Frame, mergedFacts, type Outcome, pathText } from './frame.ts';
import { clean, type Fact, join, type Value } from './value.ts';

const verdicts = ['valid', 'ok', 'success', 'isValid', 'allowed', 'is_valid', 'safe', 'isSafe', '0'];

/** What of several values says yes or no: `return path, true`. */
const saysOf = (value: Value): Value => {
  const last = value.rest?.at(-1);
  return last === undefined || (last.check === undefined && typeof last.constant !== 'boolean')
    ? value
    : last;
};

/** Whether a value says yes or no; undefined where it may be either. */
function verdictOf(given: Value): boolean | undefined {
  const value = saysOf(given);
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

function commonBits(rows: readonly (readonly number[])[], size: number): number[] {
  const common: number[] = [];
  for (let at = 0; at < size; at++) {
    let bits = rows.length === 0 ? 0 : ~0;
    for (const row of rows) bits &= row[at] ?? 0;
    common.push(bits);
  }
  return common;
}

/** Facts that hold on all ways: none where one way shows none. */
function commonOf([first = noFacts, ...others]: readonly (readonly Fact[])[]): readonly Fact[] {
  let common = first;
  for (const facts of others)
    common = common.length === 0 || facts.length === 0 ? noFacts : commonFacts(common, facts);
  return common;
}

const noParts: ReadonlyMap<string, number> = new Map();
const noFacts: readonly Fact[] = [];

/** Bits that all ways out have cleared in a part, of those that were not before. */
function commonParts(rows: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const [first = noParts, ...others] = rows;
  if (first.size === 0) return first;
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
  if (parts.size + facts.length === 0) return parts;
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

/** What is known of each parameter at a way out, with what its answer shows of them. */
function bitsWith(
  cleared: readonly number[],
  {
    facts,
    names,
    before,
  }: { facts: readonly Fact[]; names: readonly (string | undefined)[]; before: readonly number[] },
): number[] {
  return names.map((name, at) => {
    let bits = cleared[at] ?? 0;
    for (const { path, bits: shown, isEmpty } of facts)
      if (path.length === 1 && path[0] === name && isEmpty !== true) bits |= shown;
    return bits & ~(before[at] ?? 0);
  });
}

/** One way out, and what it comes to where it says yes, and no. */
interface WayOut {
  verdict: boolean | undefined;
  always: readonly number[];
  yes: readonly number[];
  no: readonly number[];
  parts: Outcome['parts'];
  around: readonly Fact[];
  aroundYes: readonly Fact[];
}

function wayOut(
  { value, cleared, parts, around }: Frame['exits'][number],
  { frame, names, before }: { frame: Frame; names: readonly (string | undefined)[]; before: Before },
): WayOut {
  const { yes = noFacts, no = noFacts } = saysOf(value).check ?? {};
  const bitsBy = (facts: readonly Fact[]) => bitsWith(cleared, { facts, names, before: before.whole });
  const partsBy = (facts: readonly Fact[]) => partsWith(parts, { facts, frame, before: before.parts });
  const always = bitsBy(noFacts);
  const partsAlways = partsBy(noFacts);
  const scope = frame.scope.around;
  const isAround = ({ path: [root = ''] }: Fact) => !names.includes(root) && scope?.holds(root) === true;
  return {
    verdict: verdictOf(value),
    always,
    yes: yes.length === 0 ? always : bitsBy(yes),
    no: no.length === 0 ? always : bitsBy(no),
    parts: {
      always: partsAlways,
      yes: yes.length === 0 ? partsAlways : partsBy(yes),
      no: no.length === 0 ? partsAlways : partsBy(no),
    },
    around,
    aroundYes: around.length + yes.length === 0 ? around : mergedFacts([...around, ...yes.filter(isAround)]),
  };
}

/** Whether nothing was learned on a way out, as on most. */
const showsNothing = ({ value, cleared, parts, around }: Frame['exits'][number]): boolean =>
  saysOf(value).check === undefined &&
  parts.size === 0 &&
  around.length === 0 &&
  cleared.every((bits) => bits === 0);

function withoutFacts(value: Value, parameters: number): Outcome {
  const none = Array.from({ length: parameters }, () => 0);
  return {
    value,
    always: none,
    yes: none,
    no: none,
    parts: { always: noParts, yes: noParts, no: noParts },
    around: { always: noFacts, yes: noFacts },
  };
}

/** What a function's ways out come to together. */
export function outcomeOf(frame: Frame, before: Before): Outcome {
  const names = (frame.fn?.parameters ?? []).map(({ target }) =>
    target.is === 'name' ? target.name : undefined,
  );
  // Rust's errors are looked at before the value is.
  const fine = frame.exits.filter(({ value }) => value.ref !== 'Err()');
  const value = fine.reduce((joined, exit) => join(joined, exit.value), fine[0]?.value ?? clean);
  if (fine.every(showsNothing)) return withoutFacts(value, names.length);
  const exits = fine.map((exit) => wayOut(exit, { frame, names, before }));
  const saysYes = exits.filter(({ verdict }) => verdict !== false);
  const saysNo = exits.filter(({ verdict }) => verdict !== true);
  const bitsOf = (kind: 'always' | 'yes' | 'no', ways: readonly WayOut[]) =>
    commonBits(
      ways.map((way) => way[kind]),
      names.length,
    );
  const partsOfAll = (kind: 'always' | 'yes' | 'no', ways: readonly WayOut[]) =>
    commonParts(ways.map(({ parts }) => parts[kind]));
  return {
    value,
    always: bitsOf('always', exits),
    yes: bitsOf('yes', saysYes),
    no: bitsOf('no', saysNo),
    parts: {
      always: partsOfAll('always', exits),
      yes: partsOfAll('yes', saysYes),
      no: partsOfAll('no', saysNo),
    },
    around: {
      always: commonOf(exits.map(({ around }) => around)),
      yes: commonOf(saysYes.map(({ aroundYes }) => aroundYes)),
    },
  };
}
