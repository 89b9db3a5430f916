import { kindOf } from './predicates/catalog.ts';
import type { FieldShape } from './predicates/predicate-kind.ts';
import { deepest, type Expression, flat, mostPredicates, type RuleForm } from './rule-form.ts';

/** A form as it may be used, or what is wrong with it as a sentence that names the field. */
export type Checked = { readonly form: RuleForm } | { readonly problem: string };

const [mostItems, longestText] = [200, 500];
const [largest, digits] = [1e15, 9];
const mostDays = 40_000;

class Problem extends Error {}

type Json = Readonly<Record<string, unknown>>;

function asObject(value: unknown, at: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem(`'${at}' must be an object.`);
  return value as Json;
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestText && value.isWellFormed();

/** More digits than a sentence writes would not be read back. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' &&
  Math.abs(value) < largest &&
  Number(value.toFixed(digits)) === value &&
  !Object.is(value, -0);

const isList = (value: unknown, item: (one: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.length <= mostItems && value.every(item);

const isWord = (value: unknown): boolean => isText(value) && !/\s/.test(value);

function isThing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { words, exact, whole, ...more } = value as Json;
  return (
    Object.keys(more).length === 0 &&
    Array.isArray(words) &&
    words.length <= 80 &&
    words.every(isWord) &&
    (exact === undefined ? words.length > 0 : isList(exact, isText)) &&
    (whole === undefined || whole === true)
  );
}

const isPlain = (value: unknown): boolean => isText(value) || isNumber(value) || typeof value === 'boolean';

function isOperand(value: unknown): boolean {
  if (isPlain(value) || isList(value, isPlain)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return isRelativeDay(value as Json) || isOtherValue(value as Json) || isOfUser(value as Json);
}

const isOfUser = ({ user, ...more }: Json): boolean => isText(user) && Object.keys(more).length === 0;

const isRelativeDay = ({ days_from_now: days, ...more }: Json): boolean =>
  isDays(days) && Object.keys(more).length === 0;

const isDays = (days: unknown): boolean =>
  isNumber(days) && Number.isInteger(days) && Math.abs(days) <= mostDays;

const isOtherValue = ({ argument, times, plus, days, ...more }: Json): boolean =>
  isText(argument) &&
  [times, plus].every((one) => one === undefined || isNumber(one)) &&
  (days === undefined || isDays(days)) &&
  Object.keys(more).length === 0;

const shapes: Readonly<
  Record<
    FieldShape['type'],
    readonly [fits: (value: unknown, of: readonly string[]) => boolean, what: string]
  >
> = {
  text: [isText, `a text of 1 to ${longestText} characters`],
  texts: [(value) => isList(value, isText), `a list of 1 to ${mostItems} texts`],
  number: [isNumber, `a number below ${largest} with at most ${digits} decimals`],
  flag: [(value) => value === true, 'true, or left out'],
  things: [
    (value) => isList(value, isThing),
    'a list of things, each with `words` and, where it has them, `exact` and `whole`',
  ],
  operand: [
    isOperand,
    'a text, a number, true or false, a list of these, {"argument": "its name"} (with `times`, `plus` or `days`), {"user": "an attribute"} or {"days_from_now": 0}',
  ],
  choice: [(value, of) => of.includes(value as string), 'one of'],
  choices: [(value, of) => isList(value, (one) => of.includes(one as string)), 'a list of'],
};

/** Of a list, and of a value that may be one, the text that is too long, empty or none. */
function checkTexts({ type }: FieldShape, value: unknown, at: string): void {
  const isOne = type === 'operand' && typeof value === 'string';
  const isMany =
    Array.isArray(value) && value.length <= mostItems && (type === 'texts' || type === 'operand');
  const all: readonly unknown[] = isOne ? [value] : isMany ? value : [];
  const wrong = all.findIndex((one) => (type === 'texts' || typeof one === 'string') && !isText(one));
  if (wrong < 0) return;
  throw new Problem(`'${at}${isOne ? '' : `[${wrong}]`}' must be ${shapes.text[1]}.`);
}

function checkField(shape: FieldShape, value: unknown, at: string): void {
  const [fits, what] = shapes[shape.type];
  const of = 'of' in shape ? shape.of : [];
  checkTexts(shape, value, at);
  if (!fits(value, of))
    throw new Problem(`'${at}' must be ${what}${of.length > 0 ? `: ${of.join(', ')}` : ''}.`);
}

function checkPredicate(value: Json, at: string): Expression {
  const kind = typeof value.is === 'string' ? kindOf(value.is) : undefined;
  if (kind === undefined) throw new Problem(`'${at}.is' must be the name of a predicate.`);
  const fields: Readonly<Record<string, FieldShape>> = kind.fields;
  const stray = Object.keys(value).find((key) => key !== 'is' && !Object.hasOwn(fields, key));
  if (stray !== undefined) throw new Problem(`'${at}.${stray}' is no field of \`${kind.is}\`.`);
  const kept: Record<string, unknown> = { is: kind.is };
  for (const [name, shape] of Object.entries(fields)) {
    const one = value[name];
    if (one === undefined && shape.optional === true) continue;
    checkField(shape, one, `${at}.${name}`);
    kept[name] = one;
  }
  const reason = kind.refuse?.(kept as { is: string });
  if (reason !== undefined) throw new Problem(`In '${at}' ${reason}.`);
  return kept as unknown as Expression;
}

class Checker {
  #left = mostPredicates;

  check(value: unknown, at: string, depth = 1): Expression {
    if (depth > deepest) throw new Problem(`'${at}' is nested more than ${deepest} deep.`);
    const one = asObject(value, at);
    const named = ['all', 'any', 'not', 'is'].filter((key) => one[key] !== undefined);
    if (named.length !== 1) throw new Problem(`'${at}' must have one of 'all', 'any', 'not' and 'is'.`);
    if (one.is !== undefined) {
      if ((this.#left -= 1) < 0) throw new Problem(`A rule has at most ${mostPredicates} predicates.`);
      return checkPredicate(one, at);
    }
    if (one.not !== undefined) return { not: this.check(one.not, `${at}.not`, depth + 1) };
    return one.all === undefined
      ? { any: this.#group(one.any, `${at}.any`, depth) }
      : { all: this.#group(one.all, `${at}.all`, depth) };
  }

  #group(value: unknown, at: string, depth: number): Expression[] {
    if (!Array.isArray(value) || value.length === 0 || value.length > mostPredicates)
      throw new Problem(`'${at}' must be a list of 1 to ${mostPredicates}.`);
    return value.map((one, index) => this.check(one, `${at}[${index}]`, depth + 1));
  }
}

/** Takes over what is known and right of a form from outside; bounded in depth and size. */
export function checkForm(value: unknown, at = 'rule'): Checked {
  try {
    const { when, unless, requires, on_missing: onMissing = 'deny', ...more } = asObject(value, at);
    const [stray] = Object.keys(more);
    if (stray !== undefined) throw new Problem(`'${at}.${stray}' is no field of a rule.`);
    if (onMissing !== 'deny' && onMissing !== 'ask')
      throw new Problem(`'${at}.on_missing' must be one of: deny, ask.`);
    const checker = new Checker();
    const part = (name: string, one: unknown) =>
      one === undefined ? {} : { [name]: flat(checker.check(one, `${at}.${name}`)) };
    return {
      form: {
        when: flat(checker.check(when, `${at}.when`)),
        ...part('unless', unless),
        ...part('requires', requires),
        on_missing: onMissing,
      },
    };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message };
    throw error;
  }
}
