import { type Entity, entitiesOf, hostOf, quotedTexts } from '../calls/entities.ts';
import type { Delegation } from './delegation.ts';
import { delegationIn, isQuestion, onlyAsks } from './questions.ts';
import { phrases } from './request-phrases.ts';
import { actsAbroad } from '../instructions/foreign-instructions.ts';
import { isOtherLanguage } from './languages.ts';
import { areKin, areNearlyAlike, nounSenses, verbSenses } from '../verbs.ts';
import { root, textWords } from '../words.ts';

/** What the user asked for, over all turns. */
export interface Request {
  text: string;
  /** It says nothing that we can read: there is none, or it is in another language than English. */
  isUnread: boolean;
  lower: string;
  roots: ReadonlySet<string>;
  senses: ReadonlySet<string>;
  entities: readonly Entity[];
  values: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
  quoted: string[];
  /** What has digits: numbers, names of records. */
  ids: readonly string[];
  delegation: Delegation;
  /** It only wants to know something: nothing is to be done. */
  onlyAsks: boolean;
  /** It speaks of money: to send that is to pay. */
  namesMoney: boolean;
  /** Roots of what it is about, beside its acts and the places that content comes from. */
  topics: ReadonlySet<string>;
}

const sourceWords = new Set(
  `file document page website webpage site email mail e-mail message note list invoice bill ticket instruction link channel
  inbox calendar thread attachment article post blog todo doc pdf letter notice memo issue comment event chat url repo
  repository readme spreadsheet sheet report transcript conversation review history statement wiki handbook manual
  runbook checklist guide guideline policy procedure protocol plan leaflet contract agreement receipt catalogue cv resume
  request application incident case claim file folder form notes log feed`
    .split(/\s+/)
    .map(root),
);

const pointers = new Set(
  `the a an my his her their our your this that these those all any each in from on at of last latest next every its new open incoming unread today`.split(
    /\s+/,
  ),
);

