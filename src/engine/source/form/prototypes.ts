/** Classes as JavaScript wrote them before it had any, and as compilers still write them. */
import type { ClassForm, Expression, FunctionForm, Statement } from './form.ts';

/** What is set on a function, as a method of the class that it makes. */
interface Member {
  owner: string;
  fn: FunctionForm;
}

const assignedIn = (statement: Statement) =>
  statement.is === 'do' && statement.value.is === 'assign' ? statement.value : undefined;

const nameIn = (expression: Expression | undefined): string | undefined =>
  expression?.is === 'name' ? expression.name : undefined;

/** Whose prototype it is: `Store` of `Store.prototype`. */
const ownerOf = (expression: Expression): string | undefined =>
  expression.is === 'member' && expression.property === 'prototype' ? nameIn(expression.object) : undefined;

/** `Store.prototype.read = function (name) {…}` */
function methodIn(statement: Statement): Member[] {
  const assigned = assignedIn(statement);
  if (assigned?.target.is !== 'member' || assigned.value.is !== 'function') return [];
  const { object, property } = assigned.target;
  const owner = ownerOf(object);
  return owner === undefined ? [] : [{ owner, fn: { ...assigned.value.fn, name: property } }];
}

/** `Store.prototype = { read: function (name) {…} }` */
function methodsOfObject(statement: Statement): Member[] {
  const assigned = assignedIn(statement);
  if (assigned?.target.is !== 'member' || assigned.value.is !== 'object') return [];
  const owner = ownerOf(assigned.target);
  if (owner === undefined) return [];
  return assigned.value.entries.flatMap(({ key, value }) =>
    typeof key === 'string' && value.is === 'function' ? [{ owner, fn: { ...value.fn, name: key } }] : [],
  );
}

/** `Store.open = function () {…}`: a static method, where `Store` has methods of its own too. */
function staticIn(statement: Statement): Member[] {
  const assigned = assignedIn(statement);
  if (assigned?.target.is !== 'member' || assigned.value.is !== 'function') return [];
  const owner = nameIn(assigned.target.object);
  const fn: FunctionForm = { ...assigned.value.fn, name: assigned.target.property, isStatic: true };
  return owner === undefined ? [] : [{ owner, fn }];
}

const derives = /^(?:__extends|inherits|_inherits\w*|inheritsLoose)$/;

/** `__extends(Store, _super)`, `util.inherits(Store, EventEmitter)`: what each is derived from. */
function baseIn(statement: Statement): readonly [name: string, base: string] | undefined {
  if (statement.is !== 'do' || statement.value.is !== 'call') return undefined;
  const { callee, args } = statement.value;
  const name = callee.is === 'member' ? callee.property : (nameIn(callee) ?? '');
  const [derived, base] = args.map(({ value }) => nameIn(value));
  return derives.test(name) && derived !== undefined && base !== undefined ? [derived, base] : undefined;
}

const grouped = (members: readonly Member[]): Map<string, FunctionForm[]> => {
  const groups = new Map<string, FunctionForm[]>();
  for (const { owner, fn } of members) {
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [fn]);
    else group.push(fn);
  }
  return groups;
};

/** The function itself, as the class's constructor: its own name is none of a method. */
const constructorOf = (fn: FunctionForm): FunctionForm => ({ ...fn, name: 'constructor', isExported: false });

function classOf(fn: FunctionForm, methods: readonly FunctionForm[], base: string | undefined): ClassForm {
  const own = [constructorOf(fn), ...methods];
  return {
    name: fn.name,
    bases: base === undefined ? [] : [base],
    fields: [],
    methods: own.map((each) => ({ ...each, owner: fn.name, receiver: 'this' })),
    marks: [],
    isExported: fn.isExported,
    at: fn.at,
    end: fn.end,
  };
}

/** The function that a statement declares: `function Store() {}`, `var Store = function () {}`. */
function declaredIn(statement: Statement): FunctionForm | undefined {
  if (statement.is === 'function') return statement.fn;
  const assigned = assignedIn(statement);
  const name = assigned === undefined || assigned.isNew !== true ? undefined : nameOfTarget(assigned);
  return name === undefined || assigned?.value.is !== 'function' ? undefined : { ...assigned.value.fn, name };
}

const nameOfTarget = ({ target }: { target: { is: string } }): string | undefined =>
  target.is === 'name' && 'name' in target && typeof target.name === 'string' ? target.name : undefined;

/**
 * A function whose prototype has methods is a class: the statements of one list, with such functions and what is set on
 * them read as one declaration.
 */
export function withPrototypes(statements: Statement[]): Statement[] {
  const methods = grouped(statements.flatMap((each) => [...methodIn(each), ...methodsOfObject(each)]));
  const bases = new Map(statements.map(baseIn).filter((each) => each !== undefined));
  if (methods.size + bases.size === 0) return statements;
  const statics = grouped(statements.flatMap(staticIn));
  const classes: Statement[] = [];
  const others: Statement[] = [];
  for (const statement of statements) {
    const fn = declaredIn(statement);
    const own = fn && methods.get(fn.name);
    if (fn === undefined || (own === undefined && !bases.has(fn.name))) {
      others.push(statement);
      continue;
    }
    const form = classOf(fn, [...(own ?? []), ...(statics.get(fn.name) ?? [])], bases.get(fn.name));
    // Functions can be used above the line where they stand.
    const list = statement.is === 'function' ? classes : others;
    list.push({ is: 'class', form, at: statement.at, end: statement.end });
  }
  return [...classes, ...others];
}
