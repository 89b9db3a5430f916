/** Methods of JavaScript that are read as fields are: `get root() { … }`. */
import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression } from './form.ts';

export const isGetter = (node: SyntaxNode): boolean =>
  node.type === 'method_definition' &&
  /^(?:(?:public|private|protected|static|override)\s+)*get\s+[^\s(=]/.test(node.text.slice(0, 80));

/** The mark that such methods have in other languages. */
export const propertyMark = ({ start, end }: SyntaxNode): Expression => ({
  is: 'name',
  name: 'property',
  at: start,
  end,
});
