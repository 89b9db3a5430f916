import type { Expression, FunctionForm, Statement } from '../form/form.ts';
import { withArchiveTaint } from './archive-entries.ts';
import { checkOf } from './checks.ts';
import { factsOfLoop } from './loop-facts.ts';
import { endsTheWay, exitWith } from './exits.ts';
import { type Frame, type Machine, pathOf } from './frame.ts';
import { endsInSeparator } from './texts.ts';
import { clean, cleared, type Fact, fieldOf, isTainted, join, type Value, withField } from './value.ts';
import { isSelf } from './frame.ts';

type Variables = Map<string, Value>;

/** The state after two ways; undefined for one that does not come through. */
function merged(a: Variables | undefined, b: Variables | undefined): Variables | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  for (const [name, value] of b) {
    const other = a.get(name);
    const joined = other === undefined ? value : join(other, value);
    // Most were changed on neither way.
    if (joined !== other) a.set(name, joined);
  }
  return a;
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
    frame.scope.variables.set(root, value);
    return;
  }
  // What holds for a part is no longer said by the whole: it gets fields of its own.
  frame.scope.variables.set(root, withField(spreadOut(whole, rest), rest, value));
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

type Execution<K extends Statement['is']> = (
  statement: Extract<Statement, { is: K }>,
  machine: Machine,
  frame: Frame,
) => boolean;

const leaves: Execution<'leave'> = () => true;

/** Runs statements on a copy of the variables; what they are afterwards, undefined where it does not come through. */
function branch(
  { machine, frame, facts = [] }: { machine: Machine; frame: Frame; facts?: readonly Fact[] },
  body: () => boolean,
): Variables | undefined {
  const before = frame.scope.variables;
  frame.scope.variables = new Map(before);
  machine.spend();
  applyFacts(facts, frame);
  const ended = body();
  const after = frame.scope.variables;
  frame.scope.variables = before;
  return ended ? undefined : after;
}

const ofTool = /^(?:tool_?)?name$/i;

/** Whether it is the name of the tool that is called. */
function isToolName(expression: Expression): boolean {
  if (expression.is === 'name') return ofTool.test(expression.name);
  return expression.is === 'member' && ofTool.test(expression.property);
}

const textOf = (expression: Expression | undefined): string | undefined =>
  expression?.is === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;

/** `name === 'read_file'` */
function toolAsked(test: Expression, operator = /^={2,3}$/): string | undefined {
  if (test.is !== 'binary' || !operator.test(test.operator) || !isToolName(test.left)) return undefined;
  return textOf(test.right);
}

/** `if (name !== 'read_file') throw …`: what stands behind it is for that tool. */
function onlyToolBehind(statement: Statement): string | undefined {
  if (statement.is !== 'if' || statement.no.length > 0) return undefined;
  const last = statement.yes.at(-1)?.is;
  return last === 'throw' || last === 'return' ? toolAsked(statement.test, /^!={1,2}$/) : undefined;
}

const ifRuns: Execution<'if'> = (statement, machine, frame) => {
  const check = checkOf(statement.test, machine.evaluate(statement.test, frame));
  const tool = toolAsked(statement.test);
  const yes = branch({ machine, frame, facts: check?.yes ?? [] }, () =>
    machine.forTool(tool, () => machine.execute(statement.yes, frame)),
  );
  const no = branch({ machine, frame, facts: check?.no ?? [] }, () => machine.execute(statement.no, frame));
  const after = merged(yes, no);
  if (after !== undefined) frame.scope.variables = after;
  return after === undefined;
};

const elements = new WeakMap<Value, Value>();
/** Joining a few is faster than remembering what they came to. */
const fewElements = 8;

/** An element of what is gone through; of a long table, which many go through, it is put together once. */
export function elementOf(over: Value): Value {
  const { taints, ref, fields } = over;
  const isLong = fields !== undefined && fields.size > fewElements;
  const known = isLong ? elements.get(over) : undefined;
  if (known !== undefined) return known;
  const all = fields === undefined ? [] : [...fields.values()];
  let element: Value = ref === undefined ? { taints } : { taints, ref: `${ref}[]` };
  for (const field of all) element = join(element, field);
  // Folders of a list that all end in a separator.
  if (all.length > 0 && all.every(endsInSeparator)) element = { ...element, endsInSeparator: true };
  if (isLong) elements.set(over, element);
  return element;
}

/** Whether a second round could find what the first did not: a variable that was there has got something. */
function carryMore(after: Variables, before: Variables): boolean {
  for (const [name, now] of after) {
    const known = before.get(name);
    if (known !== undefined && now !== known && (isTainted(now) || now.fn !== undefined)) return true;
  }
  return false;
}

