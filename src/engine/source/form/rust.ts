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
import { doing, nothing, type Reader, spanOf, type StatementReading } from './reader.ts';
import { ifOf, matchOf, rustExpressions, rustTarget, tailed } from './rust-expressions.ts';
import { markName } from './marks.ts';
import { convertedInto } from './rust-conversions.ts';
import { macroArguments } from './rust-macros.ts';
import { structOf, typeOf } from './rust-types.ts';
import { blockOf, continuing, eachOf, leaving, readerOf, returnOf, skipped, whileOf } from './shapes.ts';

/** `#[tool(description = "x")]` as a call with named arguments. */
function markOf(node: SyntaxNode, reader: Reader): Expression {
  const attribute = node.ofType('attribute');
  const name = attribute?.children[0];
  const callee: Expression = {
    is: 'name',
    name: name?.text.split('::').at(-1) ?? '',
    ...spanOf(name ?? node),
  };
  const tokens = attribute?.find('arguments');
  const args: { name?: string; value: Expression }[] = [];
  const parts = tokens?.children ?? [];
  parts.forEach((part, at) => {
    const next = parts[at + 1];
    const isKey =
      part.type === 'identifier' &&
      next !== undefined &&
      part.source.slice(part.end, next.start).includes('=');
    if (isKey) args.push({ name: part.text, value: reader.expression(next) });
  });
  if (args.length === 0) args.push(...macroArguments(tokens, reader).map((value) => ({ value })));
  return { is: 'call', callee, args, isNew: false, at: node.start, end: node.end };
}

function parametersOf(node: SyntaxNode | undefined, reader: Reader): Parameter[] {
  return (node?.children ?? []).flatMap((each): Parameter[] => {
    if (each.type === 'self_parameter' || each.type === 'attribute_item') return [];
    if (each.type !== 'parameter') return [{ target: reader.target(each) }];
    const type = typeOf(each.find('type'));
    return [{ target: reader.target(each.find('pattern')), ...(type === undefined ? {} : { type }) }];
  });
}

function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
  const body = node.find('body');
  const parameters = node.find('parameters');
  const hasSelf = parameters?.ofType('self_parameter') !== undefined;
  return {
    name: node.find('name')?.text ?? '',
    parameters: parametersOf(parameters, reader),
    body:
      body?.type === 'block'
        ? tailed(body, reader)
        : [{ is: 'return', value: reader.expression(body), ...spanOf(body ?? node) }],
    marks: [],
    isExported: node.ofType('visibility_modifier') !== undefined,
    ...(hasSelf ? { receiver: 'self' } : { isStatic: true }),
    at: node.start,
    end: node.end,
  };
}

/** Items with the attributes that stand before them. */
function marked(nodes: readonly SyntaxNode[], reader: Reader): { node: SyntaxNode; marks: Expression[] }[] {
  const found: { node: SyntaxNode; marks: Expression[] }[] = [];
  let marks: Expression[] = [];
  for (const node of nodes)
    if (node.type === 'attribute_item') marks.push(markOf(node, reader));
    else {
      found.push({ node, marks });
      marks = [];
    }
  return found;
}

const typeName = (node: SyntaxNode | undefined): string =>
  (node?.text ?? '')
    .replace(/<[\s\S]*$/, '')
    .split('::')
    .at(-1) ?? '';

/** `#[Tools] impl Server`: each of its methods is a tool. */
const isToolMark = (mark: Expression): boolean => markName(mark) === 'Tools';

/** What a trait says that others do, and what it does itself where they do not. */
function addTrait(node: SyntaxNode, classes: Map<string, ClassForm>, reader: Reader): void {
  const form = structOf(node);
  if (classes.has(form.name)) return;
  classes.set(form.name, form);
  for (const { node: each, marks } of marked(node.find('body')?.children ?? [], reader)) {
    const own = { marks, owner: form.name };
    if (each.type === 'function_item') form.methods.push({ ...reader.fn(each), ...own });
    else if (each.type === 'function_signature_item')
      form.methods.push({ ...reader.fn(each), body: [], isAbstract: true, ...own });
  }
}

/** The methods of an `impl` block, for the type that it is of. */
function addMethods(
  node: SyntaxNode,
  ofAll: readonly Expression[],
  classes: Map<string, ClassForm>,
  reader: Reader,
): void {
  const name = typeName(node.find('type'));
  const form = classes.get(name) ?? { ...structOf(node), name };
  classes.set(name, form);
  // A trait is what a class is derived from elsewhere: `impl Tool for Search`.
  const trait = node.find('trait');
  if (trait !== undefined) form.bases.push(typeName(trait));
  for (const { node: each, marks } of marked(node.find('body')?.children ?? [], reader))
    if (each.type === 'function_item')
      form.methods.push({ ...reader.fn(each), marks: [...marks, ...ofAll], owner: name });
}

