/** Readings that languages have in common: what differs is what their grammars call the parts. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Argument, ClassForm, Expression, FunctionForm, Statement, Target } from './form.ts';
import {
  doing,
  type ExpressionReading,
  joined,
  nothing,
  type Reader,
  severalOf,
  type StatementReading,
} from './reader.ts';

/** A part of a node: by the grammar's name for it, or by its place among the children. */
type Part = string | number;

const partOf = (node: SyntaxNode, part: Part): SyntaxNode | undefined =>
  typeof part === 'string' ? node.find(part) : node.children[part];

export const constant =
  (value: string | number | boolean | null): ExpressionReading =>
  (node) => ({ is: 'literal', value, at: node.start, end: node.end });

export const listOf: ExpressionReading = (node, reader) => ({
  is: 'list',
  items: node.children.map((each) => reader.expression(each)),
  at: node.start,
  end: node.end,
});

export const spreadOf: ExpressionReading = (node, reader) => ({
  is: 'spread',
  operand: reader.expression(node.children[0]),
  at: node.start,
  end: node.end,
});

/** A function that is a value. */
export const closureOf: ExpressionReading = (node, reader) => ({
  is: 'function',
  fn: reader.fn(node),
  at: node.start,
  end: node.end,
});

export const memberOf =
  (object: Part, property: string): ExpressionReading =>
  (node, reader) => ({
    is: 'member',
    object: reader.expression(partOf(node, object)),
    property: node.find(property)?.text ?? '',
    at: node.start,
    end: node.end,
  });

export const indexOf =
  (object: Part, key: Part): ExpressionReading =>
  (node, reader) => ({
    is: 'index',
    object: reader.expression(partOf(node, object)),
    key: reader.expression(partOf(node, key)),
    at: node.start,
    end: node.end,
  });

/** Arguments that have no names. */
export const argumentsOf = (list: SyntaxNode | undefined, reader: Reader): Argument[] =>
  (list?.children ?? []).map((each) => ({ value: reader.expression(each) }));

export const callOf =
  (callee: Part): ExpressionReading =>
  (node, reader) => ({
    is: 'call',
    callee: reader.expression(partOf(node, callee)),
    args: argumentsOf(node.find('arguments'), reader),
    isNew: false,
    at: node.start,
    end: node.end,
  });

/** `a + b` may put text together; all other operators are told by their name. */
export function binaryOf(node: SyntaxNode, reader: Reader): Expression {
  const operator = node.find('operator')?.text ?? '';
  const left = reader.expression(node.find('left'));
  const right = reader.expression(node.find('right'));
  return operator === '+'
    ? joined(left, right, node)
    : { is: 'binary', operator, left, right, at: node.start, end: node.end };
}

export const choiceOf =
  (test: Part, yes: Part, no: Part): ExpressionReading =>
  (node, reader) => ({
    is: 'choice',
    test: reader.expression(partOf(node, test)),
    yes: reader.expression(partOf(node, yes)),
    no: reader.expression(partOf(node, no)),
    at: node.start,
    end: node.end,
  });

export const assignOf =
  (target: string, value: string): ExpressionReading =>
  (node, reader) => ({
    is: 'assign',
    target: reader.target(node.find(target)),
    value: reader.expression(node.find(value)),
    at: node.start,
    end: node.end,
  });

/** `x += y` keeps what x was. */
export function changeOf(node: SyntaxNode, reader: Reader): Expression {
  const target = reader.expression(node.find('left'));
  const value = joined(target, reader.expression(node.find('right')), node);
  return { is: 'assign', target, value, at: node.start, end: node.end };
}

/** `return` with its value or without one. */
export const returnOf: StatementReading = (node, reader) => ({
  is: 'return',
  ...(node.children[0] === undefined ? {} : { value: reader.expression(node.children[0]) }),
  at: node.start,
  end: node.end,
});

