import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression, Import, ModuleForm, Statement } from './form.ts';
import { classOf, functionOf, membersOf, wordsOf } from './java-classes.ts';
import { casesOf, javaExpressions } from './java-expressions.ts';
import { doing, nameOf, nothing, type Reader, type StatementReading } from './reader.ts';
import {
  blockOf,
  branchOf,
  continuing,
  eachOf,
  giving,
  leaving,
  readerOf,
  returnOf,
  skipped,
  throwOf,
} from './shapes.ts';

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
