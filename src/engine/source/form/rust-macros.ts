import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression } from './form.ts';
import { contentOf, nothing, type Reader, spanOf } from './reader.ts';

/** What stands between two parts of a macro's text, without white space. */
const between = (a: SyntaxNode, b: SyntaxNode): string =>
  a.source.slice(a.end, b.start).replaceAll(/\s/g, '');

/**
 * The arguments of a macro. Its text is not parsed by the grammar, only split into words: paths, calls and what stands
 * between commas are put together again here.
 */
export function macroArguments(tokens: SyntaxNode | undefined, reader: Reader): Expression[] {
  const args: Expression[] = [];
  let current: Expression | undefined;
  let last: SyntaxNode | undefined;
  for (const node of tokens?.children ?? []) {
    const gap = last === undefined ? '' : between(last, node);
    if (last === undefined || gap.includes(',') || gap.includes(';') || gap.includes('=')) {
      if (current !== undefined) args.push(current);
      current = partOf(node, reader);
    } else if (node.type === 'token_tree') current = called(current ?? nothing, node, reader);
    else if (/^\??\.$/.test(gap) || gap === '::')
      current = {
        is: 'member',
        object: current ?? nothing,
        property: node.text,
        at: current?.at ?? node.start,
        end: node.end,
      };
    else {
      const items: Expression[] = [...(current === undefined ? [] : [current]), partOf(node, reader)];
      current = { is: 'several', items, at: items[0]?.at ?? node.start, end: node.end };
    }
    last = node;
  }
  if (current !== undefined) args.push(current);
  return args;
}

function partOf(node: SyntaxNode, reader: Reader): Expression {
  if (node.type !== 'token_tree') return reader.expression(node);
  return { is: 'several', items: macroArguments(node, reader), ...spanOf(node) };
}

function called(callee: Expression, node: SyntaxNode, reader: Reader): Expression {
  const args = macroArguments(node, reader);
  const span = { at: callee.at, end: node.end };
  if (node.text.startsWith('[')) return { is: 'index', object: callee, key: args[0] ?? nothing, ...span };
  return { is: 'call', callee, args: args.map((value) => ({ value })), isNew: false, ...span };
}

const hole = /\{\{|\}\}|\{([^{}:]*)(?::[^{}]*)?\}/g;

/** `format!("a {} {name}", b)` as the text that it makes. */
export function formatted(args: readonly Expression[], span: { at: number; end: number }): Expression {
  const [first, ...rest] = args;
  if (first?.is !== 'literal' || typeof first.value !== 'string')
    return { is: 'several', items: [...args], ...span };
  const parts: Expression[] = [];
  const literal = (value: string): Expression => ({ is: 'literal', value, at: first.at, end: first.end });
  let at = 0;
  let next = 0;
  for (const match of first.value.matchAll(hole)) {
    if (match[0] === '{{' || match[0] === '}}') continue;
    parts.push(literal(first.value.slice(at, match.index)));
    const name = match[1]?.trim() ?? '';
    if (name === '') parts.push(rest[next++] ?? nothing);
    else if (/^\d+$/.test(name)) parts.push(rest[Number(name)] ?? nothing);
    else parts.push({ is: 'name', name, at: first.at, end: first.end });
    at = match.index + match[0].length;
  }
  parts.push(literal(first.value.slice(at)));
  return { is: 'text', parts, ...span };
}

const texts =
  /^(?:format|println|eprintln|print|eprint|write|writeln|panic|bail|anyhow|info|debug|warn|error|trace)$/;

/** A macro's invocation as a call or as what it makes. */
export function macroOf(node: SyntaxNode, reader: Reader): Expression {
  const macro = node.find('macro');
  const name = macro?.text.split('::').at(-1) ?? '';
  const span = spanOf(node);
  const args = macroArguments(node.ofType('token_tree'), reader);
  if (name === 'vec') return { is: 'list', items: args, ...span };
  if (name === 'format' || name === 'format_args') return formatted(args, span);
  const values = texts.test(name) && args.length > 0 ? [formatted(args, span)] : args;
  const callee = reader.expression(macro);
  return { is: 'call', callee, args: values.map((value) => ({ value })), isNew: false, ...span };
}

export const stringOf = (node: SyntaxNode): Expression => ({
  is: 'literal',
  value: contentOf(node),
  ...spanOf(node),
});
