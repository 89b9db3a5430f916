import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Argument, Entry, Expression, FunctionForm, Target } from './form.ts';
import {
  contentOf,
  type ExpressionReading,
  inner,
  joined,
  literal,
  nameOf,
  nothing,
  type Reader,
  spanOf,
  yielding,
} from './reader.ts';
import {
  assignOf,
  binaryOf,
  changeOf,
  choiceOf,
  closureOf,
  constant,
  indexOf,
  listOf,
  memberOf,
  spreadOf,
} from './shapes.ts';

function stringOf(node: SyntaxNode, reader: Reader): Expression {
  const span = spanOf(node);
  const inside = node.children.filter(({ type }) => type === 'string_content' || type === 'interpolation');
  if (!inside.some(({ type }) => type === 'interpolation')) {
    const isRaw = /^[a-z]*r/i.test(node.text);
    const value = inside.map((each) => (isRaw ? each.text : textOf(each))).join('');
    return { is: 'literal', value, ...span };
  }
  const parts = inside.map((each): Expression =>
    each.type === 'interpolation'
      ? reader.expression(each.find('expression'))
      : { is: 'literal', value: textOf(each), at: each.start, end: each.end },
  );
  return { is: 'text', parts, ...span };
}

/** Escapes lie as children in the content, what is between them does not. */
function textOf(content: SyntaxNode): string {
  if (content.children.length === 0) return content.text;
  let [text, at] = ['', content.start];
  for (const escape of content.children) {
    text += content.source.slice(at, escape.start);
    text += contentOf({ children: [escape] });
    at = escape.end;
  }
  return text + content.source.slice(at, content.end);
}

function argumentOf(node: SyntaxNode, reader: Reader): Argument {
  if (node.type === 'keyword_argument')
    return { name: node.find('name')?.text ?? '', value: reader.expression(node.find('value')) };
  return { value: reader.expression(node) };
}

function callOf(node: SyntaxNode, reader: Reader): Expression {
  const given = node.find('arguments');
  const test =
    given?.type === 'generator_expression' ? tests.get(node.find('function')?.text ?? '') : undefined;
  if (given !== undefined && test !== undefined) return comprehensionOf(given, reader, test);
  // `f(x for x in y)` has the generator in place of the list.
  const args = given?.type === 'argument_list' ? given.children : given === undefined ? [] : [given];
  return {
    is: 'call',
    callee: reader.expression(node.find('function')),
    args: args.map((each) => argumentOf(each, reader)),
    isNew: false,
    at: node.start,
    end: node.end,
  };
}

/** `"%s" % x` is text put together too. */
function operationOf(node: SyntaxNode, reader: Reader): Expression {
  const read = binaryOf(node, reader);
  if (read.is !== 'binary' || read.operator !== '%') return read;
  const { left, right } = read;
  return left.is === 'literal' || left.is === 'text' ? joined(left, right, node) : read;
}

/** `a < b < c` has no fields for its operands; the operators are `operators`. */
function comparisonOf(node: SyntaxNode, reader: Reader): Expression {
  const operands = node.children.filter(({ field }) => field !== 'operators');
  const operator = node
    .all('operators')
    .map(({ text }) => text)
    .join(' ');
  const [left, right] = operands.map((each) => reader.expression(each));
  return {
    is: 'binary',
    operator,
    left: left ?? nothing,
    right: right ?? nothing,
    at: node.start,
    end: node.end,
  };
}

/** `any(f(x) for x in y)` is `y.some(x => f(x))`. */
const tests = new Map([
  ['any', 'some'],
  ['all', 'every'],
]);

/** `[x for x in y if z]` is `y.filter(x => z)` in other languages. */
function keptOf(node: SyntaxNode, reader: Reader, method: string): Expression | undefined {
  const clauses = node.children.filter(({ type }) => type === 'for_in_clause');
  const tests = node.children.filter(({ type }) => type === 'if_clause');
  const [clause] = clauses;
  const [test] = tests;
  const own = clause?.find('left');
  const isKept = method === 'map' && own?.type === 'identifier' && node.find('body')?.text === own.text;
  if (!isKept || clauses.length + tests.length !== 2) return undefined;
  const span = spanOf(node);
  const value = reader.expression(test?.children[0]);
  const fn: FunctionForm = {
    name: '',
    parameters: [{ target: reader.target(own) }],
    body: [{ is: 'return', value, ...span }],
    marks: [],
    isExported: false,
    ...span,
  };
  const object = reader.expression(clause?.find('right'));
  const callee: Expression = { is: 'member', object, property: 'filter', ...span };
  return { is: 'call', callee, args: [{ value: { is: 'function', fn, ...span } }], isNew: false, ...span };
}

