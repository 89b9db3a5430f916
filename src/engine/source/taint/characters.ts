import type { Expression, FunctionForm, Target } from '../form/form.ts';
import { factsOf, patternBits } from './checks.ts';
import type { Given, Machine } from './frame.ts';
import type { Check, Value } from './value.ts';

/** Tests that letters and digits alone pass, in all languages. */
const ofWords =
  /^is_?(?:ascii_?)?(?:alphanumeric|alphabetic|alnum|alpha|digit|numeric|hexdigit|lowercase|uppercase|lower|upper|letter|letter_?or_?digit)$/i;

const isOne = (expression: Expression | undefined, character: Target): boolean =>
  expression?.is === 'name' && character.is === 'name' && expression.name === character.name;

const textOf = (expression: Expression | undefined): string | undefined =>
  expression?.is === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;

type Of<K extends Expression['is']> = Extract<Expression, { is: K }>;

/** `c.isalnum()`, `Character.isLetter(c)`, `"-_".includes(c)` */
function passedCall({ callee, args }: Of<'call'>, character: Target): string | undefined {
  if (callee.is !== 'member') return undefined;
  const given = args[0]?.value;
  if (ofWords.test(callee.property) && (isOne(callee.object, character) || isOne(given, character)))
    return '';
  return /^(?:includes|contains)$/.test(callee.property) && isOne(given, character)
    ? textOf(callee.object)
    : undefined;
}

/** The characters besides letters and digits that pass a test of one character; undefined where it is not known. */
function passed(test: Expression, character: Target): string | undefined {
  if (test.is === 'call') return passedCall(test, character);
  if (test.is !== 'binary') return undefined;
  const { operator, left, right } = test;
  if (operator === '||') {
    const [first, second] = [passed(left, character), passed(right, character)];
    return first === undefined || second === undefined ? undefined : first + second;
  }
  return ['==', '===', 'in'].includes(operator) && isOne(left, character) ? textOf(right) : undefined;
}

function passedBy({ parameters, body }: FunctionForm): string | undefined {
  const [only] = body;
  const character = parameters[0]?.target;
  if (body.length !== 1 || only?.is !== 'return' || only.value === undefined || character === undefined)
    return undefined;
  return passed(only.value, character);
}

/** What is shown of a text by a test that each of its characters passes; undefined where the test is another. */
export function charactersCheck(
  text: Value,
  { value, expression }: Given,
  machine: Machine,
): Check | undefined {
  const isReference = expression.is === 'member' && ofWords.test(expression.property);
  const others = value.fn === undefined ? (isReference ? '' : undefined) : passedBy(value.fn.fn);
  if (others === undefined) return undefined;
  const letters = others.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return { yes: factsOf(text, patternBits(`^[a-zA-Z0-9${letters}]*$`, machine), machine), no: [] };
}
