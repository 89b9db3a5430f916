import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { ClassForm, FunctionForm, Import, ModuleForm, Parameter, Statement } from './form.ts';
import { bare, goExpressions, onChannel } from './go-expressions.ts';
import { doing, nameOf, type Reader, type StatementReading } from './reader.ts';
import { loopOf, receivedOf, selectOf, switchOf, typeSwitchOf } from './go-branches.ts';
import { assignment, returnOf, settled } from './go-results.ts';
import { branchOf, continuing, functionStatement, leaving, readerOf, skipped } from './shapes.ts';

function parametersOf(node: SyntaxNode | undefined): Parameter[] {
  return (node?.children ?? []).flatMap((each): Parameter[] => {
    const type = each.find('type')?.text ?? each.text;
    const isRest = each.type === 'variadic_parameter_declaration';
    const names = each.all('name');
    return names.map((name) => ({ target: nameOf(name), type, ...(isRest ? { isRest } : {}) }));
  });
}

function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
  const [receiver] = node.find('receiver')?.children ?? [];
  const owner = receiver?.find('type')?.text.replace(/^\*|\[.*$/g, '');
  const own = receiver?.find('name')?.text;
  const name = node.find('name')?.text ?? '';
  return {
    name,
    parameters: parametersOf(node.find('parameters')),
    body: settled(reader.statements(node.find('body')), (at, end) =>
      node.text.slice(at - node.start, end - node.start),
    ),
    marks: [],
    isExported: /^[A-Z]/.test(name),
    ...(owner === undefined ? {} : { owner }),
    ...(own === undefined ? {} : { receiver: own }),
    at: node.start,
    end: node.end,
  };
}

const variables: StatementReading = (node, reader) =>
  node.children
    .flatMap((each) => (each.type === 'var_spec_list' ? each.children : [each]))
    .flatMap((spec) =>
      spec.all('name').map((name, at) => {
        const value = spec.find('value')?.children[at];
        const type = spec.find('type')?.text;
        return doing({
          is: 'assign',
          target: nameOf(name),
          value: reader.expression(value),
          ...(type === undefined ? {} : { type }),
          at: spec.start,
          end: spec.end,
        });
      }),
    );

const ifOf: StatementReading = (node, reader) => [
  ...reader.statements(node.find('initializer')),
  branchOf(node, reader),
];

const statementForms: Readonly<Record<string, StatementReading>> = {
  short_var_declaration: assignment,
  assignment_statement: assignment,
  var_declaration: variables,
  const_declaration: variables,
  if_statement: ifOf,
  for_statement: loopOf,
  expression_switch_statement: switchOf,
  type_switch_statement: typeSwitchOf,
  select_statement: selectOf,
  receive_statement: receivedOf,
  labeled_statement: (node, reader) => node.children.slice(1).flatMap((each) => reader.statements(each)),
  return_statement: returnOf,
  break_statement: leaving,
  continue_statement: continuing,
  defer_statement: (node, reader) => doing(reader.expression(node.children[0])),
  send_statement: (node, reader) =>
    doing(
      onChannel(reader.expression(node.find('channel')), '<-', [reader.expression(node.find('value'))], node),
    ),
  go_statement: (node, reader) => doing(reader.expression(node.children[0])),
  function_declaration: functionStatement,
  method_declaration: skipped,
  type_declaration: skipped,
  import_declaration: skipped,
  package_clause: skipped,
};

const goReader = readerOf({
  expressions: goExpressions,
  statements: statementForms,
  blocks: new Set(['block', 'statement_list', 'source_file']),
  fn: functionOf,
  form: (node) => structOf(node, []),
});

/** The type that a field without a name embeds, whose methods the struct has too; empty for other fields. */
const embeddedIn = (field: SyntaxNode): string =>
  field.all('name').length > 0 ? '' : (field.find('type')?.text ?? '').replace(/^\*|\[.*$/g, '');

/** A struct with the methods that the file declares for it. */
function structOf(node: SyntaxNode, methods: FunctionForm[]): ClassForm {
  const name = node.find('name')?.text ?? '';
  const fields = node.find('type')?.ofType('field_declaration_list')?.children ?? [];
  return {
    name,
    bases: fields.map(embeddedIn).filter((base) => base !== ''),
    fields: fields.flatMap((each) => {
      const type = each.find('type')?.text ?? '';
      const embedded = embeddedIn(each);
      if (embedded !== '') return [{ name: embedded.slice(embedded.lastIndexOf('.') + 1), type }];
      return each.all('name').map(({ text }) => ({ name: text, type }));
    }),
    methods: methods.filter(({ owner }) => owner === name),
    marks: [],
    isExported: /^[A-Z]/.test(name),
    at: node.start,
    end: node.end,
  };
}

/** Packages whose last names another package has too. */
const renamed: Readonly<Record<string, string>> = { 'crypto/rand': 'crypto_rand' };

/**
 * What a package calls itself, as far as its path tells: `yaml` of `gopkg.in/yaml.v3`, `redis` of `go-redis/v9`,
 * `securejoin` of `filepath-securejoin`. No name of Go has a dash.
 */
const lastOf = (path: string): string => {
  const [name = path] = path
    .replace(/\/v\d+$/, '')
    .split('/')
    .slice(-1);
  const bare = name.replace(/\.v\d+$/, '').replace(/^go(?:lang)?[-.]|[-.]go(?:lang)?$/g, '');
  return bare.split('-').at(-1) ?? bare;
};

function importsOf(node: SyntaxNode): Import[] {
  if (node.type !== 'import_spec') return node.children.flatMap(importsOf);
  const path = bare(node.find('path')?.text ?? '""');
  const name = lastOf(path);
  const local = node.find('name')?.text ?? name;
  // `os/exec` is known as `exec`, as it is written where it is used.
  return [{ local, module: renamed[path] ?? name, name: '*', path }];
}

export function readGo(root: SyntaxNode): ModuleForm {
  const methods = root.children
    .filter(({ type }) => type === 'method_declaration')
    .map((each) => goReader.fn(each));
  const types = root.children
    .filter(({ type }) => type === 'type_declaration')
    .flatMap(({ children }) => children);
  const known = types.filter(({ type }) => type === 'type_spec');
  const names = new Set(known.map((each) => each.find('name')?.text ?? ''));
  const classes = known.map((each): Statement => ({
    is: 'class',
    form: structOf(each, methods),
    at: each.start,
    end: each.end,
  }));
  // Methods of a type that another file declares.
  const strays = methods
    .filter(({ owner }) => owner !== undefined && !names.has(owner))
    .map((fn): Statement => ({
      is: 'function',
      fn: { ...fn, name: `${fn.owner ?? ''}.${fn.name}` },
      at: fn.at,
      end: fn.end,
    }));
  return {
    imports: root.children.filter(({ type }) => type === 'import_declaration').flatMap(importsOf),
    exports: [],
    body: [...classes, ...strays, ...goReader.statements(root)],
    packageName: root.ofType('package_clause')?.children[0]?.text ?? '',
  };
}
