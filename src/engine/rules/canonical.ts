import { allKinds, kindOf, type Predicate } from './predicates/catalog.ts';
import { deepest, type Expression, type RuleForm } from './rule-form.ts';
import { TextReader } from './wording/text-reader.ts';
import type { Fields } from './wording/wording.ts';

const negation = 'it is not so that';

/** What a predicate says of the call: "it deletes something". */
const predicateText = (predicate: Predicate): string =>
  `it ${kindOf(predicate.is)?.wording.print(predicate as unknown as Fields) ?? ''}`.trimEnd();

/** Whether a text joins something with one of the words itself, beside what stands in quotes. */
const joins = (text: string, word: 'and' | 'or') =>
  new RegExp(` ${word}\\b`).test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));

/** "A and B"; with commas where a part has an "or" of its own, which would be read together with it. */
const joined = (parts: readonly string[], word: 'and' | 'or'): string =>
  parts.join(
    parts.some((part) => joins(part, word === 'and' ? 'or' : 'and') || joins(part, 'or'))
      ? `, ${word} `
      : ` ${word} `,
  );

/** What is in a group: groups within it stand in brackets. */
function groupText(expression: Expression): string {
  if ('is' in expression) return predicateText(expression);
  if ('not' in expression) return `${negation} ${itemText(expression.not)}`;
  return 'all' in expression
    ? joined(expression.all.map(itemText), 'and')
    : joined(expression.any.map(itemText), 'or');
}

const isGroup = (expression: Expression) => 'all' in expression || 'any' in expression;

const itemText = (expression: Expression): string =>
  isGroup(expression) ? `(${groupText(expression)})` : groupText(expression);

/** Of a group of both kinds no brackets are needed where the last part alone has a choice: "A, and either B or C". */
function expressionText(expression: Expression): string {
  if (!('all' in expression)) return groupText(expression);
  const last = expression.all.at(-1);
  if (last === undefined || !('any' in last) || last.any.some(isGroup)) return groupText(expression);
  const before = expression.all.slice(0, -1).map(itemText);
  return `${joined(before, 'and')}, and either ${groupText(last)}`;
}

const isClauses = (expression: Expression) => 'any' in expression && expression.any.some(isGroup);

/** Several groups are clauses of their own: "when A and B; or when C". */
const clausesText = (word: string, expression: Expression): string =>
  ('any' in expression && isClauses(expression) ? expression.any : [expression])
    .map((one) => `${word} ${expressionText(one)}`)
    .join('; or ');

const afterClauses = '; in all these cases';

/** What is said of all clauses before it, and not of the last one alone. */
const behind = (before: Expression, words: string) =>
  isClauses(before) ? `${afterClauses} ${words}` : `, ${words}`;

/** The rule as a plain sentence, which `readCanonical` reads back to the same rule. */
export function canonicalText({ when, unless, requires, on_missing: onMissing }: RuleForm): string {
  const [first, second] = onMissing === 'ask' ? ['Ask a person', 'ask a person'] : ['Deny', 'deny'];
  const exception = unless && clausesText('unless', unless);
  if (requires === undefined)
    return `${first} ${clausesText('when', when)}${exception === undefined ? '' : behind(when, exception)}.`;
  const demand = behind(when, `require ${clausesText('that', requires)}`);
  return `${capital(clausesText('when', when))}${demand}, else ${second}${exception === undefined ? '' : `, ${exception}`}.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function readPredicate(reader: TextReader): Predicate | undefined {
  const from = reader.at;
  if (!reader.take('it')) return undefined;
  const start = reader.at;
  // Where the words of one begin those of another, the longer one is meant.
  let best: { predicate: Predicate; end: number } | undefined;
  for (const { is, wording } of allKinds) {
    reader.at = start;
    const fields = wording.read(reader);
    if (fields !== undefined && reader.at > (best?.end ?? start))
      best = { predicate: { is, ...fields } as unknown as Predicate, end: reader.at };
  }
  reader.at = best?.end ?? from;
  return best?.predicate;
}

function readItem(reader: TextReader, depth: number): Expression | undefined {
  if (depth > deepest) return undefined;
  const from = reader.at;
  if (reader.take(negation)) {
    const not = readItem(reader, depth + 1);
    if (not !== undefined) return { not };
  } else if (reader.take('(')) {
    const inner = readExpression(reader, depth + 1);
    if (inner !== undefined && reader.take(')')) return inner;
  } else return readPredicate(reader);
  reader.at = from;
  return undefined;
}

/** Joined by "and" or by "or", with commas or without; by both nothing is. */
function readExpression(reader: TextReader, depth = 1): Expression | undefined {
  const first = readItem(reader, depth);
  if (first === undefined) return undefined;
  for (const joint of ['and', 'or']) {
    const items = [first];
    for (;;) {
      const from = reader.at;
      const next = takeJoint(reader, joint) ? readJoined(reader, joint, depth) : undefined;
      if (next === undefined) {
        reader.at = from;
        break;
      }
      items.push(next);
    }
    if (items.length > 1) return joint === 'and' ? { all: items } : { any: items };
  }
  return first;
}

const takeJoint = (reader: TextReader, joint: string) => reader.take(joint) || reader.take(`, ${joint}`);

/** "…, and either A or B". */
function readJoined(reader: TextReader, joint: string, depth: number): Expression | undefined {
  if (joint !== 'and' || !reader.take('either')) return readItem(reader, depth);
  const choice = readExpression(reader, depth + 1);
  return choice !== undefined && 'any' in choice ? choice : undefined;
}

/** "A and B; or when C": clauses that begin with the same word, the first of which has been taken. */
function readClauses(reader: TextReader, word: string): Expression | undefined {
  const any: Expression[] = [];
  do {
    const one = readExpression(reader);
    if (one === undefined) return undefined;
    any.push(one);
  } while (reader.take(`; or ${word}`));
  return any.length === 1 ? any[0] : { any };
}

const takeBehind = (reader: TextReader, words: string) =>
  reader.take(`, ${words}`) || reader.take(`${afterClauses} ${words}`);

function readEnd(reader: TextReader): { unless?: Expression } | undefined {
  if (!takeBehind(reader, 'unless')) return reader.take('.') && reader.isAtEnd ? {} : undefined;
  const unless = readClauses(reader, 'unless');
  return unless !== undefined && reader.take('.') && reader.isAtEnd ? { unless } : undefined;
}

const longestSentence = 20_000;

/** "Deny when it deletes." */
function readPlain(reader: TextReader): RuleForm | undefined {
  const asks = reader.take('Ask a person when');
  if (!asks && !reader.take('Deny when')) return undefined;
  const when = readClauses(reader, 'when');
  const end = when && readEnd(reader);
  return when && end && { when, ...end, on_missing: asks ? 'ask' : 'deny' };
}

/** "When it deletes, require that it was told or shown to the user before, else deny." */
function readDemanding(reader: TextReader): RuleForm | undefined {
  const when = reader.take('When') ? readClauses(reader, 'when') : undefined;
  const requires = when && takeBehind(reader, 'require that') ? readClauses(reader, 'that') : undefined;
  if (when === undefined || requires === undefined) return undefined;
  const asks = reader.take(', else ask a person');
  const end = asks || reader.take(', else deny') ? readEnd(reader) : undefined;
  return end && { when, ...end, requires, on_missing: asks ? 'ask' : 'deny' };
}

/** The rule that a canonical sentence says; undefined for any other text. */
export function readCanonical(text: string): RuleForm | undefined {
  if (text.length > longestSentence) return undefined;
  const said = text.trim();
  return readPlain(new TextReader(said)) ?? readDemanding(new TextReader(said));
}
