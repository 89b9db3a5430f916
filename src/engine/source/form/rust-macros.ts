import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Entry, Expression } from './form.ts';
import { matchesOf } from './rust-matches.ts';
import { nothing, type Reader, spanOf } from './reader.ts';

/** What stands between two parts of a macro's text, without white space. */
const between = (a: SyntaxNode, b: SyntaxNode): string =>
  a.source.slice(a.end, b.start).replaceAll(/\s/g, '');

/** What is known of an argument, with one more part of it. */
function continued(current: Expression, gap: string, node: SyntaxNode, reader: Reader): Expression {
  if (node.type === 'token_tree' && gap.startsWith('!') && (current.is === 'name' || current.is === 'member'))
    return invoked(current, node, { at: current.at, end: node.end }, reader);
  if (node.type === 'token_tree') return called(current, node, reader);
  if (/^\??\.$/.test(gap) || gap === '::')
    return { is: 'member', object: current, property: node.text, at: current.at, end: node.end };
  return { is: 'several', items: [current, partOf(node, reader)], at: current.at, end: node.end };
}

/**
 * The arguments of a macro. Its text is not parsed by the grammar, only split into words: paths, calls and what stands
 * between commas are put together again here.
 */
export const macroArguments = (tokens: SyntaxNode | undefined, reader: Reader): Expression[] =>
  argumentsOf(tokens?.children ?? [], reader);

function argumentsOf(tokens: readonly SyntaxNode[], reader: Reader): Expression[] {
  const args: Expression[] = [];
  let last: SyntaxNode | undefined;
  for (const node of tokens) {
    const gap = last === undefined ? ',' : between(last, node);
    const current = /[,;=]/.test(gap) ? undefined : args.pop();
    args.push(current === undefined ? partOf(node, reader) : continued(current, gap, node, reader));
    last = node;
  }
  return args;
}

/** Macros that make an object of what is written as one: `json!({"a": x})`, `doc! {"a": x}`. */
const ofObjects = /^(?:json|doc|bson|rawdoc)$/;

/** The parts of `{"key": value, …}`, each with the key before its colon. */
function entriesOf(tokens: SyntaxNode, reader: Reader): Entry[] {
  const groups: SyntaxNode[][] = [];
  let last: SyntaxNode | undefined;
  for (const node of tokens.children) {
    if (last === undefined || between(last, node).includes(',')) groups.push([]);
    groups.at(-1)?.push(node);
    last = node;
  }
  return groups.flatMap(([key, ...rest]): Entry[] => {
    const [first] = rest;
    if (key === undefined) return [];
    if (first === undefined || !between(key, first).startsWith(':'))
      return [{ value: valueOf([key, ...rest], reader) }];
    const read = reader.expression(key);
    const name = read.is === 'literal' ? String(read.value) : read;
    return [{ key: name, value: valueOf(rest, reader) }];
  });
}

/** What several tokens say together, where objects and lists stand for themselves. */
function valueOf(tokens: readonly SyntaxNode[], reader: Reader): Expression {
  const [first] = tokens;
  if (first === undefined) return nothing;
  if (tokens.length === 1 && first.type === 'token_tree') return objectOf(first, reader);
  const [joined] = argumentsOf(tokens, reader);
  return joined ?? nothing;
}

/** `{…}` as an object, `[…]` as a list, and what stands in brackets alone. */
function objectOf(tokens: SyntaxNode, reader: Reader): Expression {
  const span = spanOf(tokens);
  const opening = tokens.text[0];
  if (opening === '{') return { is: 'object', entries: entriesOf(tokens, reader), ...span };
  const [only] = tokens.children;
  if (opening === '(' && tokens.children.length === 1 && only?.type === 'token_tree')
    return objectOf(only, reader);
  if (opening === '(') return valueOf(tokens.children, reader);
  const items = entriesOf(tokens, reader).map(({ value }) => value);
  return { is: 'list', items, ...span };
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

interface Parts {
  tokens: SyntaxNode;
  args: Expression[];
  span: { at: number; end: number };
}

/** `write!(sql, "… {name}")` puts text behind what is there. */
function written({ args: [into, ...shown], span }: Parts): Expression | undefined {
  if (into === undefined || shown.length === 0) return undefined;
  const callee: Expression = {
    is: 'member',
    object: into,
    property: 'write_str',
    at: span.at,
    end: into.end,
  };
  return { is: 'call', callee, args: [{ value: formatted(shown, span) }], isNew: false, ...span };
}

/** `cmd!(sh, "git log {branch}")` of xshell: a command whose words are told apart before anything is put in. */
function commandOf({ args: [shell, line, ...more], span }: Parts): Expression | undefined {
  if (shell?.is !== 'name' || line?.is !== 'literal' || typeof line.value !== 'string' || more.length > 0)
    return undefined;
  const place = { at: line.at, end: line.end };
  const words = line.value
    .trim()
    .split(/\s+/)
    .map((word): Expression => {
      const whole = /^\{(\w+)(?:\.\.\.)?\}$/.exec(word)?.[1];
      const text: Expression = { is: 'literal', value: word, ...place };
      return whole === undefined ? formatted([text], place) : { is: 'name', name: whole, ...place };
    });
  const [program = nothing, ...rest] = words;
  const maker: Expression = { is: 'name', name: 'Command', ...place };
  const called = (object: Expression, property: string, value: Expression): Expression => ({
    is: 'call',
    callee: { is: 'member', object, property, ...span },
    args: [{ value }],
    isNew: false,
    ...span,
  });
  return rest.reduce((command, word) => called(command, 'arg', word), called(maker, 'new', program));
}

/** What macros of the language make; undefined for all others. */
function madeOf(name: string, parts: Parts, reader: Reader): Expression | undefined {
  const { tokens, args, span } = parts;
  switch (name) {
    case 'matches':
      return matchesOf(tokens, args[0], reader);
    case 'vec':
      return { is: 'list', items: args, ...span };
    case 'format':
    case 'format_args':
      return formatted(args, span);
    case 'cmd':
      return commandOf(parts);
    case 'write':
    case 'writeln':
      return written(parts);
    default:
      return undefined;
  }
}

/** What a macro makes of the tokens that it is given, also within those of another one; else a call of it. */
function invoked(
  callee: Expression,
  tokens: SyntaxNode,
  span: { at: number; end: number },
  reader: Reader,
): Expression {
  const name = callee.is === 'name' ? callee.name : callee.is === 'member' ? callee.property : '';
  if (ofObjects.test(name)) return { ...objectOf(tokens, reader), ...span };
  const args = macroArguments(tokens, reader);
  const known = madeOf(name, { tokens, args, span }, reader);
  if (known !== undefined) return known;
  const values = texts.test(name) && args.length > 0 ? [formatted(args, span)] : args;
  return { is: 'call', callee, args: values.map((value) => ({ value })), isNew: false, ...span };
}

/** A macro's invocation as a call or as what it makes. */
export function macroOf(node: SyntaxNode, reader: Reader): Expression {
  const span = spanOf(node);
  const callee = reader.expression(node.find('macro'));
  const tokens = node.ofType('token_tree');
  return tokens === undefined
    ? { is: 'call', callee, args: [], isNew: false, ...span }
    : invoked(callee, tokens, span, reader);
}
