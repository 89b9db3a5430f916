/** Which acts the words of a request ask for. */
import { nounSenses, verbSenses } from '../../verbs.ts';
import { actsAbroad } from '../../instructions/foreign-instructions.ts';
import { isQuestion } from '../questions.ts';
import { phrases } from '../request-phrases.ts';

export const pointers = new Set(
  `the a an my his her their our your this that these those all any each in from on at of last latest next every its new open incoming unread today`.split(
    /\s+/,
  ),
);

const carriers = new Set(
  'make do send create set schedule issue process request need want place get give write submit initiate perform arrange'.split(
    ' ',
  ),
);
const softNouns = new Set(
  'build builds order orders book books charge charges bill bills record records post posts list lists schedule report reports log logs release check transfer'.split(
    ' ',
  ),
);
/** "Mail it to her" and "the mail from her". */
const mailVerbs = new Set(['mail', 'email', 'message', 'text', 'sms', 'dm']);
const articles = new Set(
  'the a an my his her their our your this that these those which last latest first'.split(' '),
);

/** "Where is order 5512", "the last post": things, not acts. */
const isThing = (words: readonly string[], at: number) =>
  softNouns.has(words[at] ?? '') &&
  (articles.has(words[at - 1] ?? '') || (/^\d/.test(words[at + 1] ?? '') && !isAmount(words, at)));

/** "Order 40 if they have them": so few are no number of an order, where no act stands before it. */
const isAmount = (words: readonly string[], at: number) => {
  const before = words[at - 1] ?? '';
  return (
    /^\d{1,2}$/.test(words[at + 1] ?? '') &&
    verbSenses(before).length === 0 &&
    !/^(?:of|for|on|with|about|to|in|from|about)$/.test(before)
  );
};

const people = new Set(['i', 'we', 'he', 'she', 'they', 'it']);
const pastForm = /[^e]ed$|^(?:sent|paid|bought|made|wrote|written|given|gave)$/;
const wishes = new Set('have get be want need needs should must please like'.split(' '));

const carried = new Set('write send draft prepare compose give make post get put add do type'.split(' '));

/** "Is there a reply from her": nothing is to be answered, but in "write her a reply". */
const isAnswer = (words: readonly string[], at: number) =>
  answers.has(words[at] ?? '') &&
  (articles.has(words[at - 1] ?? '') || /^(?:any|no|some)$/.test(words[at - 1] ?? '')) &&
  !words.slice(Math.max(0, at - 5), at).some((word) => carried.has(word));
const answers = new Set(['reply', 'answer', 'response', 'message', 'mail', 'email', 'note', 'post']);

/** "What did I spend", "the letter that she sent": about an act, not for it, unless one wants it done. */
const isPast = (words: readonly string[], at: number) =>
  (people.has(words[at - 1] ?? '') && words[at - 2] === 'did') ||
  (pastForm.test(words[at] ?? '') && !words.slice(Math.max(0, at - 5), at).some((word) => wishes.has(word)));

/** To mend or turn something into something else is to write. */
const mending = new Set(
  'fix repair translate refactor implement adapt convert rework improve solve extend simplify document upgrade bump'.split(
    ' ',
  ),
);
const planning = new Set(['plan', 'organise', 'organize', 'arrange', 'prepare', 'design', 'outline']);
const opened = /\bopen(?:ing)?\b.{0,20}\b(?:pull|merge|pr|issues?|tickets?|cases?|accounts?)\b/;

/** "Any stuck shipments", "is there news on the refund": who asks about an act by its name does not ask for it. */
const isNominal = (words: readonly string[], at: number) =>
  (/(?:ments?|tions?|ings)$/.test(words[at] ?? '') || isPointedAt(words[at - 1] ?? '')) &&
  !words.slice(Math.max(0, at - 4), at).some((before) => carriers.has(before));
const isPointedAt = (before: string) => articles.has(before) || /^(?:any|no|some)$/.test(before);

const isNoAct = (words: readonly string[], at: number): boolean =>
  (words[at] === 'set' && words.slice(at + 1, at + 4).includes('up')) ||
  isThing(words, at) ||
  isAnswer(words, at) ||
  isPast(words, at);

/** Verbs of sending that are also things: `message`, `email`, `post`; in a request they are taken as both. */
export function sensesOf(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  const isWondering = isQuestion(words.join(' '));
  words.forEach((word, at) => {
    if (isWondering && isNominal(words, at)) return;
    if (!isNoAct(words, at)) for (const sense of verbSenses(word)) found.add(sense);
    if (mailVerbs.has(word) && !pointers.has(words[at - 1] ?? '') && !isMail(words, at)) found.add('send');
  });
  words.forEach((word, at) => {
    const carried = words.slice(Math.max(0, at - 4), at).some((before) => carriers.has(before));
    if (!isMail(words, at) && (carried || (found.size === 0 && !isWondering)))
      for (const sense of nounSenses(word)) found.add(sense);
  });
  const joined = words.join(' ');
  for (const [shape, senses] of phrases) if (shape.test(joined)) for (const sense of senses) found.add(sense);
  if (opened.test(joined)) found.add('create');
  if (words.some((word) => planning.has(word))) for (const sense of ['create', 'schedule']) found.add(sense);
  if (words.some((word) => mending.has(word))) for (const sense of ['update', 'write']) found.add(sense);
  if (
    /\bwrite\b.{0,40}\b(?:message|email|mail|him|her|them|to)\b|\bmessage\b/.test(joined) ||
    words.some((word, at) => word === 'reply' && !isAnswer(words, at))
  )
    found.add('send');
  return found;
}

const articlesAbroad = new Set(
  'die der das den de la le les une un el una een mijn meine il lo o a os as'.split(' '),
);

/** What a word of another language asks for. "Zahl" and "zahle": spoken German leaves out the end of an imperative. */
export const actsOf = (word: string): readonly string[] => {
  const found = actsAbroad(word);
  return found.length > 0 || word.length < 3 || word.endsWith('e') ? found : actsAbroad(`${word}e`);
};

/** "Die Mail", "le mail": where other languages have the word from English, a verb of one is a thing in another. */
export const isMail = (words: readonly string[], at: number) =>
  mailVerbs.has(words[at] ?? '') && articlesAbroad.has(words[at - 1] ?? '');
