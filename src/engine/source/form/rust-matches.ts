import type { SyntaxNode } from '../parse/syntax-tree.ts';
import type { Expression, Statement } from './form.ts';
import { doing, nothing, type Reader, spanOf } from './reader.ts';
import { leaving } from './shapes.ts';

type Tail = (node: SyntaxNode | undefined, reader: Reader) => Statement[];

const literals = new Set([
  'string_literal',
  'integer_literal',
  'boolean_literal',
  'raw_string_literal',
  'char_literal',
]);

const alternatives = new Set(['or_pattern', 'match_pattern']);

/** `Some("png")`: the constant in it is what is compared. */
const wrapping = /^(?:Some|Ok)$/;

const isWrapper = (pattern: SyntaxNode): boolean =>
  pattern.type === 'tuple_struct_pattern' &&
  pattern.children.length === 2 &&
  wrapping.test(pattern.children[0]?.text ?? '');

/** Patterns of an arm one by one, without the guard behind them. */
function patternsIn(pattern: SyntaxNode): SyntaxNode[] {
  if (!alternatives.has(pattern.type))
    return isWrapper(pattern) ? patternsIn(pattern.children[1] ?? pattern) : [pattern];
  const guard = pattern.find('condition');
  return pattern.children.filter((each) => each.start !== guard?.start).flatMap(patternsIn);
}

function constantsIn(pattern: SyntaxNode): SyntaxNode[] {
  const all = patternsIn(pattern);
  return all.every(({ type }) => literals.has(type)) ? all : [];
}

/** `match known { true => …, false => … }` */
function choiceOf(
  node: SyntaxNode,
  arms: readonly SyntaxNode[],
  reader: Reader,
  tail: Tail,
): Statement | undefined {
  const [first, second, ...more] = arms;
  const [yes, no] = [first, second].map((arm) => arm?.find('pattern')?.text);
  const isBoolean = /^(?:true|false)$/.test(yes ?? '') && /^(?:true|false|_)$/.test(no ?? '');
  if (!isBoolean || more.length > 0) return undefined;
  const [then, otherwise] = yes === 'true' ? [first, second] : [second, first];
  return {
    is: 'if',
    test: reader.expression(node.find('value')),
    yes: tail(then?.find('value'), reader),
    no: tail(otherwise?.find('value'), reader),
    at: node.start,
    end: node.end,
  };
}

/** What an arm does; behind a guard only where that holds. */
function armOf(
  arm: SyntaxNode,
  subject: Expression,
  reader: Reader,
  tail: Tail,
  otherwise: SyntaxNode | undefined,
): { values: Expression[]; body: Statement[] } {
  const pattern = arm.find('pattern');
  const values = pattern === undefined ? [] : constantsIn(pattern).map((each) => reader.expression(each));
  const bound = pattern?.type === 'match_pattern' ? pattern.children[0] : pattern;
  const binds: Statement[] =
    values.length > 0 || bound === undefined
      ? []
      : [
          doing({
            is: 'assign',
            target: reader.target(bound),
            value: subject,
            at: bound.start,
            end: bound.end,
          }),
        ];
  const guard = pattern?.find('condition');
  const body = tail(arm.find('value'), reader);
  const guarded: Statement[] =
    guard === undefined
      ? body
      : [
          {
            is: 'if',
            test: reader.expression(guard),
            yes: body,
            no: otherwise === undefined ? [] : tail(otherwise, reader),
            at: guard.start,
            end: arm.end,
          },
        ];
  return { values, body: [...binds, ...guarded] };
}

/** What is done where the guard of an arm does not hold: that of the arm behind it, if it takes all the rest. */
const behind = (arm: SyntaxNode | undefined): SyntaxNode | undefined =>
  arm?.find('pattern')?.text === '_' ? arm.find('value') : undefined;