const loopRuns: Execution<'loop'> = (statement, machine, frame) => {
  let shown: readonly Fact[] = [];
  // Twice: what the first round leaves is seen by the second.
  for (let round = 0; round < 2; round++) {
    const over = statement.over === undefined ? undefined : machine.evaluate(statement.over, frame);
    const check = statement.test === undefined ? undefined : machine.evaluate(statement.test, frame).check;
    const after = branch({ machine, frame, facts: check?.yes ?? [] }, () => {
      if (statement.target !== undefined && over !== undefined)
        machine.assign(statement.target, withArchiveTaint(elementOf(over), frame, statement.target), frame);
      return machine.execute(statement.body, frame);
    });
    const before = frame.scope.variables;
    const isSame = after === undefined || !carryMore(after, before);
    shown = factsOfLoop(statement, over === undefined ? undefined : elementOf(over), after, frame);
    frame.scope.variables = merged(after, before) ?? before;
    if (isSame) break;
  }
  applyFacts(shown, frame);
  return false;
};

const returns: Execution<'return'> = (statement, machine, frame) => {
  const value = statement.value === undefined ? clean : machine.evaluate(statement.value, frame);
  exitWith(value, frame);
  return true;
};

const tryRuns: Execution<'try'> = (statement, machine, frame) => {
  const before = new Map(frame.scope.variables);
  const ended = machine.execute(statement.body, frame);
  const after: (Variables | undefined)[] = [ended ? undefined : frame.scope.variables];
  for (const handler of statement.handlers) {
    // A handler may begin after any statement of the body.
    frame.scope.variables = merged(new Map(before), frame.scope.variables) ?? before;
    after.push(branch({ machine, frame }, () => machine.execute(handler, frame)));
  }
  const state = after.reduce((a, b) => merged(a, b));
  if (state !== undefined) frame.scope.variables = state;
  return machine.execute(statement.last, frame) || state === undefined;
};

const switchRuns: Execution<'switch'> = (statement, machine, frame) => {
  const subject = machine.evaluate(statement.subject, frame);
  const path = pathOf(statement.subject);
  let state: Variables | undefined;
  let hasDefault = false;
  let falls: Variables | undefined;
  for (const { values, body } of statement.cases) {
    hasDefault ||= values.length === 0;
    const constants = values.map((value) => machine.evaluate(value, frame));
    const isChosen = constants.length > 0 && constants.every(({ constant }) => constant !== undefined);
    const facts =
      path !== undefined && isChosen && subject.instance === undefined ? [{ path, bits: ~0 }] : [];
    const leftBy = body.at(-1)?.is === 'leave';
    const after = branch({ machine, frame, facts }, () => {
      frame.scope.variables = merged(frame.scope.variables, falls) ?? frame.scope.variables;
      const tool = isToolName(statement.subject) ? textOf(values[0]) : undefined;
      return machine.forTool(tool, () => machine.execute(leftBy ? body.slice(0, -1) : body, frame));
    });
    falls = leftBy ? undefined : after;
    state = merged(state, after);
  }
  if (!hasDefault) state = merged(state, new Map(frame.scope.variables));
  if (state !== undefined) frame.scope.variables = state;
  return state === undefined;
};

function defineFunction(fn: FunctionForm, machine: Machine, frame: Frame): void {
  const value: Value = {
    taints: [],
    fn: {
      fn,
      module: frame.module,
      around: frame.scope,
      ...(frame.self === undefined ? {} : { self: frame.self }),
    },
  };
  frame.scope.variables.set(fn.name, value);
  if (fn.marks.length === 0) return;
  const at: Expression = { is: 'name', name: fn.name, at: fn.at, end: fn.end };
  for (const mark of fn.marks) {
    const made = machine.evaluate(mark, frame);
    // A decorator of the project may put the function into a table.
    if (made.fn !== undefined) machine.call(made.fn, [{ value, expression: at, isSpread: false }], frame, at);
    machine.register('@', [{ value, expression: mark, isSpread: false }], frame, at);
  }
}

const executions: { [K in Statement['is']]: Execution<K> } = {
  do: (statement, machine, frame) => {
    const value = machine.evaluate(statement.value, frame);
    return endsTheWay(value);
  },
  if: ifRuns,
  loop: loopRuns,
  return: returns,
  throw: (statement, machine, frame) => {
    if (statement.value !== undefined) machine.evaluate(statement.value, frame);
    return true;
  },
  leave: leaves,
  try: tryRuns,
  switch: switchRuns,
  function: ({ fn }, machine, frame) => {
    defineFunction(fn, machine, frame);
    return false;
  },
  class: ({ form }, _machine, frame) => {
    frame.scope.variables.set(form.name, {
      taints: [],
      cls: { form, module: frame.module, around: frame.scope },
    });
    return false;
  },
  block: ({ body }, machine, frame) => machine.execute(body, frame),
};

/** Runs statements in order; true where none of them comes through to the end. */
export function execute(statements: readonly Statement[], machine: Machine, frame: Frame): boolean {
  // Functions can be used above the line where they stand.
  for (const each of statements)
    if (each.is === 'function') defineFunction({ ...each.fn, marks: [] }, machine, frame);
  for (const [at, statement] of statements.entries()) {
    machine.spend();
    const run = executions[statement.is] as Execution<Statement['is']>;
    if (run(statement, machine, frame)) return true;
    const tool = onlyToolBehind(statement);
    if (tool !== undefined)
      return machine.forTool(tool, () => execute(statements.slice(at + 1), machine, frame));
  }
  return false;
}