/** A value that is given back without the word for it. */
export const giving = (node: SyntaxNode, value: Expression): Statement => ({
  is: 'return',
  value,
  at: node.start,
  end: node.end,
});

export const throwOf: StatementReading = (node, reader) => ({
  is: 'throw',
  value: reader.expression(node.children[0]),
  at: node.start,
  end: node.end,
});

/** Out of a loop or a case. */
export const leaving = (node: SyntaxNode): Statement => ({ is: 'leave', at: node.start, end: node.end });

/** On to the next round of a loop. One with a label may be of another loop. */
export const continuing = (node: SyntaxNode): Statement => ({
  is: 'leave',
  ...(node.children.length === 0 ? { to: 'next' as const } : {}),
  at: node.start,
  end: node.end,
});

export const branchOf = (node: SyntaxNode, reader: Reader): Statement => ({
  is: 'if',
  test: reader.expression(node.find('condition')),
  yes: reader.statements(node.find('consequence')),
  no: reader.statements(node.find('alternative')),
  at: node.start,
  end: node.end,
});

/** A loop over what `over` holds. */
export const eachOf =
  (target: string, over: string): StatementReading =>
  (node, reader) => ({
    is: 'loop',
    target: reader.target(node.find(target)),
    over: reader.expression(node.find(over)),
    body: reader.statements(node.find('body')),
    at: node.start,
    end: node.end,
  });

export const whileOf: StatementReading = (node, reader) => ({
  is: 'loop',
  test: reader.expression(node.find('condition')),
  body: reader.statements(node.find('body')),
  at: node.start,
  end: node.end,
});

export const blockOf: StatementReading = (node, reader) => ({
  is: 'block',
  body: node.children.flatMap((each) => reader.statements(each)),
  at: node.start,
  end: node.end,
});

export const functionStatement: StatementReading = (node, reader) => ({
  is: 'function',
  fn: reader.fn(node),
  at: node.start,
  end: node.end,
});

export const classStatement: StatementReading = (node, reader) => ({
  is: 'class',
  form: reader.form(node),
  at: node.start,
  end: node.end,
});

/** For declarations that say nothing of what happens. */
export const skipped: StatementReading = () => [];

/** How one language is read. */
interface Language {
  /** By the type of the node; what is in neither table is the taint of all its parts. */
  readonly expressions: Readonly<Record<string, ExpressionReading>>;
  readonly statements: Readonly<Record<string, StatementReading>>;
  /** Types of nodes that hold statements. One with a reading of its own is read by it where it stands among others. */
  readonly blocks: ReadonlySet<string>;
  /** What stands left of an assignment; an expression where nothing is given. */
  readonly target?: (node: SyntaxNode | undefined, reader: Reader) => Target;
  readonly fn: (node: SyntaxNode, reader: Reader) => FunctionForm;
  readonly form: (node: SyntaxNode, reader: Reader) => ClassForm;
}

const readingOf = <Reading>(table: Readonly<Record<string, Reading>>, type: string): Reading | undefined =>
  Object.hasOwn(table, type) ? table[type] : undefined;

export function readerOf({ expressions, statements, blocks, target, fn, form }: Language): Reader {
  const one = (node: SyntaxNode): Statement[] => {
    const read = readingOf(statements, node.type)?.(node, reader) ?? doing(reader.expression(node));
    return Array.isArray(read) ? read : [read];
  };
  const reader: Reader = {
    expression: (node) =>
      node === undefined ? nothing : (readingOf(expressions, node.type) ?? severalOf)(node, reader),
    target: (node) => (target === undefined ? reader.expression(node) : target(node, reader)),
    statements(node) {
      if (node === undefined) return [];
      if (!blocks.has(node.type)) return one(node);
      return node.children.flatMap((each) =>
        readingOf(statements, each.type) === undefined ? reader.statements(each) : one(each),
      );
    },
    fn: (node) => fn(node, reader),
    form: (node) => form(node, reader),
  };
  return reader;
}