/** Structs of a file with the methods of all their `impl` blocks; a type of another file gets a class of its own. */
function classesOf(nodes: readonly SyntaxNode[], reader: Reader): Statement[] {
  const classes = new Map<string, ClassForm>();
  const items = marked(nodes, reader);
  for (const { node, marks } of items)
    if (node.type === 'struct_item' || node.type === 'enum_item') {
      const form = { ...structOf(node), marks };
      classes.set(form.name, form);
    }
  for (const { node } of items) if (node.type === 'trait_item') addTrait(node, classes, reader);
  for (const { node, marks } of items)
    if (node.type === 'impl_item') addMethods(node, marks.filter(isToolMark), classes, reader);
  return [...classes.values()].map((form) => ({ is: 'class', form, at: form.at, end: form.end }));
}

const assigned: StatementReading = (node, reader) => {
  const alternative = node.find('alternative');
  const name = node.find('pattern') ?? node.find('name');
  const type = typeOf(node.find('type'));
  const read = reader.expression(node.find('value'));
  const value = type === undefined ? read : convertedInto(read, type);
  return [
    doing({
      is: 'assign',
      target: reader.target(name),
      value,
      ...(type === undefined ? {} : { type }),
      at: node.start,
      end: node.end,
    }),
    // `let Some(x) = y else { return … };`
    ...(alternative === undefined
      ? []
      : [
          {
            is: 'if' as const,
            test: nothing,
            yes: reader.statements(alternative),
            no: [],
            at: alternative.start,
            end: alternative.end,
          },
        ]),
  ];
};

const statementForms: Readonly<Record<string, StatementReading>> = {
  expression_statement: (node, reader) => reader.statements(node.children[0]),
  let_declaration: assigned,
  const_item: assigned,
  static_item: assigned,
  block: blockOf,
  unsafe_block: (node, reader) => reader.statements(node.ofType('block')),
  if_expression: (node, reader) => ifOf(node, reader),
  match_expression: (node, reader) => matchOf(node, reader),
  for_expression: eachOf('pattern', 'value'),
  while_expression: whileOf,
  loop_expression: (node, reader) => ({
    is: 'loop',
    body: reader.statements(node.find('body')),
    at: node.start,
    end: node.end,
  }),
  return_expression: returnOf,
  break_expression: leaving,
  continue_expression: continuing,
  use_declaration: skipped,
  struct_item: skipped,
  enum_item: skipped,
  impl_item: skipped,
  trait_item: skipped,
  type_item: skipped,
  macro_definition: skipped,
  attribute_item: skipped,
};

const rustReader = readerOf({
  expressions: rustExpressions,
  statements: statementForms,
  blocks: new Set(),
  target: rustTarget,
  fn: functionOf,
  form: structOf,
});

function importOfPath(full: string): Import[] {
  const at = full.lastIndexOf('.');
  const [module, name] = [full.slice(0, Math.max(0, at)), full.slice(at + 1)];
  if (name === 'self') return [{ local: module.slice(module.lastIndexOf('.') + 1), module, name: '*' }];
  return [module === '' ? { local: name, module: name, name: '*' } : { local: name, module, name }];
}

/** `use a::{b, c as d}` names b and d. */
function importsOf(node: SyntaxNode | undefined, before: string): Import[] {
  if (node === undefined) return [];
  const dotted = (text = '') => `${before === '' ? '' : `${before}.`}${text.replaceAll('::', '.')}`;
  // `use super::*`
  if (node.type === 'use_wildcard') {
    const module = dotted(node.text.replace(/(?:::)?\*$/, '')).replace(/\.$/, '');
    return module === '' ? [] : [{ local: '*', module, name: '*' }];
  }
  if (node.type === 'scoped_use_list') return importsOf(node.find('list'), dotted(node.find('path')?.text));
  if (node.type === 'use_list') return node.children.flatMap((each) => importsOf(each, before));
  if (node.type !== 'use_as_clause') return importOfPath(dotted(node.text));
  const local = node.find('alias')?.text ?? '';
  return importsOf(node.find('path'), before).map((each) => ({ ...each, local }));
}

function allItems(root: SyntaxNode): SyntaxNode[] {
  return root.children.flatMap((each) => {
    const inside = each.type === 'mod_item' ? each.find('body') : undefined;
    return inside === undefined ? [each] : allItems(inside);
  });
}

export function readRust(root: SyntaxNode): ModuleForm {
  const items = allItems(root);
  const functions = marked(items, rustReader).flatMap(({ node, marks }): Statement[] => {
    if (node.type === 'mod_item') return [];
    if (node.type !== 'function_item') return rustReader.statements(node);
    return [{ is: 'function', fn: { ...rustReader.fn(node), marks }, at: node.start, end: node.end }];
  });
  const declared = items
    .filter(({ type }) => type === 'mod_item')
    .map((each): Import => {
      const name = each.find('name')?.text ?? '';
      return { local: name, module: `self.${name}`, name: '*' };
    });
  return {
    imports: [
      ...items
        .filter(({ type }) => type === 'use_declaration')
        .flatMap((each) => importsOf(each.find('argument'), '')),
      ...declared,
    ],
    exports: [],
    body: [...classesOf(items, rustReader), ...functions],
  };
}
