/** Structs and enums of Rust, with what their parts are. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import { isClosedType } from './closed-types.ts';
import type { ClassForm } from './form.ts';
import { partOfVariant } from './marks.ts';

type Field = ClassForm['fields'][number];

const alias = /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?type\s+(\w+)\s*=\s*([^;=]{1,200});/gm;
/** Of the file that is read at the moment. */
const latest = { source: '', aliases: new Map<string, string>() };

/** A type as it is written, or where it is another name of one, `type Shared = State<Arc<App>>`, that one. */
export function typeOf(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/^\w+$/.test(node.text)) return node?.text;
  if (latest.source !== node.source) {
    latest.source = node.source;
    latest.aliases = new Map(
      [...node.source.matchAll(alias)].map(([, name = '', type = '']) => [name, type.trim()]),
    );
  }
  return latest.aliases.get(node.text) ?? node.text;
}

const variantsOf = (node: SyntaxNode): SyntaxNode[] =>
  (node.find('body')?.children ?? []).filter(({ type }) => type === 'enum_variant');

/** `enum Sort { Date, Amount }`: one of these words, and nothing of what was sent. */
function isPlainEnum(node: SyntaxNode): boolean {
  const variants = variantsOf(node);
  return (
    node.type === 'enum_item' &&
    variants.length > 0 &&
    variants.every((each) => each.find('body') === undefined)
  );
}

const named = (nodes: readonly SyntaxNode[]): Field[] =>
  nodes
    .filter(({ type }) => type === 'field_declaration')
    .map((each) => ({ name: each.find('name')?.text ?? '', type: typeOf(each.find('type')) ?? '' }));

/** `Read(ReadArgs)`, `Move(String, u32)`: each part has a name of its own. */
function partsOf(variant: SyntaxNode): Field[] {
  const body = variant.find('body');
  if (body?.type !== 'ordered_field_declaration_list') return named(body?.children ?? []);
  const variantName = variant.find('name')?.text ?? '';
  return body.all('type').map(({ text }, at) => ({ name: partOfVariant(variantName, at), type: text }));
}

/** Parts of all variants of an enum; of those with one name, what could hold a text. */
function variantFields(node: SyntaxNode): Field[] {
  const fields = new Map<string, Field>();
  for (const field of variantsOf(node).flatMap(partsOf)) {
    const known = fields.get(field.name);
    if (known === undefined || isClosedType(known.type ?? '')) fields.set(field.name, field);
  }
  return [...fields.values()];
}

export function structOf(node: SyntaxNode): ClassForm {
  // `struct Web(Client)`
  const unnamed = node.ofType('ordered_field_declaration_list')?.all('type') ?? [];
  return {
    name: node.find('name')?.text ?? '',
    bases: isPlainEnum(node) ? ['Enum'] : [],
    fields: [
      ...named(node.find('body')?.children ?? []),
      ...unnamed.map(({ text }, at) => ({ name: String(at), type: text })),
      ...variantFields(node),
    ],
    methods: [],
    marks: [],
    isExported: node.ofType('visibility_modifier') !== undefined,
    at: node.start,
    end: node.end,
  };
}
