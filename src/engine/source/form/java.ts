import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type {
  ClassForm,
  Expression,
  FunctionForm,
  Import,
  ModuleForm,
  Parameter,
  Statement,
} from './form.ts';
import { casesOf, javaExpressions, typeName } from './java-expressions.ts';
import { doing, nameOf, nothing, type Reader, type StatementReading } from './reader.ts';
import {
  blockOf,
  branchOf,
  eachOf,
  giving,
  continuing,
  leaving,
  readerOf,
  returnOf,
  skipped,
  throwOf,
} from './shapes.ts';

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

function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
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
const membersOf = (node: SyntaxNode): SyntaxNode[] =>
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

function classOf(node: SyntaxNode, reader: Reader): ClassForm {
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
function wordsOf(node: SyntaxNode, reader: Reader): Statement[] {
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

/** The class and those within it. */
const classesOf: StatementReading = (node, reader) => [
  { is: 'class', form: reader.form(node), at: node.start, end: node.end },
  ...wordsOf(node, reader),
  ...membersOf(node)
    .filter(({ type }) => /^(?:class|record|enum|interface)_declaration$/.test(type))
    .flatMap((each) => reader.statements(each)),
];

const declarationOf: StatementReading = (node, reader) =>
  node.all('declarator').map((each) => {
    const name = each.find('name');
    const type = node.find('type')?.text;
    return doing({
      is: 'assign',
      target: name === undefined ? nothing : nameOf(name),
      value: reader.expression(each.find('value')),
      ...(type === undefined ? {} : { type }),
      at: each.start,
      end: each.end,
    });
  });

const resourceOf = (node: SyntaxNode, reader: Reader): Statement => {
  const name = node.find('name');
  const value = reader.expression(node.find('value') ?? node.children[0]);
  return doing(
    name === undefined
      ? value
      : { is: 'assign', target: nameOf(name), value, type: 'var', at: node.start, end: node.end },
  );
};

const tryOf: StatementReading = (node, reader) => ({
  is: 'try',
  body: [
    ...(node.find('resources')?.children ?? []).map((each) => resourceOf(each, reader)),
    ...reader.statements(node.find('body')),
  ],
  handlers: node.children
    .filter(({ type }) => type === 'catch_clause')
    .map((each) => reader.statements(each.find('body'))),
  last: reader.statements(node.ofType('finally_clause')?.children[0]),
  at: node.start,
  end: node.end,
});

const loopOf: StatementReading = (node, reader) => {
  const test = node.find('condition');
  return [
    ...node.all('init').flatMap((each) => reader.statements(each)),
    {
      is: 'loop',
      ...(test === undefined ? {} : { test: reader.expression(test) }),
      body: reader.statements(node.find('body')),
      at: node.start,
      end: node.end,
    },
  ];
};

/** `return "redirect:" + address;`: Spring answers with the view that such a text names. */
const redirectOf: StatementReading = (node, reader) => {
  const read = returnOf(node, reader);
  const value = !Array.isArray(read) && read.is === 'return' ? read.value : undefined;
  if (value?.is !== 'text') return read;
  const [first, ...parts] = value.parts;
  if (first?.is !== 'literal' || first.value !== 'redirect:') return read;
  const { at, end } = value;
  const callee: Expression = { is: 'name', name: 'RedirectView', at, end };
  const address: Expression = { is: 'text', parts, at, end };
  const made: Expression = { is: 'call', callee, args: [{ value: address }], isNew: true, at, end };
  return { is: 'return', value: made, at, end };
};

const statementForms: Readonly<Record<string, StatementReading>> = {
  expression_statement: (node, reader) =>
    node.children[0]?.type === 'switch_expression'
      ? casesOf(node.children[0], reader, false)
      : doing(reader.expression(node.children[0])),
  switch_expression: (node, reader) => casesOf(node, reader, false),
  local_variable_declaration: declarationOf,
  block: blockOf,
  synchronized_statement: (node, reader) => reader.statements(node.find('body')),
  if_statement: branchOf,
  enhanced_for_statement: eachOf('name', 'value'),
  for_statement: loopOf,
  while_statement: loopOf,
  do_statement: loopOf,
  return_statement: redirectOf,
  yield_statement: (node, reader) => giving(node, reader.expression(node.children[0])),
  throw_statement: throwOf,
  break_statement: leaving,
  continue_statement: continuing,
  try_statement: tryOf,
  try_with_resources_statement: tryOf,
  labeled_statement: (node, reader) => reader.statements(node.children.at(-1)),
  class_declaration: classesOf,
  record_declaration: classesOf,
  enum_declaration: classesOf,
  interface_declaration: classesOf,
  import_declaration: skipped,
  package_declaration: skipped,
};

const javaReader = readerOf({
  expressions: javaExpressions,
  statements: statementForms,
  blocks: new Set(['program', 'constructor_body']),
  fn: functionOf,
  form: classOf,
});

/** A class is known by its name alone, as it is written where it is used. */
function importOf(node: SyntaxNode): Import[] {
  const written = node.children[0]?.text ?? '';
  // Of all names of a package: which of them it has is asked for when one is used.
  if (node.ofType('asterisk') !== undefined) return [{ local: '*', module: `java:${written}`, name: '*' }];
  const name = written.split('.').at(-1) ?? written;
  return [{ local: name, module: `java:${written}`, name }];
}

export function readJava(root: SyntaxNode): ModuleForm {
  return {
    imports: root.children.filter(({ type }) => type === 'import_declaration').flatMap(importOf),
    exports: [],
    body: javaReader.statements(root),
    packageName: root.ofType('package_declaration')?.children.at(-1)?.text ?? '',
  };
}