/** `match x { … }`; `tail` reads what an arm does, or gives. */
export function matchOf(node: SyntaxNode, reader: Reader, tail: Tail, gives: boolean): Statement {
  const arms = (node.find('body')?.children ?? []).filter(({ type }) => type === 'match_arm');
  const choice = choiceOf(node, arms, reader, tail);
  if (choice !== undefined) return choice;
  const subject = reader.expression(node.find('value'));
  const cases = arms.map((arm, at) => {
    const { values, body } = armOf(arm, subject, reader, tail, behind(arms[at + 1]));
    return { values, body: gives ? body : [...body, leaving(arm)] };
  });
  return { is: 'switch', subject, cases, at: node.start, end: node.end };
}

const operation = (operator: string, left: Expression, right: Expression): Expression => ({
  is: 'binary',
  operator,
  left,
  right,
  at: left.at,
  end: right.end,
});

/** `let Some(x) = y && …`: what is bound, before what is asked. */
export function chainOf(node: SyntaxNode, reader: Reader): { lets: Statement[]; test: Expression } {
  const isLet = ({ type }: SyntaxNode): boolean => type === 'let_condition';
  const asked = node.children.filter((each) => !isLet(each)).map((each) => reader.expression(each));
  const [first, ...others] = asked;
  return {
    lets: node.children.filter(isLet).map((each) => doing(reader.expression(each))),
    test: first === undefined ? nothing : others.reduce((all, each) => operation('&&', all, each), first),
  };
}

/** `'a'..='z'`, as the characters that it stands for. */
export function rangeOf(
  from: string,
  to: string,
  node: { start: number; end: number },
): Expression | undefined {
  const isLetter = (text: string): boolean => /^b?'\w'$/.test(text);
  if (!isLetter(from) || !isLetter(to)) return undefined;
  return { is: 'pattern', source: `[${from.at(-2)}-${to.at(-2)}]`, at: node.start, end: node.end };
}

/** One pattern of `matches!`, as a question about what stands before; undefined where it is more than a constant. */
function questionOf(
  asked: Expression,
  tokens: readonly SyntaxNode[],
  reader: Reader,
): Expression | undefined {
  const [first, second, third] = tokens;
  if (first === undefined) return undefined;
  const span = { start: first.start, end: tokens.at(-1)?.end ?? first.end };
  if (tokens.length === 1 && literals.has(first.type))
    return operation('==', asked, reader.expression(first));
  const range =
    second === undefined || third !== undefined ? undefined : rangeOf(first.text, second.text, span);
  if (range === undefined) return undefined;
  const callee: Expression = {
    is: 'member',
    object: range,
    property: 'contains',
    at: span.start,
    end: span.end,
  };
  return { is: 'call', callee, args: [{ value: asked }], isNew: false, at: span.start, end: span.end };
}

const gapBefore = (tokens: readonly SyntaxNode[], at: number): string => {
  const [before, node] = [tokens[at - 1], tokens[at]];
  return before === undefined || node === undefined ? '' : before.source.slice(before.end, node.start);
};

/** Tokens in groups, where `ends` says what stands between two of them. */
function grouped(tokens: readonly SyntaxNode[], ends: RegExp): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [];
  tokens.forEach((node, at) => {
    if (at === 0 || ends.test(gapBefore(tokens, at))) groups.push([]);
    groups.at(-1)?.push(node);
  });
  return groups;
}

/** `matches!(x, "a" | 'b'..='z')` as what it asks; undefined where a pattern is more than constants. */
export function matchesOf(
  tokens: SyntaxNode,
  asked: Expression | undefined,
  reader: Reader,
): Expression | undefined {
  const [first = [], ...rest] = grouped(tokens.children, /,/);
  const patterns = rest.flat();
  if (asked === undefined || first.length === 0 || patterns.length === 0) return undefined;
  const isGuarded = patterns.some((node, at) => node.text === 'if' || /\bif\b/.test(gapBefore(patterns, at)));
  if (isGuarded) return undefined;
  const questions = grouped(patterns, /\|/).map((each) => questionOf(asked, each, reader));
  const [one, ...others] = questions;
  if (one === undefined || others.some((each) => each === undefined)) return undefined;
  const all = others.reduce<Expression>(
    (known, each) => (each === undefined ? known : operation('||', known, each)),
    one,
  );
  return { ...all, ...spanOf(tokens) };
}