/** "In the mail", not "mail it" and not "put it into my calendar". */
function isSource(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at);
  if (before.includes('into') || before.includes('onto')) return false;
  const isPointed = before.some((word) => pointers.has(word) || /['’]s$/.test(word));
  return isPointed || /\d|\.\w+$/.test(words[at + 1] ?? '') || /^\d/.test(words[at + 2] ?? '');
}

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
function sensesOf(words: readonly string[]): Set<string> {
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

/** "Zahl" and "zahle": spoken German leaves out the end of an imperative. */
const actsOf = (word: string): readonly string[] => {
  const found = actsAbroad(word);
  return found.length > 0 || word.length < 3 || word.endsWith('e') ? found : actsAbroad(`${word}e`);
};

/** "Die Mail", "le mail": where other languages have the word from English, a verb of one is a thing in another. */
const isMail = (words: readonly string[], at: number) =>
  mailVerbs.has(words[at] ?? '') && articlesAbroad.has(words[at - 1] ?? '');

const maxText = 60_000;

const idShape = /[\p{L}\d][\p{L}\d_/-]{0,40}/gu;
const idsIn = (lower: string): string[] =>
  (lower.slice(0, 4000).match(idShape) ?? []).filter((token) => /\d/.test(token)).slice(0, 50);

const moneyShape =
  /[$€£¥₹]|\b(?:money|dollars?|euros?|pounds?|usd|eur|gbp|chf|jpy|cents?|bucks|rent|salary|funds?|payments?|deposit|fees?|donations?|tips?|crypto|bitcoin|btc|eth|iban|account|bills?|invoices?)\b/;
const stopWords = new Set(
  `about after again also another because been before both could does doing done down each else ever every everything
  anything whatever from give have here into just kindly know like make many more most much need once only other over
  please same should some such take than that their them then there these they thing this those through until very want
  were what when where which while will with within without would your yours says said asks asked wants tells told
  follow follows following obey work works working through according handle deal deals implement apply process sort ours mine
  kindly today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday week month year`
    .split(/\s+/)
    .map(root),
);

const isTopic = (word: string) =>
  word.length > 3 &&
  !/\d/.test(word) &&
  !stopWords.has(root(word)) &&
  !sourceWords.has(root(word)) &&
  verbSenses(word).length === 0 &&
  nounSenses(word).length === 0;

const topicsOf = (words: readonly string[]): Set<string> => new Set(words.filter(isTopic).map(root));

/** Who asks something wants it looked up, and nothing else done. */
const question =
  /\?|(?:^|[.!\n]\s*)(?:what|which|who|whose|whom|when|where|why|how|is|are|was|were|do|does|did|has|have|had|any)\b/;

/** "Move 50 into the pot". */
const pots = /\b(?:pots?|savings?|wallets?|piggy ?bank|money ?box)\b/;
const setAside = /\b(?:move|put|add|shift|top up|set aside)\b.{0,20}\d/;

/** "Hotel near the fair, 3 to 6 March": who names it first wants to have it. */
const elliptic =
  /^(?:an? |the |one |two |\d )?(?:cheap\S* |direct |single |double |return )?(?:flights?|hotels?|rooms?|tables?|trains?|taxis?|cabs?|rental cars?|ferr(?:y|ies))\b(?! (?:is|was|are|were|has|had|needs?|wants?|\d))/m;

/** Reads the user's turns as one request. */
export function readRequest(turns: readonly string[]): Request {
  const text = turns.join('\n').slice(-maxText);
  const lower = text.toLowerCase();
  const words = textWords(lower.replaceAll(/\b(?:log|sign)(?:ging|ning)? (?:in|on)(?:to)?\b/g, 'login'));
  // "Pick-up" and `pickup`.
  const inOne = lower.includes('-') ? textWords(lower.replaceAll('-', '')) : [];
  const roots = new Set([...words, ...inOne].map(root));
  const entities = entitiesOf(text);
  const namesSource =
    words.some((word, at) => sourceWords.has(root(word)) && isSource(words, at)) ||
    entities.some(({ kind }) => kind === 'path' || kind === 'url');
  const senses = sensesOf(words);
  if (pots.test(lower) && setAside.test(lower)) senses.add('pay');
  if (elliptic.test(lower)) for (const sense of ['book', 'buy']) senses.add(sense);
  const isUnread = isOtherLanguage(lower) || (senses.size === 0 && !question.test(lower));
  if (isUnread)
    for (const sense of words.flatMap((word, at) => (isMail(words, at) ? [] : actsOf(word))))
      senses.add(sense);
  return {
    text,
    isUnread,
    lower,
    roots,
    senses,
    entities,
    values: new Set(entities.map(({ value }) => value)),
    hosts: new Set(
      entities
        .filter(({ kind }) => ['url', 'host', 'email'].includes(kind))
        .map(({ value }) => hostOf(value)),
    ),
    quoted: quotedTexts(text).map((quote) => quote.toLowerCase()),
    ids: idsIn(lower),
    delegation: delegationIn(lower, senses, namesSource),
    onlyAsks: onlyAsks(turns, senses, isUnread),
    namesMoney: moneyShape.test(lower),
    topics: topicsOf(words),
  };
}

/** Whether the user's words ask for one of these acts, or for one near to it. */
export function asksFor(request: Request, senses: Iterable<string>): boolean {
  for (const sense of senses)
    for (const asked of request.senses)
      if (areKin(sense, asked) && !isMereSending(request, sense, asked)) return true;
  return false;
}

/** Whether the user's words ask for one of these acts, or for one that can hardly be told from it. */
export function asksNearly(request: Request, senses: Iterable<string>): boolean {
  for (const sense of senses)
    for (const asked of request.senses) if (areNearlyAlike(sense, asked)) return true;
  return false;
}

/** "Send it to her" asks for a payment only where it is money. */
const isMereSending = ({ namesMoney }: Request, sense: string, asked: string) =>
  sense === 'pay' && asked === 'send' && !namesMoney;

/** Whether the user named this value: an address, a name, a number, a text. */
export function namesValue(request: Request, value: string): boolean {
  const lower = value.toLowerCase().trim();
  if (lower === '' || request.values.has(lower)) return true;
  if (lower.length <= 200 && request.lower.includes(lower)) return true;
  if (lower.length <= 120) {
    const words = textWords(lower).filter((word) => word.length > 1);
    return words.length > 0 && words.length <= 6 && words.every((word) => request.roots.has(root(word)));
  }
  return false;
}
