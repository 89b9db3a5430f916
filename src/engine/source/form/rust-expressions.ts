import type { SyntaxNode } from '../parse/syntax-tree.ts';
import { isClosedType } from './closed-types.ts';
import type { Argument, Expression, Statement, Target } from './form.ts';
import {
  doing,
  type ExpressionReading,
  inner,
  literal,
  nameOf,
  nothing,
  type Reader,
  stringOf,
} from './reader.ts';
import { macroOf } from './rust-macros.ts';
import {
  assignOf,
  binaryOf,
  changeOf,
  closureOf,
  giving,
  indexOf,
  leaving,
  listOf,
  memberOf,
  spreadOf,
} from './shapes.ts';

const argumentsOf = (node: SyntaxNode | undefined, reader: Reader): Argument[] =>
  (node?.children ?? [])
    .filter(({ type }) => type !== 'attribute_item')
    .map((each) => ({ value: reader.expression(each) }));

const blockLike = new Set([
  'block',
  'if_expression',
  'match_expression',
  'unsafe_block',
  'loop_expression',
  'async_block',
]);

/** A block: all but the last as they stand, the last as what it gives. */
function tailedBlock(node: SyntaxNode, reader: Reader): Statement[] {
  const last = node.children.at(-1);
  const before = node.children.slice(0, -1).flatMap((each) => reader.statements(each));
  if (last === undefined) return before;
  const isStatement = last.type === 'expression_statement';
  const own = isStatement ? last.children[0] : last;
  const isValue = isStatement
    ? blockLike.has(own?.type ?? '') && !last.text.endsWith(';')
    : !/_item$|_declaration$/.test(last.type);
  return [...before, ...(isValue ? tailed(own, reader) : reader.statements(last))];
}

const tails: Readonly<Record<string, (node: SyntaxNode, reader: Reader) => Statement[]>> = {
  unsafe_block: (node, reader) => tailed(node.ofType('block'), reader),
  async_block: (node, reader) => tailed(node.ofType('block'), reader),
  else_clause: (node, reader) => tailed(node.children[0], reader),
  block: tailedBlock,
  if_expression: (node, reader) => [ifOf(node, reader, true)],
  match_expression: (node, reader) => [matchOf(node, reader, true)],
  return_expression: (node, reader) => reader.statements(node),
  loop_expression: (node, reader) => reader.statements(node),
};

/** A block whose last expression is what it gives: that is returned. */
export function tailed(node: SyntaxNode | undefined, reader: Reader): Statement[] {
  if (node === undefined) return [];
  const read = Object.hasOwn(tails, node.type) ? tails[node.type] : undefined;
  return read?.(node, reader) ?? [giving(node, reader.expression(node))];
}

const bodyOf = (node: SyntaxNode | undefined, reader: Reader, gives: boolean): Statement[] => {
  if (gives) return tailed(node, reader);
  return node?.type === 'else_clause' ? reader.statements(node.children[0]) : reader.statements(node);
};

/** `if let Some(x) = y` binds what y is. */
export function ifOf(node: SyntaxNode, reader: Reader, gives = false): Statement {
  return {
    is: 'if',
    test: reader.expression(node.find('condition')),
    yes: bodyOf(node.find('consequence'), reader, gives),
    no: bodyOf(node.find('alternative'), reader, gives),
    at: node.start,
    end: node.end,
  };
}

const literals = new Set([
  'string_literal',
  'integer_literal',
  'boolean_literal',
  'raw_string_literal',
  'char_literal',
]);

function constantsIn(pattern: SyntaxNode): SyntaxNode[] {
  if (literals.has(pattern.type)) return [pattern];
  return pattern.type === 'or_pattern' || pattern.type === 'match_pattern'
    ? pattern.children.flatMap(constantsIn)
    : [];
}

export function matchOf(node: SyntaxNode, reader: Reader, gives = false): Statement {
  const subject = reader.expression(node.find('value'));
  const cases = (node.find('body')?.children ?? [])
    .filter(({ type }) => type === 'match_arm')
    .map((arm) => {
      const pattern = arm.find('pattern');
      const values = pattern === undefined ? [] : constantsIn(pattern).map((each) => reader.expression(each));
      const [bound] = pattern?.children ?? [];
      const binds: Statement[] =
        values.length > 0 || bound === undefined
          ? []
          : [
              doing({
                is: 'assign',
                target: reader.target(bound),
                value: subject,
                at: bound.start,
                end: bound.end,
              }),
            ];
      const value = arm.find('value');
      const body = gives ? tailed(value, reader) : reader.statements(value);
      return {
        values,
        body: [...binds, ...body, ...(gives ? [] : [leaving(arm)])],
      };
    });
  return { is: 'switch', subject, cases, at: node.start, end: node.end };
}

