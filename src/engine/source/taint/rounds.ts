/** What a loop goes through one by one, and what its body calls each of them. */
import type { Expression, Statement, Target } from '../form/form.ts';
import { type Frame, pathOf } from './frame.ts';

type Loop = Extract<Statement, { is: 'loop' }>;

/** The elements of `over`; `names` are those that one of them has in the body. */
export interface Rounds {
  over: Expression;
  names: readonly string[];
  /** `args[i]`, where the loop counts: under this name the scope has the element. */
  counted?: string;
}

/** Calls that give the same elements again, as functions and as methods. */
const sameElements =
  /^(?:list|tuple|reversed|sorted|iter|into_iter|iter_mut|values|toArray|to_vec|stream|clone)$/;

/** What is given to a call that gives the same elements again; undefined for any other. */
function sameAs({ callee, args }: Extract<Expression, { is: 'call' }>): Expression | undefined {
  if (callee.is === 'member')
    return args.length === 0 && sameElements.test(callee.property) ? callee.object : undefined;
  return callee.is === 'name' && args.length === 1 && sameElements.test(callee.name)
    ? args[0]?.value
    : undefined;
}

/** What is gone through behind `list(args)`, `args.iter()` and `[...args]`. */
function withoutCalls(over: Expression, depth = 0): Expression {
  const only = over.is === 'list' && over.items.length === 1 ? over.items[0] : undefined;
  const inner = over.is === 'call' ? sameAs(over) : only?.is === 'spread' ? only.operand : undefined;
  return inner === undefined || depth > 3 ? over : withoutCalls(inner, depth + 1);
}

/** The second of `i, arg` and `[i, arg]`. */
const secondOf = (target: Target | undefined): Target | undefined =>
  (target?.is === 'items' || target?.is === 'list') && target.items.length === 2
    ? target.items[1]
    : undefined;

/** What is counted along: `enumerate(args)`, `args.entries()`, `args.iter().enumerate()`. */
function countedAlong(over: Expression): Expression | undefined {
  if (over.is !== 'call') return undefined;
  const { callee, args } = over;
  if (callee.is === 'name' && callee.name === 'enumerate') return args[0]?.value;
  return callee.is === 'member' && args.length === 0 && /^(?:entries|enumerate)$/.test(callee.property)
    ? callee.object
    : undefined;
}

/** Whose length is asked for: `args.length`, `len(args)`, `args.size()`. */
export function measured(length: Expression): Expression | undefined {
  if (length.is === 'member') return length.property === 'length' ? length.object : undefined;
  if (length.is !== 'call') return undefined;
  const { callee, args } = length;
  if (callee.is === 'name' && callee.name === 'len') return args[0]?.value;
  return callee.is === 'member' && /^(?:size|length|len)$/.test(callee.property) ? callee.object : undefined;
}

const head = 200;

/** `for (let i = 0; i < args.length; i++)`: begins with the first and leaves none out. */
function counts(name: string, { at }: Loop, { module }: Frame): boolean {
  const text = module.text.slice(at, at + head).split('{', 1)[0] ?? '';
  const i = name.replaceAll('$', String.raw`\$`);
  return (
    new RegExp(String.raw`^for\b[^;]*?(?<![\w$])${i}\s*:?=\s*0\s*[,;]`).test(text) &&
    new RegExp(String.raw`;\s*(?:${i}\s*(?:\+\+|\+=\s*1)|\+\+\s*${i})\s*\)?\s*(?:[^,;]|$)`).test(text)
  );
}

/** The name under which the scope has the element that a loop counts to. */
export function countedName(object: Expression, key: Expression): string | undefined {
  const path = key.is === 'name' ? pathOf(object) : undefined;
  return path === undefined || key.is !== 'name' ? undefined : `${path.join('.')}[${key.name}]`;
}

/** `const arg = args[i];` at the beginning of the body. */
function aliasOf({ body: [first] }: Loop, counted: string): string | undefined {
  if (first?.is !== 'do' || first.value.is !== 'assign' || first.value.target.is !== 'name') return undefined;
  const { target, value } = first.value;
  return value.is === 'index' && countedName(value.object, value.key) === counted ? target.name : undefined;
}

function countedRounds(loop: Loop, frame: Frame): Rounds | undefined {
  const { test } = loop;
  if (test?.is !== 'binary' || test.operator !== '<' || test.left.is !== 'name') return undefined;
  const over = measured(test.right);
  const counted = over === undefined ? undefined : countedName(over, test.left);
  if (over === undefined || counted === undefined || !counts(test.left.name, loop, frame)) return undefined;
  const alias = aliasOf(loop, counted);
  return { over, counted, names: alias === undefined ? [counted] : [counted, alias] };
}

/** What a loop goes through; undefined where it waits for something else. */
export function roundsOf(loop: Loop, frame: Frame): Rounds | undefined {
  const { target, over } = loop;
  if (over === undefined) return countedRounds(loop, frame);
  const element = secondOf(target);
  const along = element === undefined ? undefined : countedAlong(over);
  if (along !== undefined && element?.is === 'name')
    return { over: withoutCalls(along), names: [element.name] };
  return { over: withoutCalls(over), names: target?.is === 'name' ? [target.name] : [] };
}
