import type { Expression, FunctionForm, Statement } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import { checkOf } from './checks.ts';
import { loopRuns } from './loops.ts';
import { endsTheWay, exitWith } from './exits.ts';
import { type Frame, type Machine, pathOf } from './frame.ts';
import { tellBases } from './derived-classes.ts';
import { type ClassValue, clean, type Fact, type Value } from './value.ts';
import { branch, merged, type Variables } from './ways.ts';

type Execution<K extends Statement['is']> = (
  statement: Extract<Statement, { is: K }>,
  machine: Machine,
  frame: Frame,
) => boolean;

const leaves: Execution<'leave'> = ({ to }, _machine, frame) => {
  if (to === 'next') frame.rounds?.push(frame.scope.variables);
  return true;
};

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
  const check = checkOf(statement.test, machine.evaluate(statement.test, frame), frame.module.grammar);
  const tool = toolAsked(statement.test);
  const yes = branch({ machine, frame, facts: check?.yes ?? [] }, () =>
    machine.forTool(tool, () => machine.execute(statement.yes, frame)),
  );
  const no = branch({ machine, frame, facts: check?.no ?? [] }, () => machine.execute(statement.no, frame));
  const after = merged(yes, no, frame.scope.around);
  if (after !== undefined) frame.scope.variables = after;
  return after === undefined;
};

const returns: Execution<'return'> = (statement, machine, frame) => {
  const value = statement.value === undefined ? clean : machine.evaluate(statement.value, frame);
  const rest = statement.more?.map((each) => machine.evaluate(each, frame));
  exitWith(rest === undefined ? value : { ...value, rest }, frame);
  return true;
};

const tryRuns: Execution<'try'> = (statement, machine, frame) => {
  const before = new Map(frame.scope.variables);
  const ended = machine.execute(statement.body, frame);
  const after: (Variables | undefined)[] = [ended ? undefined : frame.scope.variables];
  for (const handler of statement.handlers) {
    // A handler may begin after any statement of the body.
    frame.scope.variables = merged(new Map(before), frame.scope.variables, frame.scope.around) ?? before;
    after.push(branch({ machine, frame }, () => machine.execute(handler, frame)));
  }
  const state = after.reduce((a, b) => merged(a, b, frame.scope.around));
  if (state !== undefined) frame.scope.variables = state;
  return machine.execute(statement.last, frame) || state === undefined;
};

/** What is known of what is one of the author's constants: `switch (x)`, or of what the same text is called elsewhere. */
function chosenFacts(path: readonly string[] | undefined, { of: [first] = [] }: Value): Fact[] {
  const known = path ?? first?.split('\0');
  return known === undefined ? [] : [{ path: known, bits: ~0 }];
}

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
    const facts = isChosen && subject.instance === undefined ? chosenFacts(path, subject) : [];
    const last = body.at(-1);
    const leftBy = last?.is === 'leave' && last.to === undefined;
    const after = branch({ machine, frame, facts }, () => {
      frame.scope.variables =
        merged(frame.scope.variables, falls, frame.scope.around) ?? frame.scope.variables;
      const tool = isToolName(statement.subject) ? textOf(values[0]) : undefined;
      return machine.forTool(tool, () => machine.execute(leftBy ? body.slice(0, -1) : body, frame));
    });
    falls = leftBy ? undefined : after;
    state = merged(state, after, frame.scope.around);
  }
  if (!hasDefault) state = merged(state, new Map(frame.scope.variables), frame.scope.around);
  if (state !== undefined) frame.scope.variables = state;
  return state === undefined;
};

/** Decorators that only say that what they give is called like what they are given. */
const wraps = /^(?:functools\.)?wraps$/;

/** What a decorator of Python puts around a function that it was given, and that others call in its place. */
function decorated({ fn }: Value, { fn: original }: Value): Value | undefined {
  if (fn === undefined || fn.fn === original?.fn || fn.module.grammar !== 'python') return undefined;
  return fn.fn.marks.some((mark) => wraps.test(markName(mark))) ? { taints: [], fn } : undefined;
}

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
  let named = value;
  const at: Expression = { is: 'name', name: fn.name, at: fn.at, end: fn.end };
  for (const mark of fn.marks) {
    const made = machine.evaluate(mark, frame);
    // A decorator of the project may put the function into a table.
    if (made.fn !== undefined) {
      const given = { value, expression: at, isSpread: false };
      named = decorated(machine.call(made.fn, [given], frame, at).value, value) ?? named;
    }
    machine.register('@', [{ value, expression: mark, isSpread: false }], frame, at);
  }
  if (named !== value) frame.scope.variables.set(fn.name, named);
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
  class: ({ form }, machine, frame) => {
    const cls: ClassValue = { form, module: frame.module, around: frame.scope };
    frame.scope.variables.set(form.name, { taints: [], cls });
    tellBases(cls, machine, frame);
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
