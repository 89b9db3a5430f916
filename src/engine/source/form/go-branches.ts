/** Loops and switches of Go: over tables, types and channels. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import { isClosedType } from './closed-types.ts';
import type { Expression, Statement, Target } from './form.ts';
import { targetsOf } from './go-results.ts';
import { doing, nothing, type Reader, type StatementReading } from './reader.ts';
import { leaving } from './shapes.ts';

const before = (node: SyntaxNode, reader: Reader): Statement[] => reader.statements(node.find('initializer'));

/** Names of what counts along: of a list, the first of two is a number. */
const counts = /^(?:_|[ijkn]|idx|index|pos|position|at|num|number|count|row|col|line|lineNo)$/;

const isCount = (target: Target | undefined): boolean =>
  target === undefined || (target.is === 'name' && counts.test(target.name));

/** `for key, value := range table`: a table that somebody else filled has their keys. */
function keyOf(target: Target | undefined, over: Expression, { start: at, end }: SyntaxNode): Statement[] {
  if (target === undefined || isCount(target)) return [];
  if (over.is !== 'name' && over.is !== 'member' && over.is !== 'index') return [];
  const callee: Expression = { is: 'member', object: over, property: 'keys', at, end };
  const value: Expression = { is: 'call', callee, args: [], isNew: false, at, end };
  return [doing({ is: 'assign', target, value, at, end })];
}

/** Any loop: Go has one word for all of them. */
export const loopOf: StatementReading = (node, reader) => {
  const range = node.ofType('range_clause');
  const body = reader.statements(node.find('body'));
  const { start: at, end } = node;
  if (range === undefined) {
    const clause = node.ofType('for_clause');
    const test = clause?.find('condition') ?? conditionOf(node);
    return [
      ...reader.statements(clause?.find('initializer')),
      { is: 'loop', ...(test === undefined ? {} : { test: reader.expression(test) }), body, at, end },
    ];
  }
  const targets = targetsOf(range.find('left'), reader);
  const over = reader.expression(range.find('right'));
  // `for i, v := range xs`: the last name is the element; a single one may be that of a channel or a key.
  const [first] = targets;
  const isIndex = targets.length === 1 && first?.is === 'name' && /^(?:i|idx|index)$/.test(first.name);
  const target = isIndex ? nothing : (targets.at(-1) ?? nothing);
  const key = targets.length === 2 ? keyOf(targets[0], over, range) : [];
  return { is: 'loop', target, over, body: [...key, ...body], at, end };
};

/** `for test {…}` */
const conditionOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.children.find(({ type, field }) => field !== 'body' && type !== 'block' && !type.endsWith('_clause'));

/** What is done in a case. Cases of Go do not fall through. */
const bodyOf = (node: SyntaxNode, reader: Reader): Statement[] => [
  ...node.children.filter(({ field }) => field === undefined).flatMap((one) => reader.statements(one)),
  leaving(node),
];

const casesOf = ({ children }: SyntaxNode): SyntaxNode[] =>
  children.filter(({ type }) => type.endsWith('_case'));

export const switchOf: StatementReading = (node, reader) => [
  ...before(node, reader),
  {
    is: 'switch',
    subject: reader.expression(node.find('value')),
    cases: casesOf(node).map((each) => ({
      values: (each.find('value')?.children ?? []).map((value) => reader.expression(value)),
      body: bodyOf(each, reader),
    })),
    at: node.start,
    end: node.end,
  },
];

/** What no case of a switch over types or channels compares with a value: one of them is taken, nobody knows which. */
const some = ({ start: at, end }: SyntaxNode): Expression => ({ is: 'name', name: '_', at, end });

/** `switch v := x.(type)`: of a type that holds no text nothing is left. */
export const typeSwitchOf: StatementReading = (node, reader) => {
  const [alias] = targetsOf(node.find('alias'), reader);
  const { start: at, end } = node;
  const read = reader.expression(node.find('value'));
  const set = (value: Expression): Statement[] =>
    alias === undefined ? [] : [doing({ is: 'assign', target: alias, value, at: value.at, end: value.end })];
  return [
    ...before(node, reader),
    ...(alias === undefined ? [doing(read)] : set(read)),
    {
      is: 'switch',
      subject: nothing,
      cases: casesOf(node).map((each) => {
        const types = each.all('type').map(({ text }) => text);
        const isClosed = types.length > 0 && types.every((type) => isClosedType(type));
        return {
          values: each.type === 'default_case' ? [] : [some(each)],
          body: [
            ...(isClosed ? set({ ...nothing, at: each.start, end: each.start }) : []),
            ...bodyOf(each, reader),
          ],
        };
      }),
      at,
      end,
    },
  ];
};

/** `case value := <-channel:` */
export const receivedOf: StatementReading = (node, reader) => {
  const [target] = targetsOf(node.find('left'), reader);
  const value = reader.expression(node.find('right'));
  return doing(target === undefined ? value : { is: 'assign', target, value, at: node.start, end: node.end });
};

/** `select {…}`: any of the cases may be taken. */
export const selectOf: StatementReading = (node, reader) => ({
  is: 'switch',
  subject: nothing,
  cases: casesOf(node).map((each) => ({
    values: each.type === 'default_case' ? [] : [some(each)],
    body: [...reader.statements(each.find('communication')), ...bodyOf(each, reader)],
  })),
  at: node.start,
  end: node.end,
});
