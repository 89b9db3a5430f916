import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression, Import, ModuleForm, Statement } from './form.ts';
import { classOf, functionOf, namedClass } from './javascript-declarations.ts';
import { javascriptExpressions, javascriptTarget } from './javascript-expressions.ts';
import { withPrototypes } from './prototypes.ts';
import { contentOf, doing, nothing, type Reader, type StatementReading } from './reader.ts';
import {
  classStatement,
  eachOf,
  functionStatement,
  continuing,
  leaving,
  readerOf,
  returnOf,
  skipped,
  throwOf,
} from './shapes.ts';

function declarationOf(node: SyntaxNode, reader: Reader): Statement[] {
  return node.children
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap((each): Statement[] => {
      const target = reader.target(each.find('name'));
      const value = each.find('value');
      if (value?.type === 'class' && target.is === 'name') return namedClass(target.name, value, reader);
      return [
        doing({
          is: 'assign',
          target,
          value: value === undefined ? nothing : reader.expression(value),
          isNew: true,
          at: each.start,
          end: each.end,
        }),
      ];
    });
}

const blockOf: StatementReading = (node, reader) => ({
  is: 'block',
  body: reader.statements(node),
  at: node.start,
  end: node.end,
});

/** One statement or a block, as branches have them. */
const bodyOf = (node: SyntaxNode | undefined, reader: Reader): Statement[] => reader.statements(node);

const loopOf: StatementReading = (node, reader) => {
  const test = node.find('condition');
  const start = node.find('initializer');
  const before = start === undefined ? [] : reader.statements(start);
  const increment = node.find('increment');
  const body = [...bodyOf(node.find('body'), reader)];
  if (increment !== undefined) body.push(doing(reader.expression(increment)));
  const loop: Statement = {
    is: 'loop',
    ...(test === undefined ? {} : { test: reader.expression(test) }),
    body,
    at: node.start,
    end: node.end,
  };
  return [...before, loop];
};

const tryOf: StatementReading = (node, reader) => {
  const handler = node.find('handler');
  return {
    is: 'try',
    body: bodyOf(node.find('body'), reader),
    handlers: handler === undefined ? [] : [bodyOf(handler.find('body'), reader)],
    last: bodyOf(node.find('finalizer')?.find('body'), reader),
    at: node.start,
    end: node.end,
  };
};

const switchOf: StatementReading = (node, reader) => ({
  is: 'switch',
  subject: reader.expression(node.find('value')),
  cases: (node.find('body')?.children ?? []).map((each) => ({
    values: each.all('value').map((value) => reader.expression(value)),
    body: each.all('body').flatMap((statement) => reader.statements(statement)),
  })),
  at: node.start,
  end: node.end,
});

/** What is exported is marked; the rest of the statement is read as without. */
const exportOf: StatementReading = (node, reader) => {
  const declared = node.find('declaration');
  const value = node.find('value');
  // `export default class { … }`
  if (declared === undefined && value?.type === 'class') return namedClass('default', value, reader);
  if (declared === undefined)
    return value === undefined
      ? []
      : doing({
          is: 'assign',
          target: { is: 'name', name: 'default', at: value.start, end: value.end },
          value: reader.expression(value),
          at: node.start,
          end: node.end,
        });
  const marks = node.all('decorator').map((each) => reader.expression(each.children[0]));
  return reader.statements(declared).map((each) => {
    if (each.is === 'function') return { ...each, fn: { ...each.fn, isExported: true } };
    if (each.is === 'class')
      return { ...each, form: { ...each.form, isExported: true, marks: [...marks, ...each.form.marks] } };
    if (each.is === 'do' && each.value.is === 'assign' && each.value.value.is === 'function')
      each.value.value.fn.isExported = true;
    return each;
  });
};

const namesOf = (statement: Statement): Expression[] => {
  if (statement.is === 'function') return [{ is: 'name', name: statement.fn.name, ...spanOf(statement) }];
  if (statement.is === 'class') return [{ is: 'name', name: statement.form.name, ...spanOf(statement) }];
  const target =
    statement.is === 'do' && statement.value.is === 'assign' ? statement.value.target : undefined;
  return target?.is === 'name' ? [target] : [];
};

const spanOf = ({ at, end }: Statement) => ({ at, end });

