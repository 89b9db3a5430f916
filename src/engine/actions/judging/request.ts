import { type Entity, entitiesOf, hostOf, quotedTexts } from '../calls/entities.ts';
import type { Delegation } from './delegation.ts';
import { delegationIn, onlyAsks } from './questions.ts';
import type { Directive } from './asked/directive.ts';
import { directivesOf } from './asked/directives.ts';
import { actsOf, isMail, pointers, sensesOf } from './asked/senses.ts';
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
  /** What is forbidden and what is wanted, part by part; empty where nothing is forbidden. */
  parts: readonly Directive[];
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

/** "In the mail", not "mail it" and not "put it into my calendar". */
function isSource(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at);
  if (before.includes('into') || before.includes('onto')) return false;
  const isPointed = before.some((word) => pointers.has(word) || /['’]s$/.test(word));
  return isPointed || /\d|\.\w+$/.test(words[at + 1] ?? '') || /^\d/.test(words[at + 2] ?? '');
}

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
  /\?|(?:^|[.!\n][^\S\n]*)(?:what|which|who|whose|whom|when|where|why|how|is|are|was|were|do|does|did|has|have|had|any)\b/;

/** "Move 50 into the pot". */
const pots = /\b(?:pots?|savings?|wallets?|piggy ?bank|money ?box)\b/;
const setAside = /\b(?:move|put|add|shift|top up|set aside)\b.{0,20}\d/;

/** "Hotel near the fair, 3 to 6 March": who names it first wants to have it. */
const elliptic =
  /^(?:an? |the |one |two |\d )?(?:cheap\S* |direct |single |double |return )?(?:flights?|hotels?|rooms?|tables?|trains?|taxis?|cabs?|rental cars?|ferr(?:y|ies))\b(?! (?:is|was|are|were|has|had|needs?|wants?|\d))/m;

const wordsOf = (lower: string): string[] =>
  textWords(lower.replaceAll(/\b(?:log|sign)(?:ging|ning)? (?:in|on)(?:to)?\b/g, 'login'));

interface Asked extends Pick<Request, 'senses' | 'parts' | 'isUnread'> {
  /** Each turn without what it forbids. */
  readonly wanted: readonly string[];
}

/** The acts that are asked for, without those that are forbidden. */
function actsAsked(turns: readonly string[], lower: string, words: readonly string[]): Asked {
  const isForeign = isOtherLanguage(lower);
  const all = sensesOf(words);
  const isOpaque = all.size === 0 && !question.test(lower);
  const read = directivesOf(bounded(turns, lower), isForeign || (isOpaque && 'maybe'));
  const forbids = read.parts.length > 0;
  const said = forbids ? read.wanted.join('\n') : lower;
  const wantedWords = forbids ? wordsOf(said) : words;
  const senses = forbids ? sensesOf(wantedWords) : all;
  addIdioms(senses, said);
  const onlyForbids = forbids && textWords(said).length < 2;
  const isUnread = isForeign || !isRead(senses, lower, onlyForbids);
  if (isUnread) addAbroad(senses, wantedWords);
  return { senses, parts: read.parts, wanted: forbids ? read.wanted : turns, isUnread };
}

/** Who only forbids something has been read, too. */
const isRead = (senses: ReadonlySet<string>, lower: string, onlyForbids: boolean): boolean =>
  senses.size > 0 || question.test(lower) || onlyForbids;

const bounded = (turns: readonly string[], lower: string) =>
  turns.reduce((sum, turn) => sum + turn.length, 0) > maxText ? [lower] : turns;

function addAbroad(senses: Set<string>, words: readonly string[]): void {
  words.forEach((word, at) => {
    if (!isMail(words, at)) for (const sense of actsOf(word)) senses.add(sense);
  });
}

function addIdioms(senses: Set<string>, said: string): void {
  if (pots.test(said) && setAside.test(said)) senses.add('pay');
  if (elliptic.test(said)) for (const sense of ['book', 'buy']) senses.add(sense);
}

/** Reads the user's turns as one request. */
export function readRequest(turns: readonly string[]): Request {
  const text = turns.join('\n').slice(-maxText);
  const lower = text.toLowerCase();
  const words = wordsOf(lower);
  // "Pick-up" and `pickup`.
  const inOne = lower.includes('-') ? textWords(lower.replaceAll('-', '')) : [];
  const roots = new Set([...words, ...inOne].map(root));
  const entities = entitiesOf(text);
  const namesSource =
    words.some((word, at) => sourceWords.has(root(word)) && isSource(words, at)) ||
    entities.some(({ kind }) => kind === 'path' || kind === 'url');
  const { senses, parts, wanted, isUnread } = actsAsked(turns, lower, words);
  return {
    text,
    isUnread,
    lower,
    roots,
    senses,
    parts,
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
    onlyAsks: onlyAsks(wanted, senses, isUnread),
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
