import type { ClassForm, Expression, FunctionForm, Statement, Target } from '../form/form.ts';

type Call = Extract<Expression, { is: 'call' }>;

/** Where something stands. */
export interface Place {
  /** Names of the classes, functions and variables around it, outermost first. */
  around: readonly string[];
  /** The innermost function. */
  fn: FunctionForm | undefined;
  /** Calls that it is an argument of, innermost first. */
  inside: readonly Call[];
}

export interface Visitor {
  call: (call: Call, place: Place) => void;
  /** `name: value`, `name=value`, `x.name = value`, and variables. */
  entry: (name: string, value: Expression, place: Place) => void;
  binary: (expression: Extract<Expression, { is: 'binary' }>, place: Place) => void;
  loop: (statement: Extract<Statement, { is: 'loop' }>, place: Place) => void;
  fn: (fn: FunctionForm, place: Place) => void;
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
    switch (statement.is) {
      case 'do':
        this.#expression(statement.value, place);
        break;
      case 'return':
      case 'throw':
        if (statement.value !== undefined) this.#expression(statement.value, place);
        break;
      case 'if':
        this.#expression(statement.test, place);
        this.#statements(statement.yes, place);
        this.#statements(statement.no, place);
        break;
      case 'loop':
        this.#visitor.loop(statement, place);
        if (statement.over !== undefined) this.#expression(statement.over, place);
        if (statement.test !== undefined) this.#expression(statement.test, place);
        this.#statements(statement.body, place);
        break;
      case 'try':
        this.#statements(statement.body, place);
        for (const handler of statement.handlers) this.#statements(handler, place);
        this.#statements(statement.last, place);
        break;
      case 'switch':
        this.#expression(statement.subject, place);
        for (const { values, body } of statement.cases) {
          for (const value of values) this.#expression(value, place);
          this.#statements(body, place);
        }
        break;
      case 'function':
        this.#function(statement.fn, place);
        break;
      case 'class':
        this.#class(statement.form, place);
        break;
      case 'block':
        this.#statements(statement.body, place);
        break;
      case 'leave':
    }
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
    for (const mark of fn.marks) this.#expression(mark, place);
    const inside: Place = { ...named(place, fn.name), fn, inside: [] };
    this.#visitor.fn(fn, inside);
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
    switch (expression.is) {
      case 'call':
        this.#call(expression, place);
        break;
      case 'member':
        this.#expression(expression.object, place);
        break;
      case 'index':
        this.#expression(expression.object, place);
        this.#expression(expression.key, place);
        break;
      case 'object':
        for (const { key, value } of expression.entries) {
          const name = typeof key === 'string' ? key : key?.is === 'literal' ? String(key.value) : undefined;
          if (name !== undefined) this.#visitor.entry(name, value, place);
          this.#expression(value, name === undefined ? place : named(place, name));
        }
        break;
      case 'list':
      case 'several':
        for (const item of expression.items) this.#expression(item, place);
        break;
      case 'text':
        for (const part of expression.parts) this.#expression(part, place);
        break;
      case 'spread':
      case 'not':
        this.#expression(expression.operand, place);
        break;
      case 'function':
        this.#function(expression.fn, place);
        break;
      case 'binary':
        this.#visitor.binary(expression, place);
        this.#expression(expression.left, place);
        this.#expression(expression.right, place);
        break;
      case 'choice':
        this.#expression(expression.test, place);
        this.#expression(expression.yes, place);
        this.#expression(expression.no, place);
        break;
      case 'assign': {
        const name = targetName(expression.target);
        if (name !== undefined) this.#visitor.entry(name, expression.value, place);
        this.#expression(expression.value, name === undefined ? place : named(place, name));
        break;
      }
      case 'steps':
        this.#statements(expression.body, place);
        break;
      case 'name':
      case 'literal':
      case 'pattern':
    }
  }
}