const steps =
  (read: (node: SyntaxNode, reader: Reader) => Statement[]): ExpressionReading =>
  (node, reader) => ({ is: 'steps', body: read(node, reader), at: node.start, end: node.end });

function structOf(node: SyntaxNode, reader: Reader): Expression {
  const name = node.find('name');
  const args = (node.find('body')?.children ?? []).flatMap((each): Argument[] => {
    if (each.type === 'shorthand_field_initializer') return [{ name: each.text, value: nameOf(each) }];
    if (each.type !== 'field_initializer') return [{ value: spreadOf(each, reader) }];
    return [{ name: each.find('field')?.text ?? '', value: reader.expression(each.find('value')) }];
  });
  const callee: Expression =
    name === undefined
      ? nothing
      : {
          is: 'name',
          name: name.text.replace(/<.*$/, '').split('::').at(-1) ?? '',
          at: name.start,
          end: name.end,
        };
  return { is: 'call', callee, args, isNew: true, at: node.start, end: node.end };
}

export const rustExpressions: Readonly<Record<string, ExpressionReading>> = {
  identifier: nameOf,
  field_identifier: nameOf,
  type_identifier: nameOf,
  shorthand_field_identifier: nameOf,
  self: nameOf,
  crate: nameOf,
  super: nameOf,
  metavariable: nameOf,
  string_literal: stringOf,
  raw_string_literal: stringOf,
  char_literal: literal((text) => text.slice(1, -1)),
  integer_literal: literal((text) => Number.parseInt(text.replaceAll('_', ''), 10)),
  float_literal: literal(Number.parseFloat),
  boolean_literal: literal((text) => text === 'true'),
  parenthesized_expression: inner,
  expression_statement: inner,
  try_expression: inner,
  await_expression: inner,
  reference_expression: (node, reader) => reader.expression(node.find('value')),
  // `x as u16` is a number, whatever x was.
  type_cast_expression: (node, reader) =>
    isClosedType(node.find('type')?.text ?? '')
      ? { is: 'several', items: [], at: node.start, end: node.end }
      : reader.expression(node.find('value')),
  scoped_identifier: memberOf('path', 'name'),
  generic_function: (node, reader) => {
    const read = reader.expression(node.find('function'));
    const type = node.find('type_arguments')?.text.slice(1, -1) ?? '';
    // `text.parse::<u16>()` gives a number.
    return read.is === 'member' && read.property === 'parse' && isClosedType(type)
      ? { ...read, property: 'parse_number' }
      : read;
  },
  field_expression: memberOf('value', 'field'),
  index_expression: indexOf(0, 1),
  call_expression: (node, reader) => ({
    is: 'call',
    callee: reader.expression(node.find('function')),
    args: argumentsOf(node.find('arguments'), reader),
    isNew: false,
    at: node.start,
    end: node.end,
  }),
  macro_invocation: macroOf,
  struct_expression: structOf,
  binary_expression: binaryOf,
  unary_expression: (node, reader) => {
    const operand = reader.expression(node.children[0]);
    return node.text.startsWith('!') ? { is: 'not', operand, at: node.start, end: node.end } : operand;
  },
  assignment_expression: assignOf('left', 'right'),
  compound_assignment_expr: changeOf,
  let_condition: assignOf('pattern', 'value'),
  array_expression: listOf,
  tuple_expression: listOf,
  closure_expression: closureOf,
  if_expression: steps((node, reader) => [ifOf(node, reader, true)]),
  match_expression: steps((node, reader) => [matchOf(node, reader, true)]),
  block: steps((node, reader) => tailed(node, reader)),
  unsafe_block: steps((node, reader) => tailed(node, reader)),
  async_block: steps((node, reader) => tailed(node, reader)),
};

/** What stands left of `=`, in parameters and in arms: wrappers such as `Some(x)` and `Parameters(x)` are looked through. */
export function rustTarget(node: SyntaxNode | undefined, reader: Reader): Target {
  switch (node?.type) {
    case undefined:
      return nothing;
    case 'tuple_struct_pattern':
      return reader.target(node.children.at(-1));
    case 'ref_pattern':
    case 'mut_pattern':
    case 'reference_pattern':
    case 'captured_pattern':
    case 'match_pattern':
      return reader.target(node.children.find(({ type }) => type !== 'mutable_specifier'));
    case 'tuple_pattern':
    case 'slice_pattern':
      return {
        is: 'items',
        items: node.children.map((each) => reader.target(each)),
        at: node.start,
        end: node.end,
      };
    case 'struct_pattern':
      return {
        is: 'fields',
        fields: node.children
          .filter(({ type }) => type === 'field_pattern')
          .map((each) => {
            const name = each.find('name');
            return { key: name?.text ?? '', target: reader.target(each.find('pattern') ?? name) };
          }),
        at: node.start,
        end: node.end,
      };
    default:
      return reader.expression(node);
  }
}
