import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { ClassForm, Expression, FunctionForm, Statement, Target } from './form.ts';

/** What the parts of one language's reading ask of each other. */
export interface Reader {
  expression: (node: SyntaxNode | undefined) => Expression;
  target: (node: SyntaxNode | undefined) => Target;
  statements: (node: SyntaxNode | undefined) => Statement[];
  fn: (node: SyntaxNode) => FunctionForm;
  form: (node: SyntaxNode) => ClassForm;
}

export type ExpressionReading = (node: SyntaxNode, reader: Reader) => Expression;
export type StatementReading = (node: SyntaxNode, reader: Reader) => Statement | Statement[];

/** To be spread where there are few: an object with a spread in it takes twice the memory of one that names its parts. */
export const spanOf = ({ start, end }: SyntaxNode) => ({ at: start, end });

export const nothing: Expression = { is: 'literal', value: null, at: 0, end: 0 };

export const nameOf = (node: SyntaxNode): Expression => ({
  is: 'name',
  name: node.text,
  at: node.start,
  end: node.end,
});

/** The taint of all parts: what no rule of the language's reading understands. */
export const severalOf = (node: SyntaxNode, reader: Reader): Expression => ({
  is: 'several',
  items: node.children.map((child) => reader.expression(child)),
  at: node.start,
  end: node.end,
});

/** For nodes that only wrap another: brackets, casts, `await`. */
export const inner: ExpressionReading = (node, reader) => reader.expression(node.children[0]);

/** `yield x`, as a call of a function that no language lets anybody name so; `yield*` for all elements of `x`. */
export const yielding = (node: SyntaxNode, value: Expression, isAll: boolean): Expression => ({
  is: 'call',
  callee: { is: 'name', name: isAll ? 'yield*' : 'yield', at: node.start, end: node.end },
  args: [{ value }],
  isNew: false,
  at: node.start,
  end: node.end,
});

export const literal =
  (valueOf: (text: string) => string | number | boolean | null): ExpressionReading =>
  (node) => ({ is: 'literal', value: valueOf(node.text), at: node.start, end: node.end });

export const doing = (value: Expression): Statement => ({ is: 'do', value, at: value.at, end: value.end });

/** `a + b`: text where it could be, flat so that parts stand in order. */
export function joined(left: Expression, right: Expression, node: SyntaxNode): Expression {
  const parts = [left, right].flatMap((each) => (each.is === 'text' ? each.parts : [each]));
  return { is: 'text', parts, at: node.start, end: node.end };
}

const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

/** The value of an escape sequence as most languages write it. */
export function unescaped(text: string): string {
  const hex = /^\\(?:u\{?|x|U)([0-9a-fA-F]+)\}?$/.exec(text)?.[1];
  const code = hex === undefined ? NaN : Number.parseInt(hex, 16);
  if (code <= 0x10_ff_ff) return String.fromCodePoint(code);
  const rest = text.slice(1);
  return simpleEscapes[rest] ?? rest;
}

/** The value of a string whose content nodes are children. */
export const contentOf = (node: Pick<SyntaxNode, 'children'>): string =>
  node.children.map((child) => (child.type.includes('escape') ? unescaped(child.text) : child.text)).join('');

/** A string whose content nodes are children. */
export const stringOf = (node: SyntaxNode): Extract<Expression, { is: 'literal' }> => ({
  is: 'literal',
  value: contentOf(node),
  at: node.start,
  end: node.end,
});
