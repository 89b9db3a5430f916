import type { SyntaxNode } from '../parse/syntax-tree.ts';
import { isClosedType } from './closed-types.ts';
import { normalPart, partOfVariant } from './marks.ts';
import type { Argument, Expression, Statement, Target } from './form.ts';
import {
  type ExpressionReading,
  inner,
  literal,
  nameOf,
  nothing,
  type Reader,
  severalOf,
  stringOf,
  unescaped,
} from './reader.ts';
import { convertedInto, readAs } from './rust-conversions.ts';
import { macroOf } from './rust-macros.ts';
import { chainOf, matchOf as matchedOf, rangeOf } from './rust-matches.ts';
import {
  assignOf,
  binaryOf,
  changeOf,
  closureOf,
  giving,
  indexOf,
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
  const condition = node.find('condition');
  if (condition?.type !== 'let_chain') return branchOf(node, reader.expression(condition), reader, gives);
  const { lets, test } = chainOf(condition, reader);
  const branch = branchOf(node, test, reader, gives);
  return { is: 'block', body: [...lets, branch], at: node.start, end: node.end };
}

function branchOf(node: SyntaxNode, test: Expression, reader: Reader, gives: boolean): Statement {
  return {
    is: 'if',
    test,
    yes: bodyOf(node.find('consequence'), reader, gives),
    no: bodyOf(node.find('alternative'), reader, gives),
    at: node.start,
    end: node.end,
  };
}

/** `match x { … }`, as a statement or as what it gives. */
export const matchOf = (node: SyntaxNode, reader: Reader, gives = false): Statement =>
  matchedOf(node, reader, gives ? tailed : (each) => reader.statements(each), gives);

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

/** The character between the marks: `'\\''` and `b'_'` too. */
const characterOf = (text: string): string => {
  const written = text.replace(/^b/, '').slice(1, -1);
  return written.length > 1 && written.startsWith('\\') ? unescaped(written) : written;
};

/** `(header::LOCATION, address)`: a header that sends the browser elsewhere, as axum is given it. */
function withLocation(node: SyntaxNode, read: Expression): Expression {
  const isLocation = /^(?:(?:\w+::)*LOCATION|"[lL]ocation")$/.test(node.children[0]?.text ?? '');
  const [name, value, ...more] = read.is === 'list' ? read.items : [];
  if (!isLocation || name === undefined || value === undefined || more.length > 0) return read;
  const place = { at: value.at, end: value.end };
  const redirect: Expression = { is: 'name', name: 'Redirect', ...place };
  const callee: Expression = { is: 'member', object: redirect, property: 'to', ...place };
  const made: Expression = { is: 'call', callee, args: [{ value }], isNew: false, ...place };
  return { is: 'list', items: [name, made], at: node.start, end: node.end };
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
  char_literal: literal(characterOf),
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
  scoped_type_identifier: memberOf('path', 'name'),
  // `Vec::<u8>::new`
  generic_type: (node, reader) => reader.expression(node.find('type')),
  generic_type_with_turbofish: (node, reader) => reader.expression(node.find('type')),
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
  call_expression: (node, reader) => {
    const written = node.find('function');
    const args = argumentsOf(node.find('arguments'), reader);
    const call: Expression = {
      is: 'call',
      callee: reader.expression(written),
      args,
      isNew: false,
      at: node.start,
      end: node.end,
    };
    // `text.parse::<Name>()`
    const type =
      written?.type === 'generic_function' ? written.find('type_arguments')?.text.slice(1, -1) : undefined;
    return type === undefined ? call : readAs(convertedInto(call, type), type);
  },
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
  range_expression: (node, reader) => {
    const [from, to] = node.children;
    return rangeOf(from?.text ?? '', to?.text ?? '', node) ?? severalOf(node, reader);
  },
  array_expression: listOf,
  tuple_expression: (node, reader) => withLocation(node, listOf(node, reader)),
  closure_expression: closureOf,
  if_expression: steps((node, reader) => [ifOf(node, reader, true)]),
  match_expression: steps((node, reader) => [matchOf(node, reader, true)]),
  block: steps((node, reader) => tailed(node, reader)),
  unsafe_block: steps((node, reader) => tailed(node, reader)),
  async_block: steps((node, reader) => tailed(node, reader)),
};

/** `Component::Normal(name)`: the name of one part of a path. */
function ofNormalPart(node: SyntaxNode, reader: Reader): Target | undefined {
  const [type, part] = node.children;
  if (part === undefined || !/(?:^|::)Normal$/.test(type?.text ?? '')) return undefined;
  const fields = [{ key: normalPart, target: reader.target(part) }];
  return { is: 'fields', fields, at: node.start, end: node.end };
}

/** `Call::Move(from, to)`: what a variant of an enum of the project holds, part by part. */
function ofVariant(node: SyntaxNode, reader: Reader): Target | undefined {
  const [type, ...parts] = node.children;
  const variant = /^[A-Z]\w*::([A-Z]\w*)$/.exec(
    type?.text.replace(/^(?:\w+::)*(?=[A-Z]\w*::)/, '') ?? '',
  )?.[1];
  if (variant === undefined) return undefined;
  // `_` has no node of its own: places are counted by what stands between.
  let [place, behind] = [0, type?.end ?? node.start];
  const fields = parts.map((part) => {
    place += node.source.slice(behind, part.start).split(',').length - 1;
    behind = part.end;
    return { key: partOfVariant(variant, place), target: reader.target(part) };
  });
  return { is: 'fields', fields, at: node.start, end: node.end };
}

/** `Args { path, limit: most }` */
const fieldsOf = (node: SyntaxNode, reader: Reader): Target => ({
  is: 'fields',
  fields: node.children
    .filter(({ type }) => type === 'field_pattern')
    .map((each) => {
      const name = each.find('name');
      return { key: name?.text ?? '', target: reader.target(each.find('pattern') ?? name) };
    }),
  at: node.start,
  end: node.end,
});

const wrappers = new Set([
  'ref_pattern',
  'mut_pattern',
  'reference_pattern',
  'captured_pattern',
  'match_pattern',
]);

/** What stands left of `=`, in parameters and in arms: wrappers such as `Some(x)` and `Parameters(x)` are looked through. */
export function rustTarget(node: SyntaxNode | undefined, reader: Reader): Target {
  if (node !== undefined && wrappers.has(node.type))
    return reader.target(node.children.find(({ type }) => type !== 'mutable_specifier'));
  switch (node?.type) {
    case undefined:
      return nothing;
    case 'tuple_struct_pattern':
      return ofNormalPart(node, reader) ?? ofVariant(node, reader) ?? reader.target(node.children.at(-1));
    case 'tuple_pattern':
    case 'slice_pattern':
      return {
        is: 'items',
        items: node.children.map((each) => reader.target(each)),
        at: node.start,
        end: node.end,
      };
    case 'struct_pattern':
      return fieldsOf(node, reader);
    default:
      return reader.expression(node);
  }
}
