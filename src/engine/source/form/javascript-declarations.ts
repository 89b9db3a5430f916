/** Functions and classes of JavaScript and TypeScript. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { ClassForm, Expression, FunctionForm, Parameter, Statement } from './form.ts';
import { isGetter, propertyMark } from './getters.ts';
import { markName } from './marks.ts';
import { withPrototypes } from './prototypes.ts';
import type { Reader } from './reader.ts';

const typeOf = (node: SyntaxNode): string | undefined => node.find('type')?.text.replace(/^:\s*/, '');

const marksOf = (nodes: readonly SyntaxNode[], reader: Reader): Expression[] =>
  nodes.filter(({ type }) => type === 'decorator').map((each) => reader.expression(each.children[0]));

/** `@Query('state') state: string` */
function markNames(node: SyntaxNode, reader: Reader): Pick<Parameter, 'marks'> {
  const marks = marksOf(node.children, reader).map(markName);
  return marks.length === 0 ? {} : { marks };
}

function parameterOf(node: SyntaxNode, reader: Reader): Parameter {
  const pattern = node.find('pattern') ?? node;
  const preset =
    node.find('value') ?? (pattern.type === 'assignment_pattern' ? pattern.find('right') : undefined);
  const type = typeOf(node);
  return {
    target: reader.target(pattern),
    ...(type === undefined ? {} : { type }),
    ...(preset === undefined ? {} : { preset: reader.expression(preset) }),
    ...(pattern.type === 'rest_pattern' ? { isRest: true } : {}),
    ...(node.ofType('accessibility_modifier') || /^readonly\b/.test(node.text) ? { isField: true } : {}),
    ...markNames(node, reader),
  };
}

export function functionOf(node: SyntaxNode, reader: Reader): FunctionForm {
  const list = node.find('parameters')?.children ?? [];
  const single = node.find('parameter');
  const body = node.find('body');
  const statements: Statement[] =
    body === undefined || body.type === 'statement_block'
      ? withPrototypes(reader.statements(body))
      : [{ is: 'return', value: reader.expression(body), at: body.start, end: body.end }];
  const result = node.find('return_type')?.text;
  return {
    name: node.find('name')?.text ?? '',
    parameters: (single === undefined ? list : [single]).map((each) => parameterOf(each, reader)),
    body: statements,
    marks: [
      ...node.all('decorator').map((each) => reader.expression(each.children[0])),
      ...(isGetter(node) ? [propertyMark(node)] : []),
    ],
    isExported: false,
    ...(/^(?:(?:public|private|protected)\s+)?static\b/.test(node.text.slice(0, 40))
      ? { isStatic: true }
      : {}),
    ...(result === undefined ? {} : { result }),
    at: node.start,
    end: node.end,
  };
}

function fieldOf(node: SyntaxNode, reader: Reader): ClassForm['fields'][number] {
  const [type, value] = [typeOf(node), node.find('value')];
  return {
    name: node.find('name')?.text ?? node.find('property')?.text ?? '',
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { value: reader.expression(value) }),
  };
}

/** Methods with their decorators, which stand before them in the body of the class. */
function methodsOf(members: readonly SyntaxNode[], owner: string, reader: Reader): FunctionForm[] {
  const methods: FunctionForm[] = [];
  let marks: SyntaxNode[] = [];
  for (const each of members) {
    if (each.type === 'decorator') {
      marks.push(each);
      continue;
    }
    if (each.type === 'method_definition') {
      const fn = reader.fn(each);
      methods.push({ ...fn, marks: [...marksOf(marks, reader), ...fn.marks], owner, receiver: 'this' });
    }
    marks = [];
  }
  return methods;
}

export function classOf(node: SyntaxNode, reader: Reader): ClassForm {
  const name = node.find('name')?.text ?? '';
  const members = node.find('body')?.children ?? [];
  const heritage = node.ofType('class_heritage');
  const extended = (heritage?.ofType('extends_clause') ?? heritage)?.children ?? [];
  const implemented = heritage?.ofType('implements_clause')?.children ?? [];
  const bases = [...extended.filter(({ type }) => !type.endsWith('_clause')), ...implemented];
  return {
    name,
    bases: bases.map((each) => each.text),
    fields: members
      .filter((each) => each.type.endsWith('field_definition'))
      .map((each) => fieldOf(each, reader)),
    methods: methodsOf(members, name, reader),
    marks: node.all('decorator').map((each) => reader.expression(each.children[0])),
    isExported: false,
    at: node.start,
    end: node.end,
  };
}

/** `var Store = class { … }`, as bundlers write every class; within it, it may have a name of its own. */
export function namedClass(name: string, node: SyntaxNode, reader: Reader): Statement[] {
  const form = reader.form(node);
  const names = new Set([name, ...(form.name === '' ? [] : [form.name])]);
  return [...names].map((each) => ({
    is: 'class',
    form: {
      ...form,
      name: each,
      methods: form.methods.map((method) => ({ ...method, owner: each })),
    },
    at: node.start,
    end: node.end,
  }));
}
