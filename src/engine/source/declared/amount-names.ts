/** How much is asked for, by the names of what comes in: numbers carry no text, so they are told by how they are written. */
import type { Expression, FunctionForm, Target } from '../form/form.ts';

/** What a variable is made of: names of parameters and of fields of what came in. */
export type Amounts = ReadonlyMap<string, readonly string[]>;

const keepsBound =
  /(?:^|[._])(?:min|clamp|cap|limit|bound|bounded|max(?:imum)?Of|len|length|size|count)$|(?:min|clamp|limit)\(?$/i;
const numbers =
  /^(?:Number|parseInt|parseFloat|int|float|floor|ceil|round|trunc|abs|max|Duration|seconds|from_secs|from_millis|intValue|longValue|as_u64|as_i64|unwrap_or|unwrap|get_?int|get_?float|get_?number|get|GetInt|GetFloat|RequireInt|RequireFloat|int64|int32|uint|uint64|float64|usize|toInt|valueOf|coalesce)$/i;

const calledName = (callee: Expression): string =>
  callee.is === 'member' ? callee.property : callee.is === 'name' ? callee.name : '';

const rootOf = (expression: Expression, depth = 0): string => {
  if (expression.is === 'name') return expression.name;
  if (depth > 8) return '';
  if (expression.is === 'member' || expression.is === 'index') return rootOf(expression.object, depth + 1);
  return expression.is === 'call' ? rootOf(expression.callee, depth + 1) : '';
};

type Of = (inner: Expression) => string[];

function inCall({ callee, args }: Extract<Expression, { is: 'call' }>, known: Amounts, of: Of): string[] {
  const name = calledName(callee);
  if (keepsBound.test(name) || !numbers.test(name)) return [];
  const [first] = args;
  const isAsked = callee.is === 'member' && known.has(rootOf(callee.object));
  if (isAsked && first?.value.is === 'literal' && typeof first.value.value === 'string')
    return [first.value.value];
  const own = callee.is === 'member' ? of(callee.object) : [];
  return [...own, ...args.flatMap(({ value }) => of(value))];
}

type Read<K extends Expression['is']> = (
  expression: Extract<Expression, { is: K }>,
  known: Amounts,
  of: Of,
) => string[];

const readers: { [K in Expression['is']]?: Read<K> } = {
  name: ({ name }, known) => (known.has(name) ? [name] : []),
  member: ({ object, property }, known) =>
    known.has(rootOf(object)) && !/^(?:length|size|count)$/.test(property) ? [property] : [],
  index: ({ object, key }, known) =>
    known.has(rootOf(object)) && key.is === 'literal' ? [String(key.value)] : [],
  binary: ({ operator, left, right }, _, of) => {
    if (/^(?:\|\||\?\?|or)$/.test(operator)) return of(left);
    return /^(?:[-+*]|\*\*|<<|\/)$/.test(operator) ? [...of(left), ...of(right)] : [];
  },
  several: ({ items }, _, of) => items.flatMap(of),
  list: ({ items }, _, of) => items.flatMap(of),
  // `limit + 1`, where nothing says that it is no text.
  text: ({ parts }, _, of) => parts.flatMap(of),
  call: inCall,
};

/** Names of what came in that say how much an expression comes to; none where it is bounded on the spot. */
export function amountsIn(expression: Expression, known: Amounts, depth = 0): string[] {
  const read = readers[expression.is] as Read<Expression['is']> | undefined;
  const of: Of = (inner) => (depth > 10 ? [] : amountsIn(inner, known, depth + 1));
  return read?.(expression, known, of) ?? [];
}

/** Names that a target sets. */
export function namesOfTarget(target: Target): string[] {
  if (target.is === 'name') return [target.name];
  if (target.is === 'fields') return target.fields.flatMap(({ target: part }) => namesOfTarget(part));
  if (target.is === 'items')
    return target.items.flatMap((part) => (part === undefined ? [] : namesOfTarget(part)));
  return [];
}

const noAmount =
  /^(?:self|cls|this|ctx|context|extra|_\w*|session|server|res|response|reply|next|w|uri|signal)$|^$/;
const otherType =
  /^(?:str|string|bool|boolean|dict|bytes|Path|Context|Literal\b|Enum)|\b(?:Context|Session|Server|Response)\b/;

/** What whoever calls a handler says. */
export const inputsOf = ({ parameters }: FunctionForm): Map<string, readonly string[]> =>
  new Map(
    parameters
      .filter(({ type = '' }) => !otherType.test(type.replace(/^Optional\[/, '')))
      .flatMap(({ target }) => namesOfTarget(target))
      .filter((name) => !noAmount.test(name))
      .map((name) => [name, []]),
  );

const says =
  /\.(?:max|lte|lt|nonpositive|multipleOf|max_value|maximum)\(|\bmaximum\b|\bmax(?:imum|_value|Value)?\s?[=:(]|\b(?:le|lt)\s?=|\benum\b|Literal\[|@Max\b|\bIntRange\b|choices\s?=/;

/** What is said of a field behind its name, to the end of its value. */
function saidBehind(text: string, from: number): string {
  let depth = 0;
  const end = Math.min(text.length, from + 400);
  for (let at = from; at < end; at++) {
    const letter = text[at] ?? '';
    if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter)) depth--;
    const isEnd = depth < 0 || (depth === 0 && (letter === ',' || letter === ';'));
    if (isEnd || (depth === 0 && letter === '\n' && !/^\s*[.)|]/.test(text.slice(at, at + 60))))
      return text.slice(from, at);
  }
  return text.slice(from, end);
}

/** Whether a schema or a type says how much a field may be at most. */
export function isBoundBySchema(name: string, texts: readonly string[]): boolean {
  const declared = new RegExp(
    String.raw`(?<![\w$.])["']?${name.replaceAll('$', String.raw`\$`)}["']?\s?\??\s?[:=](?!=)\s{0,20}`,
    'g',
  );
  return texts.some((text) =>
    [...text.matchAll(declared)].some(({ index, 0: whole }) =>
      says.test(saidBehind(text, index + whole.length)),
    ),
  );
}

/** Whether code compares a name, or hands it to what keeps it within bounds. */
export function isBoundInCode(name: string, code: string): boolean {
  const bare = name.replaceAll('$', String.raw`\$`);
  const compared = code
    .replaceAll(/\bfor\s?\([^)]{0,200}\)/g, '')
    .replaceAll(/\bwhile\b[^\n]{0,120}/g, '')
    .replaceAll(/=>/g, '');
  return [
    String.raw`(?:[mM]in|[cC]lamp|[cC]ap|[lL]imit|[bB]ound|[vV]alidat|[cC]heck|[aA]ssert|[eE]nsure|[rR]equire|[sS]anit|[nN]ormali[sz])\w{0,30}\([^;\n]{0,120}\b${bare}\b`,
    String.raw`\b${bare}\b["'\])}]{0,4}\s?[<>]=?(?!\s?0\b)\s?[\w(]`,
    String.raw`[\w)]\s?[<>]=?\s?[\w.]{0,30}\(?\b${bare}\b`,
    String.raw`\b${bare}\b\s(?:not\s)?in\s|\.(?:includes|has|contains)\([^)\n]{0,30}\b${bare}\b`,
    String.raw`\b${bare}\b\.(?:min|clamp)\(`,
  ].some((pattern) => new RegExp(pattern).test(compared));
}
