import type { Language, Tree, TreeCursor } from 'web-tree-sitter';

/** A named node, or an anonymous one in a field, such as an operator; offsets count UTF-16 units. */
export class SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly field: string | undefined;
  readonly children: SyntaxNode[] = [];
  readonly source: string;

  constructor(cursor: TreeCursor, language: Language, source: string) {
    this.type = cursor.nodeType;
    this.start = cursor.startIndex;
    this.end = cursor.endIndex;
    const field = cursor.currentFieldId;
    this.field = field === 0 ? undefined : (language.fields[field] ?? undefined);
    this.source = source;
  }

  get text(): string {
    return this.source.slice(this.start, this.end);
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

const isComment = (type: string) => type.endsWith('comment');

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
  const fill = (parent: SyntaxNode, depth: number): void => {
    if (!cursor.gotoFirstChild()) return;
    do {
      if (!cursor.nodeIsNamed && cursor.currentFieldId === 0) continue;
      const node = new SyntaxNode(cursor, language, source);
      if (isComment(node.type)) continue;
      parent.children.push(node);
      if (depth < depthLimit) fill(node, depth + 1);
      else cutUnits += node.end - node.start;
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  const root = new SyntaxNode(cursor, language, source);
  fill(root, 1);
  cursor.delete();
  return { root, cutUnits, hasErrors: tree.rootNode.hasError };
}
