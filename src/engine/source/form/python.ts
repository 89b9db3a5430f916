import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { ClassForm, FunctionForm, Import, ModuleForm, Parameter, Statement } from './form.ts';
import { matchOf } from './python-matches.ts';
import { pythonExpressions, pythonTarget } from './python-expressions.ts';
import { doing, type Reader, type StatementReading } from './reader.ts';
import {
  classStatement,
  eachOf,
  functionStatement,
  giving,
  continuing,
  leaving,
  readerOf,
  returnOf,
  skipped,
  throwOf,
  whileOf,
} from './shapes.ts';

function parameterOf(node: SyntaxNode, reader: Reader): Parameter[] {
  if (node.type === 'keyword_separator' || node.type === 'positional_separator') return [];
  const name = node.type === 'identifier' ? node : (node.find('name') ?? node.children[0]);
  const [type, preset] = [node.find('type')?.text, node.find('value')];
  return [
    {
      target: reader.target(name),
      ...(type === undefined ? {} : { type }),
      ...(preset === undefined ? {} : { preset: reader.expression(preset) }),
      ...(name?.type.endsWith('splat_pattern') || node.type.endsWith('splat_pattern')
        ? { isRest: true }
        : {}),
    },
  ];
}

function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
  const body = node.find('body');
  const result = node.find('return_type')?.text;
  return {
    name: node.find('name')?.text ?? '',
    parameters: (node.find('parameters')?.children ?? []).flatMap((each) => parameterOf(each, reader)),
    body:
      node.type === 'lambda' && body !== undefined
        ? [giving(body, reader.expression(body))]
        : reader.statements(body),
    marks: [],
    isExported: false,
    ...(result === undefined ? {} : { result }),
    at: node.start,
    end: node.end,
  };
}

/** A method without its receiver, which is named apart. */
function methodOf(fn: FunctionForm, owner: string): FunctionForm {
  const isStatic = fn.marks.some((mark) => mark.is === 'name' && mark.name === 'staticmethod');
  const [first, ...others] = fn.parameters;
  if (isStatic || first?.target.is !== 'name') return { ...fn, owner, isStatic: true };
  return { ...fn, owner, parameters: others, receiver: first.target.name };
}

function fieldsOf(statements: readonly Statement[]): ClassForm['fields'] {
  return statements.flatMap((each) => {
    if (each.is !== 'do' || each.value.is !== 'assign' || each.value.target.is !== 'name') return [];
    const { target, value, type } = each.value;
    return [{ name: target.name, value, ...(type === undefined ? {} : { type }) }];
  });
}

function classOf(node: SyntaxNode, reader: Reader): ClassForm {
  const name = node.find('name')?.text ?? '';
  const body = reader.statements(node.find('body'));
  return {
    name,
    bases: (node.find('superclasses')?.children ?? []).map(({ text }) => text),
    fields: fieldsOf(body),
    methods: body.flatMap((each) => (each.is === 'function' ? [methodOf(each.fn, name)] : [])),
    marks: [],
    // What starts with an underscore is not meant for others.
    isExported: !name.startsWith('_'),
    at: node.start,
    end: node.end,
  };
}

const decoratedOf: StatementReading = (node, reader) => {
  const marks = node.children
    .filter(({ type }) => type === 'decorator')
    .map((each) => reader.expression(each.children[0]));
  return reader.statements(node.find('definition')).map((each): Statement => {
    if (each.is === 'function') return { ...each, fn: { ...each.fn, marks } };
    if (each.is === 'class') return { ...each, form: { ...each.form, marks } };
    return each;
  });
};

/** `if … elif … else`, from the last to the first. */
const ifOf: StatementReading = (node, reader) => {
  let no: Statement[] = [];
  for (const alternative of node.all('alternative').toReversed())
    no =
      alternative.type === 'else_clause'
        ? reader.statements(alternative.find('body'))
        : [
            {
              is: 'if',
              test: reader.expression(alternative.find('condition')),
              yes: reader.statements(alternative.find('consequence')),
              no,
              at: alternative.start,
              end: alternative.end,
            },
          ];
  return {
    is: 'if',
    test: reader.expression(node.find('condition')),
    yes: reader.statements(node.find('consequence')),
    no,
    at: node.start,
    end: node.end,
  };
};

