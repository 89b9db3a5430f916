import type { Expression, FunctionForm, Statement, Target } from '../form/form.ts';
import { factsOf, membershipCheck, patternBits } from './checks.ts';
import type { Given, Machine } from './frame.ts';
import type { Check, Value } from './value.ts';

/** Tests that letters and digits alone pass, in all languages. */
const ofWords =
  /^is_?(?:ascii_?)?(?:alphanumeric|alphabetic|alnum|alpha|digit|numeric|hexdigit|lowercase|uppercase|lower|upper|letter|letter_?or_?digit)$/i;

const isOne = (expression: Expression | undefined, character: Target): boolean =>
  expression?.is === 'name' && character.is === 'name' && expression.name === character.name;

/** What a name around the test means. */
type Find = (name: string) => Value | undefined;

/** A text of the author's, written or by its name: `c in "-_"`, `c in allowed`. */
function textOf(expression: Expression | undefined, find: Find): string | undefined {
  const text =
    expression?.is === 'literal'
      ? expression.value
      : expression?.is === 'name'
        ? find(expression.name)?.constant
        : undefined;
  return typeof text === 'string' ? text : undefined;
}

const allWords = 'a-zA-Z0-9';

/** Letters as they stand within a class of a pattern. */
const classOf = (text: string | undefined): string | undefined =>
  text?.replaceAll(/[^\w\s]/g, String.raw`\$&`);

type Of<K extends Expression['is']> = Extract<Expression, { is: K }>;

/** `'a'..='z'`, as a class of a pattern. */
const rangeOf = (expression: Expression): string | undefined =>
  expression.is === 'pattern' ? /^\[(\w-\w)\]$/.exec(expression.source)?.[1] : undefined;

/** `c.isalnum()`, `Character.isLetter(c)`, `"-_".includes(c)` */
function passedCall({ callee, args }: Of<'call'>, character: Target, find: Find): string | undefined {
  if (callee.is !== 'member') return undefined;
  const given = args[0]?.value;
  if (ofWords.test(callee.property) && (isOne(callee.object, character) || isOne(given, character)))
    return allWords;
  return /^(?:includes|contains)$/.test(callee.property) && isOne(given, character)
    ? (rangeOf(callee.object) ?? classOf(textOf(callee.object, find)))
    : undefined;
}

/** The class of the characters that pass a test of one; undefined where it is not known. */
function passed(test: Expression, character: Target, find: Find): string | undefined {
  if (test.is === 'call') return passedCall(test, character, find);
  if (test.is !== 'binary') return undefined;
  const { operator, left, right } = test;
  if (operator === '||') {
    const [first, second] = [passed(left, character, find), passed(right, character, find)];
    return first === undefined || second === undefined ? undefined : first + second;
  }
  return ['==', '===', 'in'].includes(operator) && isOne(left, character)
    ? classOf(textOf(right, find))
    : undefined;
}

function passedBy({ parameters, body }: FunctionForm, find: Find): string | undefined {
  const [only] = body;
  const character = parameters[0]?.target;
  if (body.length !== 1 || only?.is !== 'return' || only.value === undefined || character === undefined)
    return undefined;
  return passed(only.value, character, find);
}

/** The same of a test that no character may pass: `!c.isalnum() && c != '-'`. */
function refused(test: Expression, character: Target, find: Find): string | undefined {
  if (test.is === 'not') return passed(test.operand, character, find);
  if (test.is !== 'binary') return undefined;
  const { operator, left, right } = test;
  if (operator === '&&') {
    const [first, second] = [refused(left, character, find), refused(right, character, find)];
    return first === undefined || second === undefined ? undefined : first + second;
  }
  return /^!==?$/.test(operator) && isOne(left, character) ? classOf(textOf(right, find)) : undefined;
}

const onlyValue = ({ body }: FunctionForm): Expression | undefined =>
  body.length === 1 && body[0]?.is === 'return' ? body[0].value : undefined;

const finderOf =
  ({ fn }: Value, machine: Machine): Find =>
  (name) =>
    fn?.around?.find(name) ?? (fn && machine.global(name, fn.module));

