/**
 * Reads a rule clause by clause: what it is about, on what condition, and what it forbids, demands or limits. Where the
 * grammar needs an act that its lists hold and a thing under its own name, this reading asks how near a call comes to
 * both, takes limits in any unit, and looks for what has to be so in what is on record.
 */
import { type Expression, flat, type RuleForm } from '../../rule-form.ts';
import { allOf, anyOf, namesIn, onlyOf } from './clauses-of.ts';
import { type Frame, frameOf } from './frames.ts';
import { type Parts, partsOf } from './parts.ts';
import { plainText } from './plain-text.ts';
import { inPlainTurns } from './turns-of-phrase.ts';

/** Sentences that allow: what they speak of is an exception. */
const allows =
  /^(?:the )?(.+?)\s+(?:is|are)\s+(?:always\s+)?(?:fine|ok|okay|allowed|permitted|free|no problem|excepted|exempt)$|^(.+?)\s+(?:may|can)(?: do so)?$|^you (?:may|can) (.+)$/;

/** Adds what a sentence allows to the exceptions of the one before; false where it allows nothing. */
function takesException(text: string, last: Parts | undefined): boolean {
  const allowed = /\b(?:not|never|only)\b/.test(text) ? null : allows.exec(text);
  if (allowed === null || last === undefined) return false;
  const things = namesIn(allowed[1] ?? allowed[2] ?? allowed[3] ?? '');
  if (things.length > 0) last.unless.push({ is: 'resource', things });
  return true;
}

/** "Cast and crew only": what it is about was said in the sentence before. */
function takesOnly({ scope, only }: Frame, topic: string, last: Parts | undefined): boolean {
  if (scope !== '' || topic !== '' || only === undefined || last === undefined) return false;
  const test = onlyOf(only);
  if (test !== undefined) last.requires.push(test);
  return true;
}

/** The tests of each sentence; one that only adds to the sentence before it is added there. */
function partsIn(rule: string): Parts[] {
  const { sentences, asides } = plainText(rule);
  const all: Parts[] = [];
  for (const { text, topic } of sentences) {
    const last = all.at(-1);
    const frame = takesException(text, last) ? undefined : frameOf(inPlainTurns(text));
    if (frame === undefined || takesOnly(frame, topic, last)) continue;
    const parts = partsOf(frame, topic, asides);
    if (parts !== undefined) all.push(parts);
  }
  return all;
}

/** What breaks the rule, as one expression. */
function brokenBy({ when, requires, unless }: Parts): Expression {
  const [needed, excepted] = [allOf(requires), anyOf(unless)];
  return {
    all: [
      ...when,
      ...(needed === undefined ? [] : [{ not: needed }]),
      ...(excepted === undefined ? [] : [{ not: excepted }]),
    ],
  };
}

/** The form of a rule as it is read clause by clause; undefined where no sentence of it is understood. */
export function readGeneral(rule: string): RuleForm | undefined {
  const [first, ...others] = partsIn(rule);
  if (first === undefined) return undefined;
  if (others.length > 0) return { when: flat({ any: [first, ...others].map(brokenBy) }), on_missing: 'deny' };
  const [needed, excepted] = [allOf(first.requires), anyOf(first.unless)];
  return {
    when: flat({ all: first.when }),
    ...(excepted !== undefined && { unless: flat(excepted) }),
    ...(needed !== undefined && { requires: flat(needed) }),
    on_missing: 'deny',
  };
}
