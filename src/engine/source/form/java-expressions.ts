import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Entry, Expression, Statement } from './form.ts';
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
import {
  argumentsOf,
  binaryOf,
  callOf,
  choiceOf,
  closureOf,
  constant,
  giving,
  indexOf,
  leaving,
  listOf,
  memberOf,
} from './shapes.ts';

/** `java.util.List<String>` is known as `List`. */
export const typeName = (node: SyntaxNode | undefined): string =>
  (node?.text ?? '')
    .replace(/<[\s\S]*$/, '')
    .replace(/^.*\./, '')
    .replace(/\[\]$/, '')
    .trim();

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
  const made: Expression = {
    is: 'call',
    callee,
    args: argumentsOf(node.find('arguments'), reader),
    isNew: true,
    at: node.start,
    end: node.end,
  };
  const body = node.ofType('class_body');
  return body === undefined ? made : withMethods(made, body, reader);
}

/** `new Handler() { … }`: an object with methods of its own, of what is made without them. */
function withMethods(
  made: Extract<Expression, { is: 'call' }>,
  body: SyntaxNode,
  reader: Reader,
): Expression {
  const entries = body.children
    .filter(({ type }) => type === 'method_declaration')
    .map((each): Entry => {
      const fn = reader.fn(each);
      return { key: fn.name, value: { is: 'function', fn, at: fn.at, end: fn.end } };
    });
  const { callee, at, end } = made;
  const type = callee.is === 'name' ? callee.name : '';
  return { is: 'object', entries: [{ value: made }, ...entries], type, at, end };
}

/** What one case of a switch that gives a value comes to. */
function ruleBody(node: SyntaxNode | undefined, reader: Reader): Statement[] {
  if (node === undefined) return [];
  if (node.type !== 'expression_statement') return reader.statements(node);
  return [giving(node, reader.expression(node.children[0]))];
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
      body: isRule && !gives ? [...body, leaving(each)] : body,
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

function assignmentOf(node: SyntaxNode, reader: Reader): Expression {
  const left = reader.expression(node.find('left'));
  const right = reader.expression(node.find('right'));
  const value = node.find('operator')?.text === '+=' ? joined(left, right, node) : right;
  return { is: 'assign', target: left, value, at: node.start, end: node.end };
}

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
  field_access: memberOf('object', 'field'),
  scoped_identifier: memberOf('scope', 'name'),
  array_access: indexOf('array', 'index'),
  method_invocation: invocationOf,
  // `super(…)` and `this(…)` at the beginning of a constructor.
  explicit_constructor_invocation: callOf('constructor'),
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
  lambda_expression: closureOf,
  binary_expression: binaryOf,
  instanceof_expression: (node, reader) => {
    const name = node.find('name');
    const left = reader.expression(node.find('left'));
    // `x instanceof String s` binds what x is.
    return name === undefined
      ? { is: 'several', items: [], at: node.start, end: node.end }
      : {
          is: 'several',
          items: [
            { is: 'assign', target: nameOf(name), value: left, type: 'var', at: node.start, end: node.end },
          ],
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
  ternary_expression: choiceOf('condition', 'consequence', 'alternative'),
  switch_expression: (node, reader) => ({
    is: 'steps',
    body: [casesOf(node, reader, true)],
    at: node.start,
    end: node.end,
  }),
  class_literal: severalOf,
};
