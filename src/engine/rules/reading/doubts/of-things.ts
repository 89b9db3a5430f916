/** Signs that what is done, or what it is done to, is not what the sentence names. */
import { isStopWord } from '#engine/text/stems.ts';
import { sameThings } from '../../../actions/things.ts';
import { nounSenses, verbSenses } from '../../../actions/verbs.ts';
import type { Predicate } from '../../predicates/catalog.ts';
import type { Thing } from '../../predicates/thing.ts';
import { isGrammatical, wordsOf } from '../sentence-words.ts';
import { listOf, quoted, type Seen, withoutPlace } from './seen.ts';

/** "Plain", "marketing", "than": taken for what is done, though no list of acts has it. */
export function unknownVerb({ when }: Seen): string | undefined {
  const actions = when.filter((one) => one.is === 'action');
  const verbs = actions.flatMap(({ verbs: own = [] }) => own);
  const strange = verbs.filter((word) => isGrammatical(word.toLowerCase()));
  const isAlone = actions.length > 0 && actions.every(({ acts = [] }) => acts.length === 0);
  if (strange.length > 0) return `${quoted(listOf(strange))} was taken for what is done.`;
  return isAlone && verbs.length > 0
    ? `What is done is looked for by the name ${quoted(listOf(verbs))} alone: calls by other names are not found.`
    : undefined;
}

const thingsOf = (one: Predicate): readonly Thing[] =>
  one.is === 'resource' || one.is === 'other_than' || one.is === 'earlier_step' ? (one.things ?? []) : [];

/** "Go aren't", "money taken": words that name nothing. */
export function noThing({ all }: Seen): string | undefined {
  const strange = all
    .flatMap(thingsOf)
    .flatMap(({ words }) => words)
    .filter(
      (word) =>
        isGrammatical(word) ||
        isStopWord(word) ||
        (verbSenses(word).length > 0 && nounSenses(word).length === 0 && sameThings(word).size < 2),
    );
  return strange.length === 0 ? undefined : `${quoted(listOf(strange))} was taken for the name of a thing.`;
}

export const onlyChanges = ({ when }: Seen): string | undefined =>
  when.some(({ is }) => is === 'changes')
    ? 'What is done was not understood: any call that changes something is meant.'
    : undefined;

/** "E-mails from recruiters", "alcohol to Norway": a call that speaks of both may put them together otherwise. */
export function related({ when }: Seen): string | undefined {
  const things = when.filter(({ is }) => is === 'resource').flatMap((one) => thingsOf(one).slice(0, 1));
  return things.length < 2
    ? undefined
    : `A call has to name ${quoted(things.map(nameOfThing))}; how they belong together is not looked at.`;
}

const nameOfThing = ({ words, exact = [] }: Thing) =>
  (words.length > 0 ? words : exact.slice(0, 1)).join(' ');

/** "Body camera footage": most of the words are enough, which other footage may have as well. */
export function longNames({ when }: Seen): string | undefined {
  const long = when.flatMap(thingsOf).filter(({ words }) => words.length > 2 && words.length < 12);
  return long.length === 0 ? undefined : `Of ${quoted(listOf(long.map(nameOfThing)))} most words are enough.`;
}

/** Words that have to stand anywhere in the trace: the sentence said more of them than that. */
export const onlyMentioned = ({ all }: Seen): string | undefined => {
  const words = all.flatMap((one) => (one.is === 'mentioned' ? one.words : []));
  return words.length === 0
    ? undefined
    : `${quoted(listOf(words))} is looked for anywhere in the trace, whatever it says of it.`;
};

/** "Dropped in the reporting schema": the sign speaks of the command, and where it works is not looked at. */
export const signOfThing = ({ when }: Seen): string | undefined =>
  when.some(({ is }) => is === 'signal') && when.some(({ is }) => is === 'resource' || is === 'data')
    ? 'What the command does and what it does it to are looked for apart from each other.'
    : undefined;

/** An act and nothing else, where the sentence also says what it is done to. */
export function actAlone({ sentence, when }: Seen): string | undefined {
  if (when.some(({ is }) => is !== 'action' && is !== 'effect' && is !== 'changes')) return undefined;
  const names = wordsOf(sentence).filter(
    ({ plain }) => verbSenses(plain).length === 0 && (!isGrammatical(plain) || owned.has(plain)),
  );
  return names.length === 0
    ? undefined
    : `${withoutPlace(listOf(names.map(({ text }) => text)))}: it is about the act alone.`;
}
const owned = new Set([
  'policy',
  'policies',
  'reason',
  'reasons',
  'case',
  'cases',
  'limit',
  'limits',
  'hand',
  'hands',
]);

/** "In-game purchases": characters that the name of a call would have to hold. */
export function hyphenated({ all, sentence }: Seen): string | undefined {
  const texts = all.flatMap((one) => (one.is === 'text' ? one.texts : []));
  const found = texts.filter(
    (one) =>
      /^\p{L}+-\p{L}+$/u.test(one) && !sentence.includes(`"${one}"`) && !sentence.includes(`\`${one}\``),
  );
  return found.length === 0
    ? undefined
    : `${quoted(listOf(found))} is looked for as it is written, though a call may name it otherwise.`;
}
