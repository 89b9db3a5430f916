/**
 * What makes it likely that a form is not what its sentence means, besides words that nothing looks for. Each sign was
 * chosen on rules by hands that the reader was not made with: there a rule that went wrong had one of them far more often
 * than a rule that was right (figures in test/fixtures/action-rules/README.md).
 */
import { isStopWord } from '#engine/text/stems.ts';
import { nounSenses, verbSenses } from '../../actions/verbs.ts';
import { sameThings } from '../../actions/things.ts';
import type { Predicate } from '../predicates/catalog.ts';
import type { Thing } from '../predicates/thing.ts';
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import { isGrammatical, numberOf, wordsOf } from './sentence-words.ts';

interface Seen {
  readonly sentence: string;
  readonly form: RuleForm;
  readonly all: readonly Predicate[];
  readonly when: readonly Predicate[];
}

const quoted = (words: readonly string[]) => words.map((word) => `"${word}"`).join(', ');

const listOf = (words: readonly string[]) => [...new Set(words)].slice(0, 5);

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'string'
      ? (value.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(numbersIn)
        : [];

/** Hours are kept as minutes of the day; "more than 3" may be kept as over 2 or at least 4. */
const isKept = (number: number, kept: readonly number[]) =>
  kept.some((one) => Math.abs(one - number) <= 1.01 || one === number * 60 || one === (number + 12) * 60);

function lostNumbers({ sentence, form }: Seen): string | undefined {
  const kept = numbersIn(form);
  const lost = wordsOf(sentence).filter(({ plain }) => {
    const number = numberOf(plain);
    // "In one call", "the official one".
    return number !== undefined && plain !== 'one' && !isKept(number, kept);
  });
  return lost.length === 0
    ? undefined
    : `The number ${quoted(listOf(lost.map(({ text }) => text)))} has no place in the rule.`;
}

/** "Plain", "marketing", "than": taken for what is done, though no list of acts has it. */
function unknownVerb({ when }: Seen): string | undefined {
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
function noThing({ all }: Seen): string | undefined {
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

const onlyChanges = ({ when }: Seen): string | undefined =>
  when.some(({ is }) => is === 'changes')
    ? 'What is done was not understood: any call that changes something is meant.'
    : undefined;

/** "Drafted, not sent", "until it ships", "one is fine, two are not": half of such a sentence is easily lost. */
const contrast = ({ sentence }: Seen): string | undefined => {
  const found =
    /, (?:not|never|but)\b|\bnor\b|\bonce\b|\buntil\b|\b(?:older|later|earlier|longer|deeper|higher|lower|other|rather) than\b|\bas long as\b|\bis fine\b/i.exec(
      sentence,
    )?.[0];
  return found === undefined
    ? undefined
    : `The sentence sets two things against each other ("${found.replace(/^, /, '')}"), of which one may be lost.`;
};

const commands =
  /\b(?:never|must|mustn't|shall|should|not|no|only|cannot|may|requires?|required|needs?|forbidden|prohibited|banned|disallowed|nobody|none|nothing|ask|always|verify|confirm|escalate|check|block|deny|avoid|refuse|stop|limit|at most|more than|maximum|max|unless|without|off limits)\b|n't\b/i;

const noCommand = ({ sentence }: Seen): string | undefined =>
  commands.test(sentence) ? undefined : 'The sentence neither forbids nor demands anything in so many words.';

const tooMany = ({ when }: Seen): string | undefined =>
  when.filter(({ is }) => is === 'resource').length > 2
    ? 'A call would have to name three things and more at once to break the rule.'
    : undefined;

/** "After a step", whichever: the sentence said which, and that was lost. */
const saysNothing = ({ all }: Seen): string | undefined =>
  all.some((one) => one.is === 'earlier_step' && one.acts === undefined && one.things === undefined)
    ? 'Which step has to come before was not understood.'
    : undefined;

const signs = [lostNumbers, unknownVerb, noThing, onlyChanges, contrast, noCommand, tooMany, saysNothing];

/** Why the form may be something else than its sentence means, a sentence each; empty where nothing speaks for that. */
export function doubtsAbout(sentence: string, form: RuleForm): string[] {
  const seen = {
    sentence,
    form,
    all: partsOf(form).flatMap(predicatesOf),
    when: predicatesOf(form.when),
  };
  return signs.flatMap((sign) => sign(seen) ?? []);
}
