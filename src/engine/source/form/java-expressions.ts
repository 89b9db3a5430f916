import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Argument, Expression, Statement } from './form.ts';
import {
  type ExpressionReading,
  inner,
  joined,
  literal,
  nameOf,
  nothing,
  type Reader,
  severalOf,
  spanOf,
  stringOf,
} from './reader.ts';

const constant =
  (value: boolean | null): ExpressionReading =>
  (node) => ({ is: 'literal', value, at: node.start, end: node.end });

/** `java.util.List<String>` is known as `List`. */
export const typeName = (node: SyntaxNode | undefined): string =>
  (node?.text ?? '')
    .replace(/<[\s\S]*$/, '')
    .replace(/^.*\./, '')
    .replace(/\[\]$/, '')
    .trim();

const argumentsOf = (node: SyntaxNode | undefined, reader: Reader): Argument[] =>
  (node?.children ?? []).map((each) => ({ value: reader.expression(each) }));

function invocationOf(node: SyntaxNode, reader: Reader): Expression {
  const [object, name] = [node.find('object'), node.find('name')];
  const span = spanOf(node);
  const callee: Expression =
    object === undefined
      ? { is: 'name', name: name?.text ?? '', ...span }
      : {
          is: 'member',
          object: reader.expression(object),
          property: name?.text ?? '',
          at: object.start,
          end: name?.end ?? node.end,
        };
  return { is: 'call', callee, args: argumentsOf(node.find('arguments'), reader), isNew: false, ...span };
}

function creationOf(node: SyntaxNode, reader: Reader): Expression {
  const type = node.find('type');
  const callee: Expression = { is: 'name', name: typeName(type), ...spanOf(type ?? node) };
  return {
    is: 'call',
    callee,
    args: argumentsOf(node.find('arguments'), reader),
    isNew: true,
    at: node.start,
    end: node.end,
  };
}

/** What one case of a switch that gives a value comes to. */
function ruleBody(node: SyntaxNode | undefined, reader: Reader): Statement[] {
  if (node === undefined) return [];
  if (node.type !== 'expression_statement') return reader.statements(node);
  return [{ is: 'return', value: reader.expression(node.children[0]), at: node.start, end: node.end }];
}

/** Cases of a switch, of both kinds. `gives` where the switch has a value. */
export function casesOf(
  node: SyntaxNode,
  reader: Reader,
  gives: boolean,
): Extract<Statement, { is: 'switch' }> {
  const cases = (node.find('body')?.children ?? []).map((each) => {
    const labels = each.children.filter(({ type }) => type === 'switch_label');
    const values = labels.flatMap((label) => label.children.map((value) => reader.expression(value)));
    const rest = each.children.filter(({ type }) => type !== 'switch_label');
    const isRule = each.type === 'switch_rule';
    const body = gives && isRule ? ruleBody(rest[0], reader) : rest.flatMap((one) => reader.statements(one));
    // Cases with an arrow do not fall through.
    return {
      values,
      body: isRule && !gives ? [...body, { is: 'leave' as const, at: each.start, end: each.end }] : body,
    };
  });
  return {
    is: 'switch',
    subject: reader.expression(node.find('condition')),
    cases,
    at: node.start,
    end: node.end,
  };
}

function binaryOf(node: SyntaxNode, reader: Reader): Expression {
  const operator = node.find('operator')?.text ?? '';
  const [left, right] = [reader.expression(node.find('left')), reader.expression(node.find('right'))];
  return operator === '+'
    ? joined(left, right, node)
    : { is: 'binary', operator, left, right, at: node.start, end: node.end };
}

function assignmentOf(node: SyntaxNode, reader: Reader): Expression {
  const left = reader.expression(node.find('left'));
  const right = reader.expression(node.find('right'));
  const value = node.find('operator')?.text === '+=' ? joined(left, right, node) : right;
  return { is: 'assign', target: left, value, at: node.start, end: node.end };
}

function lambdaOf(node: SyntaxNode, reader: Reader): Expression {
  return { is: 'function', fn: reader.fn(node), at: node.start, end: node.end };
}

const listOf: ExpressionReading = (node, reader) => ({
  is: 'list',
  items: node.children.map((each) => reader.expression(each)),
  at: node.start,
  end: node.end,
});

export const javaExpressions: Readonly<Record<string, ExpressionReading>> = {
  identifier: nameOf,
  type_identifier: nameOf,
  this: nameOf,
  super: nameOf,
  null_literal: constant(null),
  true: constant(true),
  false: constant(false),
  decimal_integer_literal: literal((text) => Number(text.replaceAll(/[lL_]/g, ''))),
  decimal_floating_point_literal: literal((text) => Number.parseFloat(text)),
  character_literal: literal((text) => text.slice(1, -1)),
  string_literal: stringOf,
  parenthesized_expression: inner,
  expression_statement: inner,
  cast_expression: (node, reader) => reader.expression(node.find('value')),
  field_access: (node, reader) => ({
    is: 'member',
    object: reader.expression(node.find('object')),
    property: node.find('field')?.text ?? '',
    at: node.start,
    end: node.end,
  }),
  scoped_identifier: (node, reader) => ({
    is: 'member',
    object: reader.expression(node.find('scope')),
    property: node.find('name')?.text ?? '',
    at: node.start,
    end: node.end,
  }),
  array_access: (node, reader) => ({
    is: 'index',
    object: reader.expression(node.find('array')),
    key: reader.expression(node.find('index')),
    at: node.start,
    end: node.end,
  }),
  method_invocation: invocationOf,
  // `super(…)` and `this(…)` at the beginning of a constructor.
  explicit_constructor_invocation: (node, reader) => ({
    is: 'call',
    callee: reader.expression(node.find('constructor')),
    args: (node.find('arguments')?.children ?? []).map((each) => ({ value: reader.expression(each) })),
    isNew: false,
    at: node.start,
    end: node.end,
  }),
  object_creation_expression: creationOf,
  array_creation_expression: (node, reader) => {
    const value = node.find('value');
    return value === undefined
      ? { is: 'list', items: [], at: node.start, end: node.end }
      : reader.expression(value);
  },
  array_initializer: listOf,
  element_value_array_initializer: listOf,
  method_reference: (node, reader) => ({
    is: 'member',
    object: reader.expression(node.children[0]),
    property: node.children.at(-1)?.text ?? '',
    at: node.start,
    end: node.end,
  }),
  lambda_expression: lambdaOf,
  binary_expression: binaryOf,
  instanceof_expression: (node, reader) => {
    const name = node.find('name');
    const left = reader.expression(node.find('left'));
    // `x instanceof String s` binds what x is.
    return name === undefined
      ? { is: 'several', items: [], at: node.start, end: node.end }
      : {
          is: 'several',
          items: [{ is: 'assign', target: nameOf(name), value: left, at: node.start, end: node.end }],
          at: node.start,
          end: node.end,
        };
  },
  unary_expression: (node, reader) => {
    const operand = reader.expression(node.find('operand'));
    return node.find('operator')?.text === '!'
      ? { is: 'not', operand, at: node.start, end: node.end }
      : operand;
  },
  update_expression: () => nothing,
  assignment_expression: assignmentOf,
  ternary_expression: (node, reader) => ({
    is: 'choice',
    test: reader.expression(node.find('condition')),
    yes: reader.expression(node.find('consequence')),
    no: reader.expression(node.find('alternative')),
    at: node.start,
    end: node.end,
  }),
  switch_expression: (node, reader) => ({
    is: 'steps',
    body: [casesOf(node, reader, true)],
    at: node.start,
    end: node.end,
  }),
  class_literal: severalOf,
};