/** `[f(x) for x in y if z]` is `y.map(x => f(x))` in other languages. */
function comprehensionOf(node: SyntaxNode, reader: Reader, method = 'map'): Expression {
  const span = spanOf(node);
  const clauses = node.children.filter(({ type }) => type === 'for_in_clause');
  const tests = node.children.filter(({ type }) => type === 'if_clause');
  let value = reader.expression(node.find('body'));
  const kept = keptOf(node, reader, method);
  if (kept !== undefined) return kept;
  for (const test of tests.toReversed())
    value = { is: 'choice', test: reader.expression(test.children[0]), yes: value, no: nothing, ...span };
  for (const [at, clause] of clauses.entries().toArray().toReversed()) {
    const fn: FunctionForm = {
      name: '',
      parameters: [{ target: reader.target(clause.find('left')) }],
      body: [{ is: 'return', value, ...span }],
      marks: [],
      isExported: false,
      ...span,
    };
    const over = reader.expression(clause.find('right'));
    const callee: Expression = { is: 'member', object: over, property: at === 0 ? method : 'map', ...span };
    value = { is: 'call', callee, args: [{ value: { is: 'function', fn, ...span } }], isNew: false, ...span };
  }
  return value;
}

function entryOf(node: SyntaxNode, reader: Reader): Entry {
  if (node.type !== 'pair') return { value: reader.expression(node.children[0]) };
  const key = reader.expression(node.find('key'));
  const isText = key.is === 'literal' && typeof key.value === 'string';
  return { key: isText ? String(key.value) : key, value: reader.expression(node.find('value')) };
}

function assignmentOf(node: SyntaxNode, reader: Reader): Expression {
  const right = node.find('right');
  const value = reader.expression(right);
  const type = node.find('type')?.text;
  return {
    is: 'assign',
    target: reader.target(node.find('left')),
    value,
    ...(type === undefined ? {} : { type }),
    at: node.start,
    end: node.end,
  };
}

export const pythonExpressions: Readonly<Record<string, ExpressionReading>> = {
  identifier: nameOf,
  true: constant(true),
  false: constant(false),
  none: constant(null),
  integer: literal(Number),
  float: literal(Number),
  string: stringOf,
  concatenated_string: (node, reader) => ({
    is: 'text',
    parts: node.children.map((child) => reader.expression(child)),
    at: node.start,
    end: node.end,
  }),
  attribute: memberOf('object', 'attribute'),
  subscript: indexOf('value', 'subscript'),
  call: callOf,
  binary_operator: operationOf,
  boolean_operator: (node, reader) => ({
    is: 'binary',
    operator: node.find('operator')?.text === 'and' ? '&&' : '||',
    left: reader.expression(node.find('left')),
    right: reader.expression(node.find('right')),
    at: node.start,
    end: node.end,
  }),
  not_operator: (node, reader) => ({
    is: 'not',
    operand: reader.expression(node.find('argument')),
    at: node.start,
    end: node.end,
  }),
  comparison_operator: comparisonOf,
  // `a if test else b`
  conditional_expression: choiceOf(1, 0, 2),
  parenthesized_expression: inner,
  await: inner,
  yield: (node, reader) =>
    yielding(node, reader.expression(node.children[0]), /^yield\s+from\b/.test(node.text)),
  type: nameOf,
  assignment: assignmentOf,
  augmented_assignment: changeOf,
  named_expression: assignOf('name', 'value'),
  dictionary: (node, reader) => ({
    is: 'object',
    entries: node.children.map((each) => entryOf(each, reader)),
    at: node.start,
    end: node.end,
  }),
  list: listOf,
  tuple: listOf,
  set: listOf,
  expression_list: listOf,
  list_splat: spreadOf,
  dictionary_splat: spreadOf,
  list_comprehension: (node, reader) => comprehensionOf(node, reader),
  set_comprehension: (node, reader) => comprehensionOf(node, reader),
  generator_expression: (node, reader) => comprehensionOf(node, reader),
  dictionary_comprehension: (node, reader) => comprehensionOf(node, reader),
  lambda: closureOf,
};

export function pythonTarget(node: SyntaxNode | undefined, reader: Reader): Target {
  switch (node?.type) {
    case undefined:
      return nothing;
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
      return {
        is: 'items',
        items: node.children.map((each) => reader.target(each)),
        at: node.start,
        end: node.end,
      };
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
    case 'as_pattern_target':
      return reader.target(node.children[0]);
    default:
      return reader.expression(node);
  }
}
