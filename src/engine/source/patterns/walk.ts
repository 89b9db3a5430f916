import type { ClassForm, Expression, FunctionForm, Statement, Target } from '../form/form.ts';

type Call = Extract<Expression, { is: 'call' }>;

/** Where something stands. */
export interface Place {
  /** Names of the classes, functions and variables around it, outermost first. */
  around: readonly string[];
  /** The innermost function. */
  fn: FunctionForm | undefined;
  /** The function around that one. */
  outer?: FunctionForm | undefined;
  /** Calls that it is an argument of, innermost first. */
  inside: readonly Call[];
  /** The function that it is a decorator or an annotation of. */
  marks?: FunctionForm;
}

export interface Visitor {
  call: (call: Call, place: Place) => void;
  /** `name: value`, `name=value`, `x.name = value`, and variables. */
  entry: (name: string, value: Expression, place: Place) => void;
  binary: (expression: Extract<Expression, { is: 'binary' }>, place: Place) => void;
  loop: (statement: Extract<Statement, { is: 'loop' }>, place: Place) => void;
  fn: (fn: FunctionForm, place: Place) => void;
  returned?: (value: Expression, place: Place) => void;
  /** Variables alone: what is set, and what it is set to where it is set as a whole. */
  variable?: (target: Target, value: Expression | undefined, place: Place) => void;
}

const targetName = (target: Target): string | undefined => {
  if (target.is === 'name') return target.name;
  if (target.is === 'member') return target.property;
  return target.is === 'index' && target.key.is === 'literal' ? String(target.key.value) : undefined;
};

const named = (place: Place, name: string): Place =>
  name === '' ? place : { ...place, around: [...place.around, name] };

/** Shows a visitor every call, setting, comparison, loop and function of a file, each once. */
export class FormWalk {
  readonly #visitor: Visitor;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  run(body: readonly Statement[]): void {
    this.#statements(body, { around: [], fn: undefined, inside: [] });
  }

  #statements(body: readonly Statement[], place: Place): void {
    for (const statement of body) this.#statement(statement, place);
  }

  #statement(statement: Statement, place: Place): void {
    const show = this.#ofStatements[statement.is] as (each: Statement, place: Place) => void;
    show(statement, place);
  }

  #class(form: ClassForm, place: Place): void {
    const inside = named(place, form.name);
    for (const mark of form.marks) this.#expression(mark, place);
    for (const { name, value } of form.fields)
      if (value !== undefined) {
        this.#visitor.entry(name, value, inside);
        this.#expression(value, named(inside, name));
      }
    for (const method of form.methods) this.#function(method, inside);
  }

  #function(fn: FunctionForm, place: Place): void {
    for (const mark of fn.marks) this.#expression(mark, { ...place, marks: fn });
    const inside: Place = { ...named(place, fn.name), fn, outer: place.fn, inside: [] };
    this.#visitor.fn(fn, inside);
    for (const { preset, target } of fn.parameters) this.#visitor.variable?.(target, preset, inside);
    for (const { preset, target } of fn.parameters)
      if (preset !== undefined) {
        const name = targetName(target);
        if (name !== undefined) this.#visitor.entry(name, preset, inside);
        this.#expression(preset, inside);
      }
    this.#statements(fn.body, inside);
  }

  #call(call: Call, place: Place): void {
    this.#visitor.call(call, place);
    this.#expression(call.callee, place);
    const inside: Place = { ...place, inside: [call, ...place.inside] };
    for (const { name, value } of call.args) {
      if (name !== undefined) this.#visitor.entry(name, value, inside);
      this.#expression(value, inside);
    }
  }

  #expression(expression: Expression, place: Place): void {
    const show = this.#ofExpressions[expression.is] as (each: Expression, place: Place) => void;
    show(expression, place);
  }

  #all(expressions: readonly (Expression | undefined)[], place: Place): void {
    for (const each of expressions) if (each !== undefined) this.#expression(each, place);
  }

  #set(name: string | undefined, value: Expression, place: Place): void {
    if (name !== undefined) this.#visitor.entry(name, value, place);
    this.#expression(value, name === undefined ? place : named(place, name));
  }

  readonly #ofStatements: {
    [K in Statement['is']]: (statement: Extract<Statement, { is: K }>, place: Place) => void;
  } = {
    do: ({ value }, place) => this.#expression(value, place),
    return: ({ value, more = [] }, place) => {
      if (value !== undefined) this.#visitor.returned?.(value, place);
      this.#all([value, ...more], place);
    },
    throw: ({ value }, place) => this.#all([value], place),
    leave: () => undefined,
    if: ({ test, yes, no }, place) => {
      this.#expression(test, place);
      this.#statements(yes, place);
      this.#statements(no, place);
    },
    loop: (statement, place) => {
      this.#visitor.loop(statement, place);
      if (statement.target !== undefined) this.#visitor.variable?.(statement.target, undefined, place);
      this.#all([statement.over, statement.test], place);
      this.#statements(statement.body, place);
    },
    try: ({ body, handlers, last }, place) => {
      for (const each of [body, ...handlers, last]) this.#statements(each, place);
    },
    switch: ({ subject, cases }, place) => {
      this.#expression(subject, place);
      for (const { values, body } of cases) {
        this.#all(values, place);
        this.#statements(body, place);
      }
    },
    function: ({ fn }, place) => this.#function(fn, place),
    class: ({ form }, place) => this.#class(form, place),
    block: ({ body }, place) => this.#statements(body, place),
  };

  readonly #ofExpressions: {
    [K in Expression['is']]: (expression: Extract<Expression, { is: K }>, place: Place) => void;
  } = {
    name: () => undefined,
    literal: () => undefined,
    pattern: () => undefined,
    call: (call, place) => this.#call(call, place),
    member: ({ object }, place) => this.#expression(object, place),
    index: ({ object, key }, place) => this.#all([object, key], place),
    object: ({ entries }, place) => {
      for (const { key, value } of entries) {
        const constant = typeof key === 'object' && key.is === 'literal' ? String(key.value) : undefined;
        this.#set(typeof key === 'string' ? key : constant, value, place);
      }
    },
    list: ({ items }, place) => this.#all(items, place),
    several: ({ items }, place) => this.#all(items, place),
    text: ({ parts }, place) => this.#all(parts, place),
    spread: ({ operand }, place) => this.#expression(operand, place),
    not: ({ operand }, place) => this.#expression(operand, place),
    function: ({ fn }, place) => this.#function(fn, place),
    binary: (expression, place) => {
      this.#visitor.binary(expression, place);
      this.#all([expression.left, expression.right], place);
    },
    choice: ({ test, yes, no }, place) => this.#all([test, yes, no], place),
    assign: ({ target, value }, place) => {
      this.#visitor.variable?.(target, value, place);
      this.#set(targetName(target), value, place);
    },
    steps: ({ body }, place) => this.#statements(body, place),
  };
}
