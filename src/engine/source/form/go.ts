import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type {
  ClassForm,
  Expression,
  FunctionForm,
  Import,
  ModuleForm,
  Parameter,
  Statement,
  Target,
} from './form.ts';
import { bare, goExpressions, onChannel } from './go-expressions.ts';
import { doing, joined, nameOf, nothing, type Reader, type StatementReading } from './reader.ts';
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
    body: reader.statements(node.find('body')),
    marks: [],
    isExported: /^[A-Z]/.test(name),
    ...(owner === undefined ? {} : { owner }),
    ...(own === undefined ? {} : { receiver: own }),
    at: node.start,
    end: node.end,
  };
}

/** `return tool, func(…) {…}`: a tool and what runs it, which are given on together. */
function withHandler(first: SyntaxNode, values: readonly SyntaxNode[], reader: Reader): Expression {
  const value = reader.expression(first);
  const handler = values.slice(1).find(({ type }) => type === 'func_literal');
  if (handler === undefined) return value;
  return {
    is: 'object',
    entries: [{ value }, { key: 'handler', value: reader.expression(handler) }],
    at: first.start,
    end: first.end,
  };
}

/** What the second name of `tool, handler := f()` is. */
const isHandler = (target: Target): boolean =>
  target.is === 'name' && /handler$|^(?:fn|h)$/i.test(target.name);

function targetsOf(node: SyntaxNode | undefined, reader: Reader): Target[] {
  return (node?.children ?? []).map((each) => reader.expression(each));
}

/** `value, ok := table[key]`: the second says whether the table has such a key. */
function hasKey(
  target: Target,
  values: readonly SyntaxNode[],
  { start: at, end }: SyntaxNode,
  reader: Reader,
): Statement[] {
  const [read] = values.map((each) => reader.expression(each));
  if (values.length !== 1 || read?.is !== 'index' || target.is !== 'name' || target.name === '_') return [];
  const value: Expression = { is: 'binary', operator: 'in', left: read.key, right: read.object, at, end };
  return [doing({ is: 'assign', target, value, at, end })];
}

/** `a, err := f()`: the first name is what the call gives; errors hold nothing of it. */
const assignment: StatementReading = (node, reader) => {
  const targets = targetsOf(node.find('left'), reader);
  const values = node.find('right')?.children ?? [];
  return targets.flatMap((target, at): Statement[] => {
    const value = values[at];
    const [first] = targets;
    if (value === undefined && first?.is === 'name' && first.name !== '_' && isHandler(target))
      return [
        doing({
          is: 'assign',
          target,
          value: { is: 'member', object: first, property: 'handler', at: node.start, end: node.end },
          at: node.start,
          end: node.end,
        }),
      ];
    if (value === undefined) return hasKey(target, values, node, reader);
    const operator = node.find('operator')?.text ?? '=';
    const right = reader.expression(value);
    const sum =
      operator === '+=' && target.is !== 'fields' && target.is !== 'items'
        ? joined(target, right, node)
        : right;
    return [doing({ is: 'assign', target, value: sum, at: node.start, end: node.end })];
  });
};

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

const before = (node: SyntaxNode, reader: Reader): Statement[] => reader.statements(node.find('initializer'));

const ifOf: StatementReading = (node, reader) => [...before(node, reader), branchOf(node, reader)];

const loopOf: StatementReading = (node, reader) => {
  const range = node.ofType('range_clause');
  const body = reader.statements(node.find('body'));
  if (range === undefined) {
    const clause = node.ofType('for_clause');
    const test = clause?.find('condition');
    return [
      ...reader.statements(clause?.find('initializer')),
      {
        is: 'loop',
        ...(test === undefined ? {} : { test: reader.expression(test) }),
        body,
        at: node.start,
        end: node.end,
      },
    ];
  }
  // `for i, v := range xs`: the last name is the element.
  const target = targetsOf(range.find('left'), reader).at(-1) ?? nothing;
  return {
    is: 'loop',
    target,
    over: reader.expression(range.find('right')),
    body,
    at: node.start,
    end: node.end,
  };
};

const switchOf: StatementReading = (node, reader) => [
  ...before(node, reader),
  {
    is: 'switch',
    subject: reader.expression(node.find('value')),
    cases: node.children
      .filter(({ type }) => type.endsWith('_case'))
      .map((each) => ({
        values: (each.find('value')?.children ?? []).map((value) => reader.expression(value)),
        // Cases of Go do not fall through.
        body: [
          ...each.children
            .filter(({ field }) => field === undefined)
            .flatMap((one) => reader.statements(one)),
          leaving(each),
        ],
      })),
    at: node.start,
    end: node.end,
  },
];

const makesError =
  /^(?:errors\.(?:New|Errorf|Wrapf?|WithStack|WithMessagef?|Join)|fmt\.Errorf|status\.Errorf?|xerrors\.\w+)\(/;
const isZero = (node: SyntaxNode | undefined) => /^(?:nil|""|``|0|false|\w*\{\})$/.test(node?.text ?? '');

/** `return "", err` goes on nowhere: who called looks at the error first. */
function isFailure(values: readonly SyntaxNode[], last: SyntaxNode): boolean {
  if (makesError.test(last.text)) return true;
  const isError = last.type === 'identifier' && /^err(?:or)?$|^Err|Err$/.test(last.text);
  return isError && (values.length === 1 || isZero(values[0]));
}

/** What is called for a value behind the first one: `return nil, Answer{Text: read(path)}, nil`. Functions are not. */
const asideOf = (node: SyntaxNode, reader: Reader): Statement[] =>
  node.type === 'call_expression' || node.type === 'composite_literal'
    ? [doing(reader.expression(node))]
    : [];

const statementForms: Readonly<Record<string, StatementReading>> = {
  short_var_declaration: assignment,
  assignment_statement: assignment,
  var_declaration: variables,
  const_declaration: variables,
  if_statement: ifOf,
  for_statement: loopOf,
  expression_switch_statement: switchOf,
  return_statement: (node, reader) => {
    const values = node.children[0]?.children ?? [];
    const [value] = values;
    const last = values.at(-1);
    if (last !== undefined && isFailure(values, last))
      return { is: 'throw', value: reader.expression(last), at: node.start, end: node.end };
    return [
      ...values.slice(1).flatMap((each) => asideOf(each, reader)),
      {
        is: 'return',
        ...(value === undefined ? {} : { value: withHandler(value, values, reader) }),
        at: node.start,
        end: node.end,
      },
    ];
  },
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

function importsOf(node: SyntaxNode): Import[] {
  if (node.type !== 'import_spec') return node.children.flatMap(importsOf);
  const module = bare(node.find('path')?.text ?? '""');
  const local =
    node.find('name')?.text ??
    module
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1) ??
    module;
  // `os/exec` is known as `exec`, as it is written where it is used.
  return [
    {
      local,
      module:
        module
          .replace(/\/v\d+$/, '')
          .split('/')
          .at(-1) ?? module,
      name: '*',
      path: module,
    },
  ];
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