/** `namespace Files { export function read() {} }`: what stands in it, and an object that has it. */
const namespaceOf: StatementReading = (node, reader) => {
  const statements = reader.statements(node.find('body'));
  const span = { at: node.start, end: node.end };
  const entries = statements
    .flatMap(namesOf)
    .map((value) => ({ key: value.is === 'name' ? value.name : '', value }));
  const target: Expression = { is: 'name', name: node.find('name')?.text ?? '', ...span };
  return [
    ...statements,
    doing({ is: 'assign', target, value: { is: 'object', entries, ...span }, isNew: true, ...span }),
  ];
};

/** `Store = class { … }`, `module.exports = class { … }` */
function assignedClass(left: SyntaxNode, right: SyntaxNode, reader: Reader): Statement[] {
  if (left.type === 'identifier') return namedClass(left.text, right, reader);
  const name = right.find('name')?.text ?? `class at ${right.start}`;
  const span = { at: left.start, end: left.end };
  return [
    ...namedClass(name, right, reader),
    doing({ is: 'assign', target: reader.target(left), value: { is: 'name', name, ...span }, ...span }),
  ];
}

const statementForms: Readonly<Record<string, StatementReading>> = {
  expression_statement: (node, reader) => {
    const [only] = node.children;
    if (only?.type === 'internal_module') return namespaceOf(only, reader);
    const [left, right] = [only?.find('left'), only?.find('right')];
    return only?.type === 'assignment_expression' && right?.type === 'class' && left !== undefined
      ? assignedClass(left, right, reader)
      : doing(reader.expression(only));
  },
  lexical_declaration: declarationOf,
  variable_declaration: declarationOf,
  statement_block: blockOf,
  if_statement: (node, reader) => ({
    is: 'if',
    test: reader.expression(node.find('condition')),
    yes: bodyOf(node.find('consequence'), reader),
    no: bodyOf(node.find('alternative')?.children[0], reader),
    at: node.start,
    end: node.end,
  }),
  for_statement: loopOf,
  while_statement: loopOf,
  do_statement: loopOf,
  for_in_statement: eachOf('left', 'right'),
  return_statement: returnOf,
  throw_statement: throwOf,
  break_statement: leaving,
  continue_statement: continuing,
  try_statement: tryOf,
  switch_statement: switchOf,
  labeled_statement: (node, reader) => reader.statements(node.find('body')),
  function_declaration: functionStatement,
  generator_function_declaration: functionStatement,
  class_declaration: classStatement,
  abstract_class_declaration: classStatement,
  internal_module: namespaceOf,
  export_statement: exportOf,
  import_statement: skipped,
  interface_declaration: skipped,
  type_alias_declaration: skipped,
  ambient_declaration: skipped,
};

const javascriptReader = readerOf({
  expressions: javascriptExpressions,
  statements: statementForms,
  blocks: new Set(['program', 'statement_block', 'class_static_block']),
  target: javascriptTarget,
  fn: functionOf,
  form: classOf,
});

function importsOf(node: SyntaxNode): Import[] {
  const source = node.find('source');
  const clause = node.ofType('import_clause');
  if (source === undefined || clause === undefined) return [];
  const module = contentOf(source);
  return clause.children.flatMap((each): Import[] => {
    if (each.type === 'identifier') return [{ local: each.text, module, name: 'default' }];
    if (each.type === 'namespace_import') return [{ local: each.children[0]?.text ?? '', module, name: '*' }];
    return each.children.map((named) => {
      const name = named.find('name')?.text ?? '';
      return { local: named.find('alias')?.text ?? name, module, name };
    });
  });
}

function exportsOf(node: SyntaxNode): ModuleForm['exports'] {
  const source = node.find('source');
  const module = source === undefined ? {} : { module: contentOf(source) };
  const clause = node.ofType('export_clause');
  if (clause === undefined) return source === undefined ? [] : [{ name: '*', local: '*', ...module }];
  return clause.children.map((each) => {
    const local = each.find('name')?.text ?? '';
    return { name: each.find('alias')?.text ?? local, local, ...module };
  });
}

/** TypeScript and JavaScript, JSX too. `require` is an import where it is bound to names at the top. */
export function readJavascript(root: SyntaxNode): ModuleForm {
  return {
    imports: root.children.filter(({ type }) => type === 'import_statement').flatMap(importsOf),
    exports: root.children
      .filter((each) => each.type === 'export_statement' && each.find('declaration') === undefined)
      .flatMap(exportsOf),
    body: withPrototypes(javascriptReader.statements(root)),
  };
}
