/** What the variables are on the ways through a function, and what tests have shown of them there. */
import { withArchiveTaint } from './archive-entries.ts';
import { type Frame, isSelf, type Machine } from './frame.ts';
import { cleared, type Fact, fieldOf, join, type Surroundings, type Value, withField } from './value.ts';

export type Variables = Map<string, Value>;

/**
 * The state after two ways; undefined for one that does not come through. What one of them alone says of a variable
 * that lies `around` is joined with what that is on the other.
 */
export function merged(
  a: Variables | undefined,
  b: Variables | undefined,
  around: Surroundings | undefined,
): Variables | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (around !== undefined) addCaptured(a, b, around);
  for (const [name, value] of b) {
    const other = a.get(name) ?? around?.find(name);
    const joined = other === undefined ? value : join(other, value);
    // Most were changed on neither way.
    if (joined !== other || !a.has(name)) a.set(name, joined);
  }
  return a;
}

/** What the first way alone says of variables around, together with what they are there. */
function addCaptured(a: Variables, b: Variables, around: Surroundings): void {
  for (const [name, value] of a) {
    const outer = b.has(name) ? undefined : around.find(name);
    if (outer !== undefined && outer !== value) a.set(name, join(value, outer));
  }
}

/** Sets what a test has shown, for the variables themselves and those they were made of. */
export function applyFacts(facts: readonly Fact[], frame: Frame): void {
  for (const { path, bits, isEmpty } of facts) {
    const [root, ...rest] = path;
    const value = root === undefined ? undefined : valueAt(path, frame);
    if (root === undefined || value === undefined) continue;
    setAt(root, rest, cleared(value, bits), frame);
    for (const origin of isEmpty === true ? [] : (value.of ?? [])) {
      const from = origin.split('\0');
      const [name, ...others] = from;
      const made = valueAt(from, frame);
      if (name !== undefined && made !== undefined) setAt(name, others, cleared(made, bits), frame);
    }
  }
}

function rootValue(name: string, frame: Frame): Value | undefined {
  return frame.scope.find(name) ?? (isSelf(name, frame) ? frame.self : undefined);
}

function valueAt(path: readonly string[], frame: Frame): Value | undefined {
  const [root, ...rest] = path;
  let value = root === undefined ? undefined : rootValue(root, frame);
  for (const name of rest) value = value === undefined ? undefined : fieldOf(value, name);
  // The name of an entry of an archive is somebody else's from the first time that it is looked at.
  return value === undefined || rest.length === 0 ? value : withArchiveTaint(value, frame, { at: 0, end: 0 });
}

/** Shadows the variable in the scope at hand, so that what a branch knows does not leave it. */
function setAt(root: string, rest: readonly string[], value: Value, frame: Frame): void {
  const whole = rootValue(root, frame);
  if (rest.length === 0 || whole === undefined) {
    frame.scope.shadow(root, value);
    return;
  }
  // What holds for a part is no longer said by the whole: it gets fields of its own.
  frame.scope.shadow(root, withField(spreadOut(whole, rest), rest, value));
}

/** A tainted whole as fields, so that one of them can be cleared: `*` keeps the taint of all others. */
function spreadOut(value: Value, rest: readonly string[]): Value {
  const [name, ...others] = rest;
  if (name === undefined) return value;
  const fields = new Map(value.fields);
  if (!fields.has('*') && value.taints.length > 0) fields.set('*', { taints: value.taints });
  fields.set(name, spreadOut(fieldOf(value, name), others));
  return { ...value, taints: [], fields };
}

function bodyEnds({ scope }: Frame, body: () => boolean): boolean {
  try {
    return body();
  } finally {
    scope.branches--;
  }
}

/** Runs statements on a copy of the variables; what they are afterwards, undefined where it does not come through. */
export function branch(
  { machine, frame, facts = [] }: { machine: Machine; frame: Frame; facts?: readonly Fact[] },
  body: () => boolean,
): Variables | undefined {
  const before = frame.scope.variables;
  frame.scope.variables = new Map(before);
  machine.spend();
  applyFacts(facts, frame);
  frame.scope.branches++;
  const ended = bodyEnds(frame, body);
  const after = frame.scope.variables;
  frame.scope.variables = before;
  return ended ? undefined : after;
}

/** Both ways of a choice: what one of them shows or sets is nothing that the other knows. */
export function eitherWay<T>(frame: Frame, yes: () => T, no: () => T): { first: T; second: T } {
  const before = frame.scope.variables;
  frame.scope.variables = new Map(before);
  const first = yes();
  const after = frame.scope.variables;
  frame.scope.variables = new Map(before);
  const second = no();
  frame.scope.variables = merged(after, frame.scope.variables, frame.scope.around) ?? before;
  return { first, second };
}
