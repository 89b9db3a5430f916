/** Tests of how a text begins that look at its first letter: `arg[0] === '-'`, `arg[:1] == "-"`, `/^-/.test(arg)`. */
import type { Expression } from '../form/form.ts';

const isNumber = (expression: Expression | undefined, value: number): boolean =>
  expression?.is === 'literal' && expression.value === value;

/** `arg[0]`, `arg[:1]` */
function ofIndex({ object, key }: Extract<Expression, { is: 'index' }>): Expression | undefined {
  if (isNumber(key, 0)) return object;
  // A part from the beginning: only its end is written.
  const only = key.is === 'several' && key.items.length === 1 ? key.items[0] : undefined;
  const isFromStart = only !== undefined && only.at > key.at && only.end === key.end;
  return isFromStart && isNumber(only, 1) ? object : undefined;
}

/** `arg.charAt(0)`, `arg.slice(0, 1)`, `arg.chars().next()` */
function ofCall({ callee, args }: Extract<Expression, { is: 'call' }>): Expression | undefined {
  if (callee.is !== 'member') return undefined;
  const { object, property } = callee;
  const [first, second] = args.map(({ value }) => value);
  if (/^(?:charAt|at)$/.test(property)) return args.length === 0 || isNumber(first, 0) ? object : undefined;
  if (/^(?:slice|substring|substr)$/.test(property))
    return isNumber(first, 0) && isNumber(second, 1) ? object : undefined;
  if (property !== 'next' || object.is !== 'call' || object.callee.is !== 'member') return undefined;
  return /^(?:chars|bytes)$/.test(object.callee.property) ? object.callee.object : undefined;
}

/** The text whose first letter is asked for; undefined where something else is. */
export function firstLetterOf(expression: Expression): Expression | undefined {
  if (expression.is === 'index') return ofIndex(expression);
  if (expression.is === 'call') return ofCall(expression);
  // What Rust asks for in bytes.
  return expression.is === 'spread' ? firstLetterOf(expression.operand) : undefined;
}

/** The letter that a text is compared with, also as Rust writes it: `b'-'`, `Some('-')`. */
export function letterIn(expression: Expression): string | undefined {
  if (expression.is === 'call' && expression.args.length === 1 && expression.callee.is === 'name')
    return expression.callee.name === 'Some' && expression.args[0] !== undefined
      ? letterIn(expression.args[0].value)
      : undefined;
  return expression.is === 'literal' && typeof expression.value === 'string' && expression.value.length === 1
    ? expression.value
    : undefined;
}

/** `^-`, `^--?`, `^\s*-`, alone or as one of several: whatever begins so matches. */
const ofDash = /^(?:\\s\*)?(?:\\?-|\[\\?-\])(?:\+|-\?|\{1,2\})?(?:$|\||\/)/;
const ofSlash = /^(?:\\?\/|\[\\{0,2}\/\\{0,2}\]|\[\\\\\\?\/\])\+?(?:$|\|)/;

/** The letter of which a pattern says that the text begins with it, whatever follows. */
export function letterOfPattern(source: string): '-' | '/' | undefined {
  const body = /^\/([\s\S]*)\/[a-z]*$/.exec(source)?.[1] ?? source;
  const beginnings = [...body.matchAll(/(?:^|\|)(?:\^|\\A)/g)].map(({ index, 0: mark }) =>
    body.slice(index + mark.length),
  );
  if (beginnings.some((each) => ofDash.test(each))) return '-';
  return beginnings.some((each) => ofSlash.test(each)) ? '/' : undefined;
}

/** `^src\/`, `^[a-z]`: it begins with a letter of the author's, or with one of a class without a dash. */
const beginsPlain =
  /^\/?(?:\^|\\A)(?:(?:[A-Za-z0-9_@]|\\[/.])|\[(?!\^)(?:\w-\w|\\[wd./]|[\w./@])+\](?!\*|\?|\{0))(?!\*|\?|\{0)/;

const isOneWay = (source: string): boolean => !source.replaceAll(/\([^()]*\)/g, '').includes('|');

/** `^[^-]`, `^(?!-)`: the first letter that the pattern lets through is no dash. */
export const refusesDash = (source: string): boolean =>
  (source.length < 300 && beginsPlain.test(source) && isOneWay(source)) ||
  /^\/?(?:\^|\\A)(?:\[\^(?:-|\\-|(?:\\.|[^\]\\])*(?:\\-|-(?=\])))(?:\\.|[^\]\\])*\](?![*?{])|\(\?!(?:\\?-|\[-\])\))/.test(
    source,
  );
