import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression } from './form.ts';
import { nothing, type Reader, spanOf } from './reader.ts';

/** What stands between two parts of a macro's text, without white space. */
const between = (a: SyntaxNode, b: SyntaxNode): string =>
  a.source.slice(a.end, b.start).replaceAll(/\s/g, '');

/** What is known of an argument, with one more part of it. */
function continued(current: Expression, gap: string, node: SyntaxNode, reader: Reader): Expression {
  if (node.type === 'token_tree') return called(current, node, reader);
  if (/^\??\.$/.test(gap) || gap === '::')
    return { is: 'member', object: current, property: node.text, at: current.at, end: node.end };
  return { is: 'several', items: [current, partOf(node, reader)], at: current.at, end: node.end };
}

/**
 * The arguments of a macro. Its text is not parsed by the grammar, only split into words: paths, calls and what stands
 * between commas are put together again here.
 */
export function macroArguments(tokens: SyntaxNode | undefined, reader: Reader): Expression[] {
  const args: Expression[] = [];
  let last: SyntaxNode | undefined;
  for (const node of tokens?.children ?? []) {
    const gap = last === undefined ? ',' : between(last, node);
    const current = /[,;=]/.test(gap) ? undefined : args.pop();
    args.push(current === undefined ? partOf(node, reader) : continued(current, gap, node, reader));
    last = node;
  }
  return args;
}

function partOf(node: SyntaxNode, reader: Reader): Expression {
  if (node.type !== 'token_tree') return reader.expression(node);
  return { is: 'several', items: macroArguments(node, reader), at: node.start, end: node.end };
}

function called(callee: Expression, node: SyntaxNode, reader: Reader): Expression {
  const args = macroArguments(node, reader);
  const span = { at: callee.at, end: node.end };
  if (node.text.startsWith('[')) return { is: 'index', object: callee, key: args[0] ?? nothing, ...span };
  return { is: 'call', callee, args: args.map((value) => ({ value })), isNew: false, ...span };
}

const hole = /\{\{|\}\}|\{([^{}:]*)(?::[^{}]*)?\}/g;

/** `format!("a {} {name}", b)` as the text that it makes. */
function formatted(args: readonly Expression[], span: { at: number; end: number }): Expression {
  const [first, ...rest] = args;
  if (first?.is !== 'literal' || typeof first.value !== 'string')
    return { is: 'several', items: [...args], ...span };
  const place = { at: first.at, end: first.end };
  const format = first.value;
  const parts: Expression[] = [];
  let [at, next] = [0, 0];
  const filling = (name: string): Expression => {
    if (name === '') return rest[next++] ?? nothing;
    return /^\d+$/.test(name) ? (rest[Number(name)] ?? nothing) : { is: 'name', name, ...place };
  };
  for (const match of format.matchAll(hole)) {
    if (match[0] === '{{' || match[0] === '}}') continue;
    parts.push(
      { is: 'literal', value: format.slice(at, match.index), ...place },
      filling(match[1]?.trim() ?? ''),
    );
    at = match.index + match[0].length;
  }
  parts.push({ is: 'literal', value: format.slice(at), ...place });
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
