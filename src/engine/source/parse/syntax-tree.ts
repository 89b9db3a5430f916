import { sharedText } from './shared-text.ts';

/** Most nodes have no parts: they share one list. */
const none: readonly SyntaxNode[] = [];

/** Numbers of each node: start, end, the place behind all that is in it, and type and field together. */
export const width = 4;
export const fieldShift = 16;
export const typeMask = 0xff_ff;

/** A whole tree as numbers, a node behind the one that it is in: a few bytes each, where objects take a hundred. */
interface CopiedNodes {
  numbers: Uint32Array;
  types: readonly string[];
  fields: readonly (string | null)[];
  source: string;
}

/**
 * A named node, or an anonymous one in a field, such as an operator; offsets count UTF-16 units. It is made when it is
 * asked for.
 */
export class SyntaxNode {
  readonly #tree: CopiedNodes;
  /** Where its numbers begin. */
  readonly #at: number;
  #children: readonly SyntaxNode[] | undefined;
  readonly start: number;
  readonly end: number;

  constructor(tree: CopiedNodes, at: number) {
    this.#tree = tree;
    this.#at = at;
    this.start = tree.numbers[at] ?? 0;
    this.end = tree.numbers[at + 1] ?? 0;
  }

  get type(): string {
    return this.#tree.types[(this.#tree.numbers[this.#at + 3] ?? 0) & typeMask] ?? 'ERROR';
  }

  get children(): readonly SyntaxNode[] {
    return (this.#children ??= this.#made());
  }

  get source(): string {
    return this.#tree.source;
  }

  get text(): string {
    return sharedText(this.#tree.source, this.start, this.end);
  }

  /** The name that it has within the node around it. */
  get field(): string | undefined {
    return this.#tree.fields[(this.#tree.numbers[this.#at + 3] ?? 0) >>> fieldShift] ?? undefined;
  }

  /** Made anew where the parts were not all asked for. */
  find(field: string): SyntaxNode | undefined {
    if (this.#children !== undefined) return this.#children.find((child) => child.field === field);
    const { numbers, fields } = this.#tree;
    const behind = numbers[this.#at + 2] ?? 0;
    for (let at = this.#at + width; at < behind; at = numbers[at + 2] ?? behind)
      if (fields[(numbers[at + 3] ?? 0) >>> fieldShift] === field) return new SyntaxNode(this.#tree, at);
    return undefined;
  }

  all(field: string): SyntaxNode[] {
    return this.children.filter((child) => child.field === field);
  }

  ofType(...types: string[]): SyntaxNode | undefined {
    return this.children.find((child) => types.includes(child.type));
  }

  #made(): readonly SyntaxNode[] {
    const { numbers } = this.#tree;
    const behind = numbers[this.#at + 2] ?? 0;
    const children: SyntaxNode[] = [];
    for (let at = this.#at + width; at < behind; at = numbers[at + 2] ?? behind)
      children.push(new SyntaxNode(this.#tree, at));
    return children.length === 0 ? none : children;
  }
}

export interface SyntaxTree {
  root: SyntaxNode;
  /** UTF-16 units that lie deeper than the limit and were left out. */
  cutUnits: number;
  /** Whether there are places where the grammar could not follow. */
  hasErrors: boolean;
}

/** UTF-16 units that the grammar could make nothing of. */
export function unreadUnits({ root, hasErrors }: SyntaxTree): number {
  if (!hasErrors) return 0;
  const open = [root];
  let units = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop())
    if (node.type === 'ERROR') units += node.end - node.start;
    else open.push(...node.children);
  return units;
}
