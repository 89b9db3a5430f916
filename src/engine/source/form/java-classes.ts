/** Classes of Java and what stands in them. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { ClassForm, Expression, FunctionForm, Parameter, Statement } from './form.ts';
import { typeName } from './java-expressions.ts';
import { doing, nameOf, nothing, type Reader } from './reader.ts';
import { giving } from './shapes.ts';

const modifiersOf = (node: SyntaxNode) => node.ofType('modifiers');

/** Annotations as calls, so that what stands in them can be asked for by name. */
function marksOf(node: SyntaxNode, reader: Reader): Expression[] {
  const annotations = modifiersOf(node)?.children.filter(({ type }) => type.endsWith('annotation')) ?? [];
  return annotations.map((each) => {
    const name: Expression = { is: 'name', name: typeName(each.find('name')), at: each.start, end: each.end };
    const args = (each.find('arguments')?.children ?? []).map((arg) =>
      arg.type === 'element_value_pair'
        ? { name: arg.find('key')?.text ?? '', value: reader.expression(arg.find('value')) }
        : { value: reader.expression(arg) },
    );
    return { is: 'call', callee: name, args, isNew: false, at: each.start, end: each.end };
  });
}

/** `@Pattern(regexp = "[a-z]+")`: what a text must match as a whole. */
function constraintOf(node: SyntaxNode): { constraint?: string } {
  const written = /@Pattern\([^"]*regexp\s*=\s*"((?:[^"\\]|\\.)*)"/.exec(modifiersOf(node)?.text ?? '')?.[1];
  return written === undefined ? {} : { constraint: written.replaceAll('\\\\', '\\') };
}

function parameterOf(node: SyntaxNode, reader: Reader): Parameter[] {
  if (node.type === 'identifier') return [{ target: nameOf(node) }];
  if (node.type !== 'formal_parameter' && node.type !== 'spread_parameter') return [];
  const isRest = node.type === 'spread_parameter';
  const name = node.find('name') ?? node.ofType('variable_declarator')?.find('name');
  const type = node.find('type')?.text;
  const marks = marksOf(node, reader).flatMap((mark) =>
    mark.is === 'call' && mark.callee.is === 'name' ? [mark.callee.name] : [],
  );
  return [
    {
      target: name === undefined ? nothing : nameOf(name),
      ...(type === undefined ? {} : { type }),
      ...(isRest ? { isRest } : {}),
      ...(marks.length === 0 ? {} : { marks }),
      ...constraintOf(node),
    },
  ];
}

function bodyOf(node: SyntaxNode, reader: Reader): Statement[] {
  const body = node.find('body');
  const isValue = node.type === 'lambda_expression' && body !== undefined && body.type !== 'block';
  return isValue ? [giving(body, reader.expression(body))] : reader.statements(body);
}

/** A method of an interface, or an abstract one: others say what it does. */
const isDeclaredOnly = (node: SyntaxNode): boolean =>
  node.type === 'method_declaration' && node.find('body') === undefined;

/** Annotations of MyBatis whose text is a statement: `${name}` is put into it as it is, `#{name}` is a parameter. */
const ofStatements = /^@(?:Select|Update|Insert|Delete)\b/;

const putIn = /\$\{([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\}/g;

/** What a statement in an annotation does with what its method is given. */
function statementOf(node: SyntaxNode): Statement[] {
  const mark = modifiersOf(node)?.children.find(({ text }) => ofStatements.test(text));
  if (mark === undefined) return [];
  const span = { at: mark.start, end: mark.end };
  const parts = [...mark.text.matchAll(putIn)].map(([, name = '', property]): Expression => {
    const object: Expression = { is: 'name', name, ...span };
    return property === undefined ? object : { is: 'member', object, property, ...span };
  });
  if (parts.length === 0) return [];
  const text: Expression = {
    is: 'text',
    parts: [{ is: 'literal', value: 'statement ', ...span }, ...parts],
    ...span,
  };
  const callee: Expression = { is: 'name', name: 'MyBatis', ...span };
  return [doing({ is: 'call', callee, args: [{ value: text }], isNew: false, ...span })];
}

function declaredBody(node: SyntaxNode, reader: Reader): Pick<FunctionForm, 'body' | 'isAbstract'> {
  if (!isDeclaredOnly(node)) return { body: bodyOf(node, reader) };
  const body = statementOf(node);
  return body.length === 0 ? { body, isAbstract: true } : { body };
}

/** A method, a constructor or a function that is a value. */
export function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
  const list = node.find('parameters');
  const parameters = list?.type === 'identifier' ? [list] : (list?.children ?? []);
  const modifiers = modifiersOf(node)?.text ?? '';
  return {
    name: node.type === 'constructor_declaration' ? 'constructor' : (node.find('name')?.text ?? ''),
    parameters: parameters.flatMap((each) => parameterOf(each, reader)),
    ...declaredBody(node, reader),
    marks: marksOf(node, reader),
    isExported: /\bpublic\b/.test(modifiers),
    ...(/\bstatic\b/.test(modifiers) ? { isStatic: true } : {}),
    at: node.start,
    end: node.end,
  };
}

function fieldsOf(node: SyntaxNode, reader: Reader): ClassForm['fields'] {
  const type = node.find('type')?.text ?? '';
  return node.all('declarator').map((each) => {
    const value = each.find('value');
    return {
      name: each.find('name')?.text ?? '',
      type,
      ...(value === undefined ? {} : { value: reader.expression(value) }),
      ...constraintOf(node),
    };
  });
}

/** What a class extends and implements; an enumeration is one of the words that it names. */
const basesOf = (node: SyntaxNode): string[] => [
  ...(node.type === 'enum_declaration' ? ['Enum'] : []),
  ...[
    ...(node.ofType('superclass')?.children ?? []),
    ...(node.ofType('super_interfaces')?.ofType('type_list')?.children ?? []),
    ...(node.ofType('extends_interfaces')?.ofType('type_list')?.children ?? []),
  ].map((each) => typeName(each)),
];

const fieldTypes = new Set(['field_declaration', 'constant_declaration']);
const methodTypes = new Set([
  'method_declaration',
  'constructor_declaration',
  'compact_constructor_declaration',
  'static_initializer',
  'block',
]);

/** A method; what runs when a class is loaded or an object made is one that nobody else calls. */
const methodOf = (node: SyntaxNode, reader: Reader): FunctionForm =>
  node.type === 'block' || node.type === 'static_initializer'
    ? {
        name: '_initializer',
        parameters: [],
        body: node.type === 'block' ? reader.statements(node) : reader.statements(node.children[0]),
        marks: [],
        isExported: false,
        isStatic: node.type === 'static_initializer',
        at: node.start,
        end: node.end,
      }
    : reader.fn(node);

/** What stands in a class; those of an enumeration stand behind its words. */
export const membersOf = (node: SyntaxNode): SyntaxNode[] =>
  (node.find('body')?.children ?? []).flatMap((each) =>
    each.type === 'enum_body_declarations' ? each.children : [each],
  );

/** `record Search(String sort) { Search { … } }`: what is checked there holds for the parts, which are set behind it. */
function compactConstructor(node: SyntaxNode, parts: readonly Parameter[], reader: Reader): FunctionForm {
  const set = parts.flatMap(({ target }): Statement[] => {
    if (target.is !== 'name') return [];
    const { at, end, name } = target;
    const self: Expression = { is: 'name', name: 'this', at, end };
    const field: Expression = { is: 'member', object: self, property: name, at, end };
    return [doing({ is: 'assign', target: field, value: target, at, end })];
  });
  return {
    name: 'constructor',
    parameters: [...parts],
    body: [...reader.statements(node.find('body')), ...set],
    marks: [],
    isExported: false,
    isCompact: true,
    at: node.start,
    end: node.end,
  };
}

/** A class, a record, an enumeration or an interface. */
export function classOf(node: SyntaxNode, reader: Reader): ClassForm {
  const name = node.find('name')?.text ?? '';
  const members = membersOf(node);
  const own = (node.find('parameters')?.children ?? []).flatMap((each) => parameterOf(each, reader));
  return {
    name,
    bases: basesOf(node),
    fields: [
      // What a record is made of.
      ...own.map(({ target, type = '', constraint }) => ({
        name: target.is === 'name' ? target.name : '',
        type,
        ...(constraint !== undefined && { constraint }),
      })),
      ...members.filter(({ type }) => fieldTypes.has(type)).flatMap((each) => fieldsOf(each, reader)),
    ],
    methods: members
      .filter(({ type }) => methodTypes.has(type))
      .map((each) =>
        each.type === 'compact_constructor_declaration'
          ? compactConstructor(each, own, reader)
          : methodOf(each, reader),
      )
      .map((each) => ({ ...each, owner: name, receiver: 'this' })),
    marks: marksOf(node, reader),
    isExported: true,
    at: node.start,
    end: node.end,
  };
}

/** Words of an enumeration that have methods of their own are classes derived from it. */
export function wordsOf(node: SyntaxNode, reader: Reader): Statement[] {
  const owner = node.find('name')?.text ?? '';
  return membersOf(node).flatMap((each) => {
    const body = each.type === 'enum_constant' ? each.ofType('class_body') : undefined;
    if (body === undefined) return [];
    const name = `${owner}.${each.find('name')?.text ?? ''}`;
    const methods = body.children
      .filter(({ type }) => type === 'method_declaration')
      .map((method) => ({ ...reader.fn(method), owner: name, receiver: 'this' }));
    const { start: at, end } = each;
    const form: ClassForm = {
      name,
      bases: [owner],
      fields: [],
      methods,
      marks: [],
      isExported: false,
      at,
      end,
    };
    return [{ is: 'class', form, at, end }];
  });
}
