/** What functions of Go give back, several values at once, and where it is put. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression, Statement, Target } from './form.ts';
import { doing, joined, type Reader, type StatementReading } from './reader.ts';

/** What stands left of an assignment. */
export function targetsOf(node: SyntaxNode | undefined, reader: Reader): Target[] {
  return (node?.children ?? []).map((each) => reader.expression(each));
}

/** `value, ok := table[key]`: the second says whether the table has such a key. */
function hasKey(
  target: Target,
  value: SyntaxNode,
  { start: at, end }: SyntaxNode,
  reader: Reader,
): Statement[] {
  const read = reader.expression(value);
  if (read.is !== 'index' || target.is !== 'name' || target.name === '_') return [];
  const has: Expression = { is: 'binary', operator: 'in', left: read.key, right: read.object, at, end };
  return [doing({ is: 'assign', target, value: has, at, end })];
}

/** Errors hold nothing of what they are given back with. */
const isError = (target: Target): boolean =>
  target.is === 'name' && /^_$|^err(?:or)?\d*$|^err[A-Z]|Err$/.test(target.name);

/** Functions of libraries that give one text in two parts. */
const inParts =
  /^(?:(?:strings|bytes)\.Cut|net\.SplitHostPort|mime\.ParseMediaType|[\w.]+\.(?:FormFile|BasicAuth))$/;
const ofPath = /^(?:filepath|path)\.Split$/;

/** The second of what a function of a library gives, where it is made of the same text. */
function secondOf(callee: SyntaxNode, first: Expression, { start: at, end }: SyntaxNode, reader: Reader) {
  if (inParts.test(callee.text)) return { is: 'several' as const, items: [first], at, end };
  const library = ofPath.test(callee.text) ? callee.find('operand') : undefined;
  if (library === undefined) return undefined;
  // What stands behind the last separator has none.
  const base: Expression = { is: 'member', object: reader.expression(library), property: 'Base', at, end };
  return { is: 'call' as const, callee: base, args: [{ value: first }], isNew: false, at, end };
}

/** `a, b, err := f()`: b is the second of what the call gives. */
function furtherValue(
  targets: readonly Target[],
  at: number,
  { call, node }: { call: SyntaxNode; node: SyntaxNode },
  reader: Reader,
): Statement[] {
  const target = targets[at];
  const [first] = targets;
  if (target === undefined || first === undefined || isError(target)) return [];
  if (first.is === 'fields' || first.is === 'items') return [];
  const callee = call.find('function');
  const known = at === 1 && callee !== undefined ? secondOf(callee, first, node, reader) : undefined;
  const { start, end } = node;
  const value: Expression = known ?? { is: 'member', object: first, property: `#${at}`, at: start, end };
  return [doing({ is: 'assign', target, value, at: start, end })];
}

/** `a, err := f()`, `a, b = b, a` and `a += b` */
export const assignment: StatementReading = (node, reader) => {
  const targets = targetsOf(node.find('left'), reader);
  const values = node.find('right')?.children ?? [];
  const operator = node.find('operator')?.text ?? '=';
  return targets.flatMap((target, at): Statement[] => {
    const value = values[at];
    const [only] = values;
    if (value === undefined) {
      if (values.length !== 1 || only === undefined) return [];
      return only.type === 'call_expression'
        ? furtherValue(targets, at, { call: only, node }, reader)
        : hasKey(target, only, node, reader);
    }
    const right = reader.expression(value);
    const sum =
      operator === '+=' && target.is !== 'fields' && target.is !== 'items'
        ? joined(target, right, node)
        : right;
    return [doing({ is: 'assign', target, value: sum, at: node.start, end: node.end })];
  });
};

const makesError =
  /^(?:errors\.(?:New|Errorf|Wrapf?|WithStack|WithMessagef?|Join)|fmt\.Errorf|status\.Errorf?|xerrors\.\w+)\(/;
const isZero = (node: SyntaxNode | undefined) => /^(?:nil|""|``|0|false|\w*\{\})$/.test(node?.text ?? '');

/** `return "", err` goes on nowhere: who called looks at the error first. */
function isFailure(values: readonly SyntaxNode[], last: SyntaxNode): boolean {
  if (makesError.test(last.text)) return true;
  if (last.type !== 'identifier') return false;
  const isSole = values.length === 1;
  // `errOutside` is an error that the package declares; alone it may be a text.
  if (/^err[A-Z]/.test(last.text)) return !isSole && isZero(values[0]);
  return /^err(?:or)?$|^Err|Err$/.test(last.text) && (isSole || isZero(values[0]));
}

const mentionsError = /\berr(?:or)?\b/;

/**
 * `return err` where nothing has shown that there is an error: most often there is none, and the function comes back.
 * `isShown` says whether a test around it has asked.
 */
export function settled(
  body: readonly Statement[],
  textOf: (at: number, end: number) => string,
  isShown = false,
): Statement[] {
  return body.map((each): Statement => {
    if (each.is === 'throw')
      return isShown || each.value?.is !== 'name' || !/^err(?:or)?$/.test(each.value.name)
        ? each
        : { is: 'return', at: each.at, end: each.end };
    if (each.is === 'if') {
      const asks = isShown || mentionsError.test(textOf(each.test.at, each.test.end));
      return { ...each, yes: settled(each.yes, textOf, asks), no: settled(each.no, textOf, isShown) };
    }
    if (each.is === 'loop' || each.is === 'block')
      return { ...each, body: settled(each.body, textOf, isShown) };
    if (each.is !== 'switch') return each;
    const cases = each.cases.map((one) => ({ ...one, body: settled(one.body, textOf, isShown) }));
    return { ...each, cases };
  });
}

/** What says nothing behind the first value: no error, or one. */
const saysNothing = ({ type, text }: SyntaxNode): boolean =>
  type === 'nil' || (type === 'identifier' && /^err(?:or)?$|^Err|Err$/.test(text));

/** `return a, b, err` */
export const returnOf: StatementReading = (node, reader) => {
  const values = node.children[0]?.children ?? [];
  const [value, ...others] = values;
  const last = values.at(-1);
  const { start: at, end } = node;
  if (last !== undefined && isFailure(values, last))
    return { is: 'throw', value: reader.expression(last), at, end };
  const more = others.every(saysNothing) ? [] : others.map((each) => reader.expression(each));
  return {
    is: 'return',
    ...(value === undefined ? {} : { value: reader.expression(value) }),
    ...(more.length === 0 ? {} : { more }),
    at,
    end,
  };
};