/** `text.chars().any(|c| !c.is_alphanumeric())`: what is shown where no character is one of the others. */
export function refusedCharactersCheck(text: Value, { value }: Given, machine: Machine): Check | undefined {
  const test = value.fn === undefined ? undefined : onlyValue(value.fn.fn);
  const character = value.fn?.fn.parameters[0]?.target;
  if (test === undefined || character === undefined) return undefined;
  const letters = refused(test, character, finderOf(value, machine));
  if (letters === undefined) return undefined;
  return { yes: [], no: factsOf(text, patternBits(`^[${letters}]*$`, machine), machine) };
}

const isTail = (statements: readonly Statement[]): Expression | undefined => {
  const [only] = statements;
  return statements.length === 1 && only?.is === 'return' ? only.value : undefined;
};

/** `if c.is_alphanumeric() { c } else { '_' }`: the characters that are left. */
function replacing(value: Expression | undefined, character: Target, find: Find): string | undefined {
  const [only] = value?.is === 'steps' ? value.body : [];
  if (only?.is !== 'if' || !isOne(isTail(only.yes), character)) return undefined;
  const letters = passed(only.test, character, find);
  const other = classOf(textOf(isTail(only.no), find));
  return letters === undefined || other === undefined ? undefined : letters + other;
}

/** What the characters can no longer do that are left of a text, where all others are dropped or replaced. */
export function keptBits(
  text: Value,
  method: string,
  { value, expression }: Given,
  machine: Machine,
): number {
  if (!/(?:chars|bytes)\(\)$/.test(text.ref ?? '') || !/^(?:filter|map)$/.test(method)) return 0;
  const kept = value.fn === undefined ? referred(expression, method) : keptBy(value, method, machine);
  return kept === undefined ? 0 : patternBits(`^[${kept}]*$`, machine);
}

const referred = (expression: Expression, method: string): string | undefined =>
  method === 'filter' && expression.is === 'member' && ofWords.test(expression.property)
    ? allWords
    : undefined;

function keptBy(value: Value, method: string, machine: Machine): string | undefined {
  const form = value.fn?.fn;
  const character = form?.parameters[0]?.target;
  if (form === undefined || character === undefined) return undefined;
  const find = finderOf(value, machine);
  return method === 'filter' ? passedBy(form, find) : replacing(onlyValue(form), character, find);
}

/** What is shown of a text by a test that each of its characters passes; undefined where the test is another. */
export function charactersCheck(
  text: Value,
  { value, expression }: Given,
  machine: Machine,
): Check | undefined {
  const isReference = expression.is === 'member' && ofWords.test(expression.property);
  const { fn } = value;
  const find: Find = (name) => fn?.around?.find(name) ?? (fn && machine.global(name, fn.module));
  const letters = fn === undefined ? (isReference ? allWords : undefined) : passedBy(fn.fn, find);
  if (letters === undefined) return undefined;
  return { yes: factsOf(text, patternBits(`^[${letters}]*$`, machine), machine), no: [] };
}

const isSet = (expression: Expression | undefined): boolean =>
  expression?.is === 'call' &&
  expression.callee.is === 'name' &&
  /^(?:frozen)?set$/.test(expression.callee.name);

/** `set(text) <= allowed`, `set(text).issubset(allowed)`: no character but those that the author wrote. */
export function subsetCheck(
  written: Expression | undefined,
  text: Value,
  allowed: Value,
  machine: Machine,
): Check | undefined {
  // `set(args) <= ALLOWED`: each of them is one of the author's.
  if (isSet(written) && allowed.fields !== undefined) {
    const check = membershipCheck(text, allowed, machine);
    return check.yes.length === 0 ? undefined : check;
  }
  const letters =
    isSet(written) && typeof allowed.constant === 'string' ? classOf(allowed.constant) : undefined;
  if (letters === undefined) return undefined;
  return { yes: factsOf(text, patternBits(`^[${letters}]*$`, machine), machine), no: [] };
}
