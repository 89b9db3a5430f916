/** Signs in the sentence itself that more is said than a form holds. */
import { numberOf } from '../sentence-words.ts';
import type { Seen } from './seen.ts';

/** "Drafted, not sent", "until it ships", "one is fine, two are not": half of such a sentence is easily lost. */
export const contrast = ({ sentence }: Seen): string | undefined => {
  const found =
    /, (?:not|never|but)\b|\bnor\b|\bonce\b|\buntil\b|\b(?:older|later|earlier|longer|shorter|deeper|higher|lower|larger|smaller|bigger|fewer|other|rather) than\b|\bas long as\b|\bis fine\b/i.exec(
      sentence,
    )?.[0];
  return found === undefined
    ? undefined
    : `The sentence sets two things against each other ("${found.replace(/^, /, '')}"), of which one may be lost.`;
};

const commands =
  /\b(?:never|must|mustn't|shall|should|not|no|only|cannot|may|requires?|required|needs?|forbidden|prohibited|banned|disallowed|nobody|none|nothing|ask|always|verify|confirm|escalate|check|block|deny|avoid|refuse|stop|limit|at most|more than|maximum|max|unless|without|off limits)\b|n't\b/i;

export const noCommand = ({ sentence }: Seen): string | undefined =>
  commands.test(sentence) ? undefined : 'The sentence neither forbids nor demands anything in so many words.';

/** "If a patient is allergic to a drug, it is not ordered": what "it" stands for is not looked into. */
export const pronoun = ({ sentence }: Seen): string | undefined =>
  /^(?:if|when|whenever|where|for|as soon as|whoever)\b.*, (?:it|they|he|she|this|that|nothing|no)\b/i.test(
    sentence,
  ) ||
  /\b(?:it|they|them|those|same)\b(?! (?:is|are) (?:forbidden|prohibited))/i.test(
    sentence.replace(/^it\b/i, ''),
  )
    ? 'A word such as "it" stands for something that the rule may have missed.'
    : undefined;

/** "Above economy class": a rank, which no number says. */
export const ranked = ({ sentence }: Seen): string | undefined => {
  const found =
    /\b(?:above|below|beyond|past|under|over) (?!\W*\d|(?:the |an? )?\d)(?:the |an? )?(\p{L}+)/iu.exec(
      sentence,
    );
  return found === null || numberOf((found[1] ?? '').toLowerCase()) !== undefined
    ? undefined
    : `"${found[0]}" names a rank, which no test compares.`;
};
