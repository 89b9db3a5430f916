import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Argument, Entry, Expression, Target } from './form.ts';
import { isGetter } from './getters.ts';
import {
  contentOf,
  type ExpressionReading,
  inner,
  literal,
  nameOf,
  nothing,
  type Reader,
  severalOf,
  stringOf,
  yielding,
} from './reader.ts';
import {
  argumentsOf,
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

/** A tagged template is called with its texts, and with what stands between them. */
function taggedArguments(node: SyntaxNode, reader: Reader): Argument[] {
  const parts = node.children.filter(({ type }) => type === 'template_substitution');
  const texts = node.children.filter(({ type }) => type !== 'template_substitution');
  const items = texts.map((each): Expression => ({
    is: 'literal',
    value: each.text,
    at: each.start,
    end: each.end,
  }));
  return [
    { value: { is: 'list', items, at: node.start, end: node.end } },
    ...parts.map((each) => ({ value: reader.expression(each.children[0]) })),
  ];
}

function callOf(node: SyntaxNode, reader: Reader): Expression {
  const given = node.find('arguments');
  const callee = reader.expression(node.find('function') ?? node.find('constructor'));
  const isNew = node.type === 'new_expression';
  return {
    is: 'call',
    callee,
    args: given?.type === 'template_string' ? taggedArguments(given, reader) : argumentsOf(given, reader),
    isNew,
    at: node.start,
    end: node.end,
  };
}

function templateOf(node: SyntaxNode, reader: Reader): Expression {
  const parts = node.children.map((child): Expression => {
    if (child.type === 'template_substitution') return reader.expression(child.children[0]);
    const value = child.type === 'escape_sequence' ? contentOf({ children: [child] }) : child.text;
    return { is: 'literal', value, at: child.start, end: child.end };
  });
  return { is: 'text', parts, at: node.start, end: node.end };
}

/** `(0, module.f)(x)`: compilers write a call of an imported function so. */
const sequenceOf: ExpressionReading = (node, reader) => {
  const [first, second, ...rest] = node.children;
  return first?.text === '0' && second !== undefined && rest.length === 0
    ? reader.expression(second)
    : severalOf(node, reader);
};

function unaryOf(node: SyntaxNode, reader: Reader): Expression {
  const operand = reader.expression(node.find('argument'));
  const operator = node.find('operator')?.text ?? '';
  if (operator === '!') return { is: 'not', operand, at: node.start, end: node.end };
  if (operator === '-' || operator === '+' || operator === '~' || operator === 'typeof')
    return {
      is: 'call',
      callee: {
        is: 'name',
        name: operator === 'typeof' ? 'typeof' : 'Number',
        at: node.start,
        end: node.end,
      },
      args: [{ value: operand }],
      isNew: false,
      at: node.start,
      end: node.end,
    };
  return operand;
}

const keyOf = (node: SyntaxNode | undefined, reader: Reader): string | Expression => {
  if (node === undefined) return '';
  if (node.type === 'string') return contentOf(node);
  if (node.type === 'computed_property_name') return reader.expression(node.children[0]);
  return node.text;
};

/** A method; of one that is read as a field is, what it gives. */
function methodOf(node: SyntaxNode, reader: Reader): Expression {
  const callee = closureOf(node, reader);
  if (!isGetter(node)) return callee;
  return { is: 'call', callee, args: [], isNew: false, at: node.start, end: node.end };
}

function entryOf(node: SyntaxNode, reader: Reader): Entry {
  switch (node.type) {
    case 'pair':
      return { key: keyOf(node.find('key'), reader), value: reader.expression(node.find('value')) };
    case 'shorthand_property_identifier':
      return { key: node.text, value: nameOf(node) };
    case 'method_definition':
      return { key: keyOf(node.find('name'), reader), value: methodOf(node, reader) };
    default:
      return { value: reader.expression(node.children[0]) };
  }
}

function objectOf(node: SyntaxNode, reader: Reader): Expression {
  return {
    is: 'object',
    entries: node.children.map((each) => entryOf(each, reader)),
    at: node.start,
    end: node.end,
  };
}

/** `a ??= b`, `a ||= b`: what was there, or the other; nothing is put together. */
function setWhereEmpty(node: SyntaxNode, reader: Reader): Expression | undefined {
  const operator = /^(\?\?|\|\||&&)=$/.exec(node.find('operator')?.text ?? '')?.[1];
  if (operator === undefined) return undefined;
  const { start: at, end } = node;
  const target = reader.expression(node.find('left'));
  const right = reader.expression(node.find('right'));
  return { is: 'assign', target, value: { is: 'binary', operator, left: target, right, at, end }, at, end };
}

export const javascriptExpressions: Readonly<Record<string, ExpressionReading>> = {
  identifier: nameOf,
  this: nameOf,
  super: nameOf,
  // What is called where a module is imported while the program runs.
  import: nameOf,
  undefined: constant(null),
  null: constant(null),
  true: constant(true),
  false: constant(false),
  number: literal(Number),
  string: stringOf,
  regex: (node) => ({ is: 'pattern', source: node.text, at: node.start, end: node.end }),
  template_string: templateOf,
  parenthesized_expression: inner,
  await_expression: inner,
  as_expression: inner,
  satisfies_expression: inner,
  non_null_expression: inner,
  yield_expression: (node, reader) =>
    yielding(node, reader.expression(node.children[0]), /^yield\s*\*/.test(node.text)),
  type_assertion: (node, reader) => reader.expression(node.children.at(-1)),
  sequence_expression: sequenceOf,
  member_expression: memberOf('object', 'property'),
  subscript_expression: indexOf('object', 'index'),
  call_expression: callOf,
  new_expression: callOf,
  binary_expression: binaryOf,
  unary_expression: unaryOf,
  // A number, and another one each time.
  update_expression: severalOf,
  ternary_expression: choiceOf('condition', 'consequence', 'alternative'),
  assignment_expression: assignOf('left', 'right'),
  augmented_assignment_expression: (node, reader) => setWhereEmpty(node, reader) ?? changeOf(node, reader),
  object: objectOf,
  array: listOf,
  spread_element: spreadOf,
  arrow_function: closureOf,
  function_expression: closureOf,
  generator_function: closureOf,
  class: severalOf,
  jsx_element: severalOf,
  jsx_self_closing_element: severalOf,
  jsx_expression: inner,
};

function fieldTarget(
  node: SyntaxNode,
  reader: Reader,
): { key?: string; target: Target; preset?: Expression } {
  switch (node.type) {
    case 'shorthand_property_identifier_pattern':
      return { key: node.text, target: nameOf(node) };
    case 'object_assignment_pattern': {
      const left = node.find('left');
      return {
        key: left?.text ?? '',
        target: reader.target(left),
        preset: reader.expression(node.find('right')),
      };
    }
    case 'pair_pattern': {
      const key = keyOf(node.find('key'), reader);
      const target = reader.target(node.find('value'));
      return typeof key === 'string' ? { key, target } : { target };
    }
    default:
      return { target: reader.target(node.children[0]) };
  }
}

/** What stands left of `=`, in parameters and in loops. */
export function javascriptTarget(node: SyntaxNode | undefined, reader: Reader): Target {
  switch (node?.type) {
    case undefined:
      return nothing;
    case 'object_pattern':
      return {
        is: 'fields',
        fields: node.children.map((each) => fieldTarget(each, reader)),
        at: node.start,
        end: node.end,
      };
    case 'array_pattern':
      return {
        is: 'items',
        items: node.children.map((each) => reader.target(each)),
        at: node.start,
        end: node.end,
      };
    case 'assignment_pattern':
      return reader.target(node.find('left'));
    case 'rest_pattern':
      return reader.target(node.children[0]);
    case 'shorthand_property_identifier_pattern':
      return nameOf(node);
    default:
      return reader.expression(node);
  }
}
