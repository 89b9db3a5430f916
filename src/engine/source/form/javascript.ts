import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Import, ModuleForm, Statement } from './form.ts';
import { classOf, functionOf, namedClass } from './javascript-declarations.ts';
import { javascriptExpressions, javascriptTarget } from './javascript-expressions.ts';
import { contentOf, doing, nothing, type Reader, severalOf, type StatementReading } from './reader.ts';

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

const eachOf: StatementReading = (node, reader) => ({
  is: 'loop',
  target: reader.target(node.find('left')),
  over: reader.expression(node.find('right')),
  body: bodyOf(node.find('body'), reader),
  at: node.start,
  end: node.end,
});

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

const statementForms: Readonly<Record<string, StatementReading>> = {
  expression_statement: (node, reader) => {
    const [only] = node.children;
    const [left, right] = [only?.find('left'), only?.find('right')];
    return only?.type === 'assignment_expression' && right?.type === 'class' && left?.type === 'identifier'
      ? namedClass(left.text, right, reader)
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
  for_in_statement: eachOf,
  return_statement: (node, reader) => ({
    is: 'return',
    ...(node.children[0] === undefined ? {} : { value: reader.expression(node.children[0]) }),
    at: node.start,
    end: node.end,
  }),
  throw_statement: (node, reader) => ({
    is: 'throw',
    value: reader.expression(node.children[0]),
    at: node.start,
    end: node.end,
  }),
  break_statement: (node) => ({ is: 'leave', at: node.start, end: node.end }),
  continue_statement: (node) => ({ is: 'leave', at: node.start, end: node.end }),
  try_statement: tryOf,
  switch_statement: switchOf,
  labeled_statement: (node, reader) => reader.statements(node.find('body')),
  function_declaration: (node, reader) => ({
    is: 'function',
    fn: reader.fn(node),
    at: node.start,
    end: node.end,
  }),
  generator_function_declaration: (node, reader) => ({
    is: 'function',
    fn: reader.fn(node),
    at: node.start,
    end: node.end,
  }),
  class_declaration: (node, reader) => ({
    is: 'class',
    form: reader.form(node),
    at: node.start,
    end: node.end,
  }),
  abstract_class_declaration: (node, reader) => ({
    is: 'class',
    form: reader.form(node),
    at: node.start,
    end: node.end,
  }),
  internal_module: (node, reader) => reader.statements(node.find('body')),
  export_statement: exportOf,
  import_statement: () => [],
  interface_declaration: () => [],
  type_alias_declaration: () => [],
  ambient_declaration: () => [],
};

const blocks = new Set(['program', 'statement_block', 'class_static_block']);

const javascriptReader: Reader = {
  expression(node) {
    if (node === undefined) return nothing;
    const form = Object.hasOwn(javascriptExpressions, node.type)
      ? javascriptExpressions[node.type]
      : undefined;
    return (form ?? severalOf)(node, javascriptReader);
  },
  target: (node) => javascriptTarget(node, javascriptReader),
  statements(node) {
    if (node === undefined) return [];
    if (blocks.has(node.type)) return node.children.flatMap((child) => one(child));
    return one(node);
  },
  fn: (node) => functionOf(node, javascriptReader),
  form: (node) => classOf(node, javascriptReader),
};

function one(node: SyntaxNode): Statement[] {
  const form = Object.hasOwn(statementForms, node.type) ? statementForms[node.type] : undefined;
  const read = form?.(node, javascriptReader) ?? doing(javascriptReader.expression(node));
  return Array.isArray(read) ? read : [read];
}

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
    body: javascriptReader.statements(root),
  };
}
