import type { Expression } from '../form/form.ts';

type Name = Extract<Expression, { is: 'name' }>;

/** The names that an expression is put together of, in their order; not what stands in functions. */
const parts: { [K in Expression['is']]?: (expression: Extract<Expression, { is: K }>) => Expression[] } = {
  member: ({ object }) => [object],
  index: ({ object, key }) => [object, key],
  call: ({ callee, args }) => [
    ...(callee.is === 'member' ? [callee.object] : []),
    ...args.map(({ value }) => value),
  ],
  text: ({ parts: pieces }) => pieces,
  list: ({ items }) => items,
  several: ({ items }) => items,
  object: ({ entries }) => entries.map(({ value }) => value),
  spread: ({ operand }) => [operand],
  binary: ({ left, right }) => [left, right],
  choice: ({ yes, no }) => [yes, no],
};

const mostNames = 12;

function namesIn(expression: Expression, found: Name[], depth = 0): Name[] {
  if (expression.is === 'name') found.push(expression);
  if (depth > 8 || found.length > mostNames) return found;
  const read = parts[expression.is] as ((each: Expression) => Expression[]) | undefined;
  for (const part of read?.(expression) ?? []) namesIn(part, found, depth + 1);
  return found;
}

/**
 * An expression as it is written, with what its variables are set to in their place: `join(FOLDER, name)` is
 * `join(os.tmpdir(), 'list.txt')`.
 */
export function writtenOut(
  expression: Expression,
  textOf: (each: Expression) => string,
  setTo: (name: string) => Expression | undefined,
  depth = 0,
): string {
  const text = textOf(expression);
  if (depth > 2) return text;
  let written = '';
  let from = 0;
  for (const each of namesIn(expression, [])) {
    const start = each.at - expression.at;
    const value = setTo(each.name);
    // A shorthand or a format of Rust names what it does not spell.
    const isSpelt = text.slice(start, start + each.name.length) === each.name;
    if (value === undefined || value === expression || start < from || !isSpelt) continue;
    if (value.is === 'function') continue;
    written += text.slice(from, start) + writtenOut(value, textOf, setTo, depth + 1);
    from = start + each.name.length;
    if (written.length > 2_000) break;
  }
  return written + text.slice(from);
}
