import { type Entity, entitiesOf, hostOf, quotedTexts } from '../calls/entities.ts';
import { areKin, nounSenses, verbSenses } from '../verbs.ts';
import { root, textWords } from '../words.ts';

/** How far the user hands the wheel to a content: not, for one thing (the account on a bill), or wholly. */
export type Delegation = 'none' | 'value' | 'open';

/** What the user asked for, over all turns. */
export interface Request {
  text: string;
  lower: string;
  roots: ReadonlySet<string>;
  senses: ReadonlySet<string>;
  entities: readonly Entity[];
  values: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
  quoted: string[];
  delegation: Delegation;
  /** Words for a place that content comes from: file, website, inbox, … */
  namesSource: boolean;
}

const sourceWords = new Set(
  `file document page website webpage site email mail e-mail message note list invoice bill ticket instruction link channel
  inbox calendar thread attachment article post blog todo doc pdf letter notice memo issue comment event chat url repo
  repository readme spreadsheet sheet report transcript conversation review history statement`
    .split(/\s+/)
    .map(root),
);

const pointers = new Set(
  `the a an my his her their our your this that these those all any each in from on at of last latest next every`.split(
    /\s+/,
  ),
);

/** "In the mail", not "mail it" and not "put it into my calendar". */
function isSource(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - 3), at);
  if (before.includes('into') || before.includes('onto')) return false;
  return before.some((word) => pointers.has(word)) || /^\d|^[\w-]+\.\w+$/.test(words[at + 1] ?? '');
}

const openPhrases: readonly RegExp[] = [
  /\b(?:follow|execute|carry out|complete|perform|do|obey|implement|apply|finish|work through|take care of|handle|process)\b.{0,40}\b(?:instructions?|tasks?|steps?|to-?dos?|to-?do list|checklist|actions?|action items?|orders?|directions?|whatever|everything|anything|requests?)\b/,
  /\b(?:whatever|everything|anything|what) (?:it|they|he|she|the \w+|that \w+|is|are) (?:says?|asks?|tells?|wants?|needs?|requests?|requires?|asked|said)\b/,
  /\bwhat (?:is|are) (?:asked|requested|said|written|needed)\b/,
  /\b(?:do|apply|implement|follow|make|fix|address|carry out) (?:exactly |just )?what(?:ever)? [\w'-]+ (?:asks?|wants?|says?|requests?|suggests?|proposes?)\b/,
  /\b(?:as|like|the way) (?:the|this|that|my|our|his|her) [\w.-]+ (?:says?|tells?|describes?|explains?|asks?|wants?|instructs?)\b/,
  /\b(?:as|like) (?:described|explained|written|said|stated|shown|asked|requested|instructed|documented) (?:in|by|on)\b/,
];

const negated = /\b(?:do not|don't|never|without)\s+(?:follow|execut|obey|act)/;

/** "The following tasks: …" are the user's own words, not those of a content. */
const opens = (phrase: string | undefined) => phrase !== undefined && !/\bfollowing\b/.test(phrase);

function delegationOf(lower: string, namesSource: boolean): Delegation {
  if (namesSource && !negated.test(lower) && openPhrases.some((phrase) => opens(phrase.exec(lower)?.[0])))
    return 'open';
  return namesSource ? 'value' : 'none';
}

const carriers = new Set(
  'make do send create set schedule issue process request need want place get give write submit initiate perform arrange'.split(
    ' ',
  ),
);
const softNouns = new Set(
  'order orders book books charge charges bill bills record records post posts list lists schedule report reports log logs release check transfer'.split(
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
  softNouns.has(words[at] ?? '') && (articles.has(words[at - 1] ?? '') || /^\d/.test(words[at + 1] ?? ''));

const people = new Set(['i', 'we', 'he', 'she', 'they', 'it']);

/** "What did I spend" asks about an act, not for it. */
const isPast = (words: readonly string[], at: number) =>
  people.has(words[at - 1] ?? '') && words[at - 2] === 'did';

/** To mend or turn something into something else is to write. */
const mending = new Set(
  'fix repair translate refactor implement adapt convert rework improve solve extend simplify document'.split(
    ' ',
  ),
);
const planning = new Set(['plan', 'organise', 'organize', 'arrange', 'prepare', 'design', 'outline']);
const opened = /\bopen(?:ing)?\b.{0,20}\b(?:pull|merge|pr|issues?|tickets?|cases?|accounts?)\b/;

/** Verbs of sending that are also things: `message`, `email`, `post`; in a request they are taken as both. */
function sensesOf(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  words.forEach((word, at) => {
    if (!isThing(words, at) && !isPast(words, at)) for (const sense of verbSenses(word)) found.add(sense);
    if (mailVerbs.has(word) && !pointers.has(words[at - 1] ?? '')) found.add('send');
  });
  words.forEach((word, at) => {
    const carried = words.slice(Math.max(0, at - 4), at).some((before) => carriers.has(before));
    if (carried || found.size === 0) for (const sense of nounSenses(word)) found.add(sense);
  });
  if (opened.test(words.join(' '))) found.add('create');
  if (words.some((word) => planning.has(word))) for (const sense of ['create', 'schedule']) found.add(sense);
  if (words.some((word) => mending.has(word))) for (const sense of ['update', 'write']) found.add(sense);
  if (
    /\bwrite\b.{0,40}\b(?:message|email|mail|him|her|them|to)\b|\bmessage\b|\breply\b/.test(words.join(' '))
  )
    found.add('send');
  return found;
}

const maxText = 60_000;

/** Reads the user's turns as one request. */
export function readRequest(turns: readonly string[]): Request {
  const text = turns.join('\n').slice(-maxText);
  const lower = text.toLowerCase();
  const words = textWords(lower.replaceAll(/\b(?:log|sign)(?:ging|ning)? (?:in|on)(?:to)?\b/g, 'login'));
  const roots = new Set(words.map(root));
  const entities = entitiesOf(text);
  const namesSource =
    words.some((word, at) => sourceWords.has(root(word)) && isSource(words, at)) ||
    entities.some(({ kind }) => kind === 'path' || kind === 'url');
  return {
    text,
    lower,
    roots,
    senses: sensesOf(words),
    entities,
    values: new Set(entities.map(({ value }) => value)),
    hosts: new Set(
      entities
        .filter(({ kind }) => ['url', 'host', 'email'].includes(kind))
        .map(({ value }) => hostOf(value)),
    ),
    quoted: quotedTexts(text).map((quote) => quote.toLowerCase()),
    delegation: delegationOf(lower, namesSource),
    namesSource,
  };
}

/** Whether the user's words ask for one of these acts, or for one near to it. */
export function asksFor(request: Request, senses: Iterable<string>): boolean {
  for (const sense of senses) for (const asked of request.senses) if (areKin(sense, asked)) return true;
  return false;
}

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
