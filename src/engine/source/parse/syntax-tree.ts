import type { Language, Tree, TreeCursor } from 'web-tree-sitter';

/** Longer texts seldom come again, and are no copies: they would hold the whole source. */
const longestName = 12;
const mostNames = 50_000;
const names = new Map<string, string>();

/** One string for all places that say the same: names come again and again, and are looked up by their text. */
function shared(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= mostNames) names.clear();
  names.set(text, text);
  return text;
}

/** Most nodes have no parts: they share one list. */
const none: readonly SyntaxNode[] = [];

/** A named node, or an anonymous one in a field, such as an operator; offsets count UTF-16 units. */
export class SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly field: string | undefined;
  children: readonly SyntaxNode[] = none;
  readonly source: string;

  constructor(cursor: TreeCursor, type: string, field: string | undefined, source: string) {
    this.type = type;
    this.start = cursor.startIndex;
    this.end = cursor.endIndex;
    this.field = field;
    this.source = source;
  }

  get text(): string {
    const { source, start, end } = this;
    const text = source.slice(start, end);
    return end - start > longestName ? text : shared(text);
  }

  find(field: string): SyntaxNode | undefined {
    return this.children.find((child) => child.field === field);
  }

  all(field: string): SyntaxNode[] {
    return this.children.filter((child) => child.field === field);
  }

  ofType(...types: string[]): SyntaxNode | undefined {
    return this.children.find((child) => types.includes(child.type));
  }
}

export interface SyntaxTree {
  root: SyntaxNode;
  /** UTF-16 units that lie deeper than the limit and were left out. */
  cutUnits: number;
  /** Whether there are places where the grammar could not follow. */
  hasErrors: boolean;
}

const [named, anonymous, comment] = [0, 1, 2];
const kindsByLanguage = new WeakMap<Language, readonly number[]>();

/** What each type of a grammar's nodes is, by its number. */
function kindsOf(language: Language): readonly number[] {
  let kinds = kindsByLanguage.get(language);
  if (kinds === undefined) {
    kinds = language.types.map((type, id) => {
      if (type.endsWith('comment')) return comment;
      return language.nodeTypeIsNamed(id) ? named : anonymous;
    });
    kindsByLanguage.set(language, kinds);
  }
  return kinds;
}

/**
 * Copies the parser's tree into plain objects in one walk, so that its memory can be given back at once and no later
 * step crosses into WebAssembly.
 *
 * @param depthLimit what is nested deeper is left out and counted: later steps recurse
 */
export function copyTree(tree: Tree, source: string, depthLimit: number): SyntaxTree {
  const cursor = tree.walk();
  const { language } = tree;
  let cutUnits = 0;
  const { types, fields } = language;
  const kinds = kindsOf(language);
  const fieldNamed = (id: number) => (id === 0 ? undefined : (fields[id] ?? undefined));
  const fill = (parent: SyntaxNode, depth: number): void => {
    if (!cursor.gotoFirstChild()) return;
    const children: SyntaxNode[] = [];
    do {
      // Each question to the cursor crosses into WebAssembly: as few as possible are asked.
      const type = cursor.nodeTypeId;
      const kind = kinds[type] ?? 0;
      if (kind === comment) continue;
      const field = cursor.currentFieldId;
      if (kind === anonymous && field === 0) continue;
      const node = new SyntaxNode(cursor, types[type] ?? 'ERROR', fieldNamed(field), source);
      children.push(node);
      if (kind === anonymous) continue;
      if (depth < depthLimit) fill(node, depth + 1);
      else cutUnits += node.end - node.start;
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    if (children.length > 0) parent.children = children;
  };
  const root = new SyntaxNode(cursor, cursor.nodeType, undefined, source);
  fill(root, 1);
  cursor.delete();
  return { root, cutUnits, hasErrors: tree.rootNode.hasError };
}
