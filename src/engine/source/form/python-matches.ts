/** `match` of Python: what each case compares, and the variables that its pattern takes out of the subject. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression, Statement } from './form.ts';
import { doing, type Reader, type StatementReading } from './reader.ts';

type Bound = readonly [name: SyntaxNode, value: Expression];

/** Without the node that tree-sitter puts around each part of a pattern. */
function bare(node: SyntaxNode): SyntaxNode {
  let pattern = node;
  while (pattern.type === 'case_pattern' && pattern.children[0] !== undefined) [pattern] = pattern.children;
  return pattern;
}

/** A name alone takes what stands there; one with a dot is compared. */
const isCapture = ({ type, children, text }: SyntaxNode): boolean =>
  type === 'dotted_name' && children.length === 1 && text !== '_';

const several = (value: Expression): Expression => ({
  is: 'several',
  items: [value],
  at: value.at,
  end: value.end,
});

const isNumber = /^(?:int|float|bool|complex)$/;
const isPlain = /^(?:str|bytes|list|tuple|dict|set|frozenset|bytearray)$/;

/** `str(name)` is the value itself, `int(port)` a number; `Point(x, y)` has parts by position, of which nobody says the names here. */
function ofPosition(type: SyntaxNode, value: Expression): Expression {
  if (isPlain.test(type.text)) return value;
  if (!isNumber.test(type.text)) return several(value);
  const callee: Expression = { is: 'name', name: type.text, at: type.start, end: type.end };
  return { is: 'call', callee, args: [{ value }], isNew: false, at: value.at, end: value.end };
}

function ofClass(pattern: SyntaxNode, value: Expression, reader: Reader): Bound[] {
  const [type, ...parts] = pattern.children;
  return parts.flatMap((each) => {
    const part = bare(each);
    const [name, inner] = part.children;
    if (part.type !== 'keyword_pattern' || name === undefined || inner === undefined)
      return type === undefined ? [] : boundBy(part, ofPosition(type, value), reader);
    const { at, end } = value;
    return boundBy(inner, { is: 'member', object: value, property: name.text, at, end }, reader);
  });
}

function ofTable(pattern: SyntaxNode, value: Expression, reader: Reader): Bound[] {
  const keys = pattern.all('key');
  const { at, end } = value;
  const parts = pattern.all('value').flatMap((each, place) => {
    const key = reader.expression(keys[place]);
    return boundBy(each, { is: 'index', object: value, key, at, end }, reader);
  });
  const rest = pattern.children.filter(({ type }) => type === 'splat_pattern');
  return [...parts, ...rest.flatMap((each) => boundBy(each, value, reader))];
}

const namedAs = (name: SyntaxNode | undefined, value: Expression): Bound[] =>
  name === undefined || name.text === '_' ? [] : [[name, value]];

/** `"open" | "close" as verb` */
function ofAlias({ children: [inner, name] }: SyntaxNode, value: Expression, reader: Reader): Bound[] {
  return [...(inner === undefined ? [] : boundBy(inner, value, reader)), ...namedAs(name, value)];
}

/** The variables that a pattern takes out of a value. */
function boundBy(node: SyntaxNode, value: Expression, reader: Reader): Bound[] {
  const pattern = bare(node);
  const { at, end } = value;
  if (isCapture(pattern)) return [[pattern, value]];
  switch (pattern.type) {
    case 'class_pattern':
      return ofClass(pattern, value, reader);
    case 'dict_pattern':
      return ofTable(pattern, value, reader);
    case 'list_pattern':
    case 'tuple_pattern':
      return pattern.children.flatMap((each, place) => {
        const key: Expression = { is: 'literal', value: place, at, end };
        const isRest = bare(each).type === 'splat_pattern';
        return boundBy(each, isRest ? value : { is: 'index', object: value, key, at, end }, reader);
      });
    case 'as_pattern':
      return ofAlias(pattern, value, reader);
    case 'splat_pattern':
      return namedAs(pattern.children[0], value);
    case 'union_pattern':
      return pattern.children.flatMap((each) => boundBy(each, value, reader));
    default:
      return [];
  }
}

/** `case "a" | "b":` has a value for each. */
function alternativesOf(node: SyntaxNode): readonly SyntaxNode[] {
  const pattern = bare(node);
  if (pattern.type === 'union_pattern') return pattern.children.flatMap(alternativesOf);
  const [inner] = pattern.children;
  return pattern.type === 'as_pattern' && inner !== undefined ? alternativesOf(inner) : [pattern];
}

/** What is no constant: that it was met says nothing of the subject. */
const anything = ({ start, end }: SyntaxNode): Expression => ({ is: 'several', items: [], at: start, end });

const takesApart = /^(?:class|dict|list|tuple)_pattern$/;

/** What a case compares the subject with; nothing where it takes whatever comes. */
function valuesOf(patterns: readonly SyntaxNode[], hasGuard: boolean, reader: Reader): Expression[] {
  const values = patterns
    .flatMap(alternativesOf)
    .filter((each) => each.text !== '_' && !isCapture(each))
    .map((each) => (takesApart.test(each.type) ? anything(each) : reader.expression(each)));
  const [first] = patterns;
  return values.length === 0 && hasGuard && first !== undefined ? [anything(first)] : values;
}

function caseOf(node: SyntaxNode, subject: Expression, reader: Reader) {
  const patterns = node.children.filter(({ type }) => type === 'case_pattern');
  const guard = node.find('guard')?.children[0];
  const bound = patterns.flatMap((each) => boundBy(each, subject, reader));
  const body = reader.statements(node.find('consequence'));
  const { start: at, end } = node;
  const guarded: Statement[] =
    guard === undefined ? body : [{ is: 'if', test: reader.expression(guard), yes: body, no: [], at, end }];
  return {
    values: valuesOf(patterns, guard !== undefined, reader),
    body: [
      ...bound.map(([name, value]) =>
        doing({
          is: 'assign',
          target: { is: 'name', name: name.text, at: name.start, end: name.end },
          value,
          at: name.start,
          end: name.end,
        }),
      ),
      ...guarded,
    ],
  };
}

export const matchOf: StatementReading = (node, reader) => {
  const subject = reader.expression(node.find('subject'));
  return {
    is: 'switch',
    subject,
    cases: (node.find('body')?.all('alternative') ?? []).map((each) => caseOf(each, subject, reader)),
    at: node.start,
    end: node.end,
  };
};
