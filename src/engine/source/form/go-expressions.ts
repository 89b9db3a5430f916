import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Argument, Entry, Expression } from './form.ts';
import { type ExpressionReading, inner, literal, nameOf, type Reader, stringOf } from './reader.ts';
import { binaryOf, callOf, closureOf, constant, indexOf, memberOf, spreadOf } from './shapes.ts';

/** A string without its quotes. */
export const bare = (text: string): string => text.slice(1, -1);

/** `channel <- value` and `<-channel`, as methods of the channel. */
export const onChannel = (
  channel: Expression,
  method: '<-' | '<-get',
  args: Expression[],
  node: SyntaxNode,
): Expression => ({
  is: 'call',
  callee: { is: 'member', object: channel, property: method, at: node.start, end: node.end },
  args: args.map((value) => ({ value })),
  isNew: false,
  at: node.start,
  end: node.end,
});

/** The type of the elements of `[]T`, `[3]*T` and `map[string]T`. */
function elementType(type: SyntaxNode | undefined): SyntaxNode | undefined {
  const element = type?.find('element') ?? type?.find('value');
  return element?.type === 'pointer_type' ? element.children[0] : element;
}

/** `Type{A: x}` and `[]string{a, b}`. */
const compositeOf: ExpressionReading = (node, reader) =>
  literalValue(node, { type: node.find('type'), body: node.find('body') }, reader);

/** An element of a composite literal: one in brackets alone is of the type that the whole says. */
function elementOf(node: SyntaxNode, type: SyntaxNode | undefined, reader: Reader): Expression {
  const body = node.type === 'literal_value' ? node : node.ofType('literal_value');
  if (body === undefined || !isDefinition(type, body)) return reader.expression(node);
  return literalValue(body, { type, body }, reader);
}

/**
 * Whether an element is read as an object of its type: one of a library, or one that is called by a name. In tables of
 * handlers each entry is all that it holds, since objects of one type would come to one when a loop goes through them.
 */
const isDefinition = (type: SyntaxNode | undefined, body: SyntaxNode): boolean =>
  type?.type === 'qualified_type' || body.children.some((each) => each.find('key')?.text === 'Name');

/** Documents of MongoDB whose fields are in order: `bson.D{{"name", value}}`. */
const isTable = /^(?:bson|primitive)\.D$/;

function tableOf(node: SyntaxNode, elements: readonly SyntaxNode[], reader: Reader): Expression {
  const entries = elements.map((each): Entry => {
    const pair = each.type === 'literal_value' ? each : (each.ofType('literal_value') ?? each);
    const [key, value] = pair.children.map((part) => part.find('value') ?? part);
    return { key: (key?.text ?? '').replaceAll(/^["`]|["`]$/g, ''), value: reader.expression(value) };
  });
  return { is: 'object', entries, at: node.start, end: node.end };
}

interface Composite {
  type: SyntaxNode | undefined;
  body: SyntaxNode | undefined;
}

function literalValue(node: SyntaxNode, { type, body }: Composite, reader: Reader): Expression {
  const elements = body?.children ?? [];
  const ofElements = elementType(type);
  const isStruct = type?.type === 'type_identifier';
  if (type !== undefined && isTable.test(type.text)) return tableOf(node, elements, reader);
  if (!isStruct && !elements.some((each) => each.type === 'keyed_element'))
    return {
      is: 'list',
      items: elements.map((each) => elementOf(each, ofElements, reader)),
      at: node.start,
      end: node.end,
    };
  const args = elements.map((each): Argument => {
    const name = each.find('key')?.text;
    return {
      ...(name === undefined ? {} : { name: name.replaceAll(/^["`]|["`]$/g, '') }),
      value: elementOf(each.find('value') ?? each, ofElements, reader),
    };
  });
  return madeOf(type, args, node);
}

/** Types of libraries that are known as what makes them: an address, a command, a text that is written to. */
const isMade =
  /^(?:url\.URL|exec\.Cmd|strings\.Builder|bytes\.Buffer|http\.Request|ldap\.\w+Request|spanner\.Statement|\w+\.PodExecOptions|(?:esapi|opensearchapi)\.\w+Req(?:uest)?)$/;

/** What is made of a type with these parts. */
function madeOf(type: SyntaxNode | undefined, args: Argument[], node: SyntaxNode): Expression {
  if (type?.type === 'type_identifier')
    return { is: 'call', callee: nameOf(type), args, isNew: true, at: node.start, end: node.end };
  // An address is more than its parts: which of them chooses the host depends on their names.
  if (type !== undefined && isMade.test(type.text)) {
    const [library = '', name = ''] = type.text.split('.');
    const object: Expression = { is: 'name', name: library, at: type.start, end: type.end };
    const callee: Expression = { is: 'member', object, property: name, at: type.start, end: type.end };
    return { is: 'call', callee, args, isNew: true, at: node.start, end: node.end };
  }
  const entries = args.map(({ name = '', value }): Entry => ({ key: name, value }));
  const of = type?.type === 'qualified_type' ? ofLibrary(type) : {};
  return { is: 'object', entries, ...of, at: node.start, end: node.end };
}

const ofLibrary = (type: SyntaxNode) => ({
  type: type.find('name')?.text ?? '',
  library: type.find('package')?.text ?? '',
});

export const goExpressions: Readonly<Record<string, ExpressionReading>> = {
  identifier: nameOf,
  nil: constant(null),
  true: constant(true),
  false: constant(false),
  int_literal: literal(Number),
  float_literal: literal(Number),
  interpreted_string_literal: stringOf,
  raw_string_literal: literal(bare),
  rune_literal: literal(bare),
  parenthesized_expression: inner,
  expression_statement: inner,
  literal_element: inner,
  variadic_argument: spreadOf,
  // `x.(string)` is x or nothing.
  type_assertion_expression: (node, reader) => reader.expression(node.find('operand')),
  type_conversion_expression: (node, reader) => reader.expression(node.find('operand')),
  slice_expression: (node, reader) => reader.expression(node.find('operand')),
  selector_expression: memberOf('operand', 'field'),
  index_expression: indexOf('operand', 'index'),
  call_expression: callOf('function'),
  binary_expression: binaryOf,
  unary_expression: (node, reader) => {
    const operand = reader.expression(node.find('operand'));
    const operator = node.find('operator')?.text;
    if (operator === '<-') return onChannel(operand, '<-get', [], node);
    return operator === '!' ? { is: 'not', operand, at: node.start, end: node.end } : operand;
  },
  composite_literal: compositeOf,
  func_literal: closureOf,
};