const tryOf: StatementReading = (node, reader) => {
  const clauses = node.children.filter(({ type }) => type.startsWith('except'));
  const blockOf = (each: SyntaxNode | undefined) => reader.statements(each?.ofType('block'));
  return {
    is: 'try',
    body: reader.statements(node.find('body')),
    handlers: clauses.map(blockOf),
    last: [...blockOf(node.ofType('else_clause')), ...blockOf(node.ofType('finally_clause'))],
    at: node.start,
    end: node.end,
  };
};

/** `with f() as x` binds what was opened. */
const withOf: StatementReading = (node, reader) => {
  const items = node.ofType('with_clause')?.children ?? [];
  const opened = items.map((item): Statement => {
    const value = item.find('value');
    if (value?.type !== 'as_pattern') return doing(reader.expression(value));
    const target = reader.target(value.find('alias'));
    return doing({
      is: 'assign',
      target,
      value: reader.expression(value.children[0]),
      at: value.start,
      end: value.end,
    });
  });
  return [
    ...opened,
    { is: 'block', body: reader.statements(node.find('body')), at: node.start, end: node.end },
  ];
};

const importsOf = (node: SyntaxNode): Import[] => {
  const module = node.find('module_name')?.text;
  return node.all('name').map((each) => {
    const name = each.find('name')?.text ?? each.text;
    const alias = each.find('alias')?.text;
    if (module !== undefined) return { local: alias ?? name, module, name };
    // `import a.b` binds `a`, `import a.b as c` binds the part.
    return alias === undefined
      ? { local: name.split('.')[0] ?? name, module: name.split('.')[0] ?? name, name: '*' }
      : { local: alias, module: name, name: '*' };
  });
};

const statementForms: Readonly<Record<string, StatementReading>> = {
  assert_statement: (node, reader) =>
    doing({
      is: 'call',
      callee: { is: 'name', name: 'assert', at: node.start, end: node.end },
      args: node.children.slice(0, 1).map((each) => ({ value: reader.expression(each) })),
      isNew: false,
      at: node.start,
      end: node.end,
    }),
  expression_statement: (node, reader) => node.children.map((each) => doing(reader.expression(each))),
  function_definition: functionStatement,
  class_definition: classStatement,
  decorated_definition: decoratedOf,
  if_statement: ifOf,
  for_statement: eachOf('left', 'right'),
  while_statement: whileOf,
  return_statement: returnOf,
  raise_statement: throwOf,
  break_statement: leaving,
  continue_statement: continuing,
  try_statement: tryOf,
  with_statement: withOf,
  match_statement: matchOf,
  // An import within a function is one of the file.
  import_statement: skipped,
  import_from_statement: skipped,
  pass_statement: skipped,
  global_statement: skipped,
  nonlocal_statement: skipped,
};

const pythonReader = readerOf({
  expressions: pythonExpressions,
  statements: statementForms,
  blocks: new Set(['block', 'module']),
  target: pythonTarget,
  fn: functionOf,
  form: classOf,
});

function allImports(node: SyntaxNode): Import[] {
  if (node.type === 'import_statement' || node.type === 'import_from_statement') return importsOf(node);
  return node.type.endsWith('expression') || node.type === 'call' ? [] : node.children.flatMap(allImports);
}

/** Functions of a module are for others unless their names start with an underscore. */
const exported = (each: Statement): Statement =>
  each.is === 'function' ? { ...each, fn: { ...each.fn, isExported: !each.fn.name.startsWith('_') } } : each;

export function readPython(root: SyntaxNode): ModuleForm {
  return { imports: allImports(root), exports: [], body: pythonReader.statements(root).map(exported) };
}
