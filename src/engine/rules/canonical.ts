import { allKinds, kindOf, type Predicate } from './predicates/catalog.ts';
import { deepest, type Expression, type RuleForm } from './rule-form.ts';
import { TextReader } from './wording/text-reader.ts';
import type { Fields } from './wording/wording.ts';

const negation = 'it is not so that';

/** What a predicate says of the call: "it deletes something". */
const predicateText = (predicate: Predicate): string =>
  `it ${kindOf(predicate.is)?.wording.print(predicate as unknown as Fields) ?? ''}`.trimEnd();

const itemText = (expression: Expression): string =>
  'all' in expression || 'any' in expression ? `(${expressionText(expression)})` : expressionText(expression);

/** An expression in words, groups within it in brackets. */
function expressionText(expression: Expression): string {
  if ('is' in expression) return predicateText(expression);
  if ('not' in expression) return `${negation} ${itemText(expression.not)}`;
  return 'all' in expression
    ? expression.all.map(itemText).join(' and ')
    : expression.any.map(itemText).join(' or ');
}

/** The rule as a plain sentence, which `readCanonical` reads back to the same rule. */
export function canonicalText({ when, unless, requires, on_missing: onMissing }: RuleForm): string {
  const exception = unless === undefined ? '' : `, unless ${expressionText(unless)}`;
  const [first, second] = onMissing === 'ask' ? ['Ask a person', 'ask a person'] : ['Deny', 'deny'];
  return requires === undefined
    ? `${first} when ${expressionText(when)}${exception}.`
    : `When ${expressionText(when)}, require that ${expressionText(requires)}, else ${second}${exception}.`;
}

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

function readExpression(reader: TextReader, depth = 1): Expression | undefined {
  const first = readItem(reader, depth);
  if (first === undefined) return undefined;
  for (const joint of ['and', 'or']) {
    const items = [first];
    for (;;) {
      const from = reader.at;
      const next = reader.take(joint) ? readItem(reader, depth) : undefined;
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

function readEnd(reader: TextReader): { unless?: Expression } | undefined {
  if (!reader.take(', unless')) return reader.take('.') && reader.isAtEnd ? {} : undefined;
  const unless = readExpression(reader);
  return unless !== undefined && reader.take('.') && reader.isAtEnd ? { unless } : undefined;
}

const longestSentence = 20_000;

/** "Deny when it deletes." */
function readPlain(reader: TextReader): RuleForm | undefined {
  const asks = reader.take('Ask a person when');
  if (!asks && !reader.take('Deny when')) return undefined;
  const when = readExpression(reader);
  const end = when && readEnd(reader);
  return when && end && { when, ...end, on_missing: asks ? 'ask' : 'deny' };
}

/** "When it deletes, require that it was told or shown to the user before, else deny." */
function readDemanding(reader: TextReader): RuleForm | undefined {
  const when = reader.take('When') ? readExpression(reader) : undefined;
  const requires = when && reader.take(', require that') ? readExpression(reader) : undefined;
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
