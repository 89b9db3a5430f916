import type { Condition } from '../../clauses.ts';
import { earlierOf, readCondition } from '../rule-condition.ts';
import { roles } from './frame-readers.ts';
import { isEmptyWord, isSpecific } from '../../things.ts';
import { textWords } from '../../words.ts';
import { readAction } from './action-phrase.ts';
import { takeNumbers } from './numbers.ts';

/** What has to be so, or makes an exception. */
export interface Need {
  text: string;
  conditions: Condition[];
  /** Somebody has to say yes. */
  asks: boolean;
  /** Whether a trace can show it. */
  known: boolean;
}

const shown =
  /\b(?:show\w*|preview\w*|present\w*|summari[sz]\w*|display\w*|read\w* back|repeat\w* back|tell\w*|warn\w*|inform\w*|explain\w*)\b.{0,40}\b(?:them|user|customer|client|guest|patient|him|her|person|caller|me|what|draft|summary|total|price|cost|changes?|details|recipient)\b/i;
const placed: ReadonlySet<Condition['test']> = new Set([
  'destination',
  'path',
  'extension',
  'tool',
  'time',
  'amount',
  'amount_under',
  'literal',
  'number',
  'differs',
  'count',
  'repeat',
]);

const madeShape =
  /\b(encrypted|anonymi[sz]ed|redacted|masked|pseudonymi[sz]ed|compressed|watermarked|password[- ]protected|dated|tagged|labell?ed|numbered)\b/i;

/** It goes to them, or they said yes. */
function readSeen(who: string): Need {
  const approved = readCondition(`approved by ${who}`).conditions;
  const about = readAction(who, { isSituation: true }).conditions.filter(({ test }) => test === 'about');
  return {
    text: who,
    conditions: [{ test: 'any', of: [approved, about].filter((all) => all.length > 0) }],
    asks: true,
    known: true,
  };
}

/** Says just what is meant. */
const isNamed = (one: Condition) =>
  one.test === 'data' ||
  (one.test === 'about' && one.phrases.some(({ words, hard }) => hard.length > 0 || words.some(isSpecific)));

const stateShape =
  /\b(?:be|is|are|was|were|been|already) (?:fully |already )?(merged|closed|paid|shipped|delivered|signed|published|encrypted|archived|resolved|completed|confirmed|active|open|expired|cancelled|settled|inactive)\b/i;
const placeStart =
  /^(?:to|in|on|at|from|via|through|with|by|using|for|within|inside|into|the|an?|hr|it|our|those|members?)\b/i;

type Conditions = Condition[] | undefined;

const some = (conditions: Condition[]): Conditions => (conditions.length > 0 ? conditions : undefined);

const readState = (said: string): Conditions => {
  const state = stateShape.exec(said)?.[1];
  return state === undefined ? undefined : [{ test: 'state', states: [state.toLowerCase()], strict: true }];
};

const readPlaces = (said: string): Conditions =>
  some(readAction(said, { isSituation: true }).conditions.filter(({ test }) => placed.has(test)));

/** Things that the call has to name. */
function readThings(said: string): Conditions {
  const things = readAction(said, { isSituation: true }).conditions.filter(
    ({ test }) => test === 'data' || test === 'about',
  );
  const telling = things.filter(isNamed);
  if (telling.length > 0) return telling;
  return placeStart.test(said) || said.split(' ').length <= 5 ? some(things) : undefined;
}

/** Words that have to be met somewhere in the trace. */
function readMention(said: string): Condition[] {
  const words = textWords(said).filter((word) => !isEmptyWord(word) && word.length > 2);
  return words.length === 0 ? [] : [{ test: 'mentioned', words: words.slice(0, 8) }];
}

const readMade = (said: string): Conditions => {
  const made = madeShape.exec(said)?.[1];
  return made === undefined
    ? undefined
    : [{ test: 'any', of: [[{ test: 'argument', words: [made] }], readCondition(said).conditions] }];
};

/** "Must include the purpose of the payment": an argument of that name, also where the word says little elsewhere. */
function readIncluded(said: string): Conditions {
  const name =
    /^includes? (?:an? |the |its |their |at least one )?([a-z-]+(?: (?:number|code|date|id))?)\b/i.exec(
      said,
    )?.[1];
  if (name === undefined || textWords(name).some((word) => !isEmptyWord(word))) return undefined;
  return [{ test: 'argument', words: textWords(name) }];
}

/** "Call them to confirm it": a call that was made, or somebody's word that it was. */
const readPhoned = (said: string): Conditions =>
  /^(?:an? |the )?(?:successful |recorded |prior )?(?:call|phone|ring|contact|call-?backs?|calling|phoning|ringing)\b(?! (?:centre|center|log|number))/i.test(
    said,
  )
    ? [
        {
          test: 'any',
          of: [
            [{ test: 'earlier', senses: [], phrases: [{ words: ['call', 'phone', 'contact'], hard: [] }] }],
            readCondition(said).conditions,
          ],
        },
      ]
    : undefined;

/** "The address on file": what a look-up has answered. */
const onFile =
  /\b(?:address|account|number|email|phone|iban|card|details)\b.{0,20}\b(?:on file|on record|in our records)\b|\b(?:registered|stored) (?:address|account|number|email|details)\b/i;
const listShape =
  /\b(?:on|in|from|part of|among) (?:the |our |an? )?(?:(?:approved|allowed|official|company|current|agreed) )*([a-z]+(?: [a-z]+)?)? ?(?:list|register|registry|catalog(?:ue)?|directory|whitelist|allowlist)\b|\b([a-z]+s) (?:that )?we have (?:paid|used|dealt with|bought from|ordered from|worked with|contacted) before\b/i;

/** "Vendors on the approved vendor list": an earlier look-up has to name what the call names. */
function readListed(said: string): Conditions {
  if (readPlaces(said)?.some(({ test }) => test === 'destination') === true) return undefined;
  if (onFile.test(said)) return [{ test: 'listed', words: [] }];
  const match = listShape.exec(said);
  if (match === null) return undefined;
  const before = /([a-z]+)\s*$/i.exec(said.slice(0, match.index))?.[1] ?? '';
  const known = match[2] === undefined ? '' : 'payee payment transaction history contact';
  const words = textWords(`${match[1] ?? match[2] ?? ''} ${before} ${known}`).filter(
    (word) => !isEmptyWord(word),
  );
  return words.length === 0 ? undefined : [{ test: 'listed', words: [...new Set(words)] }];
}

const lackShape =
  /\b(?:has|have|had|there (?:is|are|was)|with|shows?|owes?) (?:no|not any|nothing)\b(?: (?:other|further|more))? ?((?:[a-z'-]+(?: [a-z'-]+){0,3})?)$/i;

/** "The account has no open balance". */
export function lackOf(text: string): Condition[] {
  const match = lackShape.exec(text.trim());
  const words = textWords(match?.[1] ?? '').filter((word) => word.length > 2 && word !== 'the');
  return words.length === 0 ? [] : [{ test: 'lacks', words }];
}

const several = new RegExp(
  String.raw`^(?:approved by |be approved by |the approval of |approval (?:by|from|of) |sign-?off (?:by|from) |a review by )?(?:at least )?(two|three|four|five|\d)\s+(?:(?:other|different|separate|independent|code|senior|of) )*(reviewers?|reviews|approvals?|approvers?|signatures?|signatories|people|persons|managers?|engineers?|colleagues?|directors?|admins?|sign-?offs?|nurses?|doctors?|eyes)\b`,
  'i',
);
const counts: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5 };

/** "Two reviewers": as many yeses in an argument; the call of another tool cannot show who they were. */
function readSeveral(said: string): Conditions {
  const match = several.exec(said);
  if (match === null) return undefined;
  const wanted = counts[(match[1] ?? '').toLowerCase()] ?? Number(match[1]);
  const of = [
    'approvals',
    'approvers',
    'reviewers',
    'reviews',
    'signatures',
    'approved',
    'signatories',
    'votes',
  ];
  const counted: Condition = { test: 'number', of, over: wanted - 0.5 };
  return [{ test: 'any', of: [[counted], readCondition(`approved ${said}`).conditions] }];
}

/** What a call or the steps before it show: a state, a quantity, that the user was told, a place. */
const readSeenState = (said: string): Conditions =>
  readState(said) ??
  some(takeNumbers(said).conditions) ??
  (shown.test(said) ? [{ test: 'told' }] : undefined) ??
  readPlaces(said);

/** The call is what has to be done ("escalate to a human"), or an earlier step was. */
export function dutyOf(text: string): Need[] {
  if (text === '') return [];
  const action = readAction(text.replace(/^(?:always|immediately|first|please)\s+/i, ''), {
    isVerbPhrase: true,
  });
  const verbs = action.conditions.flatMap((one) => (one.test === 'verb' ? (one.words ?? []) : []));
  const spoken = action.conditions.flatMap((one) => (one.test === 'verb' ? (one.said ?? []) : []));
  const role = new RegExp(String.raw`\b${roles}\b`, 'i').exec(text)?.[0].toLowerCase();
  const does: Condition = { test: 'verb', senses: [], words: verbs, said: spoken };
  const did: Condition = { test: 'earlier', senses: [], phrases: [{ words: spoken, hard: [] }] };
  const named: Condition[] =
    role === undefined ? [] : [{ test: 'about', phrases: [{ words: [role], hard: [] }] }];
  const conditions: Condition[] = [
    { test: 'any', of: [[does], [did], named].filter((all) => all.length > 0) },
  ];
  return [{ text, conditions, asks: false, known: true }];
}

const speech =
  /^(?:first )?(?:offering|telling|informing|warning|explaining|mentioning|quoting|proposing|suggesting|disclosing|reminding|advising|asking|stating|providing|giving|announcing)\b/i;

/** "Without offering a discount": an earlier step did it, or the agent said so. */
const readDone = (said: string): Conditions =>
  /^(?:first )?[a-z]+ing\b/i.test(said)
    ? [{ ...earlierOf(said.toLowerCase(), []), ...(speech.test(said) ? { said: true } : {}) } as Condition]
    : undefined;

/** "The owner is at home": the call or what was told says so. */
function readSituation(said: string): Conditions {
  const predicate =
    /^(?:the |an? |our |their |its |no )?[\w' -]{2,40}? (?:is|are|was|were)\s+(.{3,60})$/i.exec(said)?.[1];
  const mention = predicate === undefined ? [] : readMention(predicate);
  return mention.length === 0 ? undefined : mention;
}

/** "Approved vendors": somebody has to say that this is one. */
function readAdjective(said: string): Conditions {
  const state =
    /^(approved|verified|registered|certified|eligible|active|insured|licensed|validated) [a-z]+s$/i.exec(
      said,
    )?.[1];
  return state === undefined ? undefined : [{ test: 'state', states: [state.toLowerCase()], strict: true }];
}

/** "The ticket is marked urgent". */
function readMarked(said: string): Conditions {
  const mark =
    /\b(?:is|are|was|were) (?:marked|flagged|tagged|labell?ed|classified|rated|listed)(?: as)? (.{3,40})$/i.exec(
      said,
    )?.[1];
  return some(mark === undefined ? [] : readMention(mark));
}

/** "Asking for the order number": the agent did so. */
function readAskedFor(said: string): Conditions {
  const what = /^asking for (?:the |an? |their |his |her )?(.{2,40})$/i.exec(said)?.[1];
  const words = textWords(what ?? '');
  if (words.length === 0) return undefined;
  return [{ test: 'earlier', senses: ['compute'], phrases: [{ words, hard: [] }], said: true }];
}

const firstOf =
  (readers: readonly ((said: string) => Conditions)[]) =>
  (said: string): Conditions => {
    for (const read of readers) {
      const found = read(said);
      if (found !== undefined) return found;
    }
    return undefined;
  };

/** What is put in words of its own, before anything else is looked for. */
const readSaid = firstOf([
  readAdjective,
  readAskedFor,
  (said) => some(lackOf(said)),
  readIncluded,
  readMade,
  readPhoned,
  readSeveral,
  readListed,
  readMarked,
]);

const readRest = firstOf([readDone, readSituation, readThings]);

/** Reads an exception or a requirement. */
export function readNeed(text: string): Need {
  const said = text.trim();
  const known = (conditions: Condition[]): Need => ({ text: said, conditions, asks: false, known: true });
  const seenBy = /^seen by (.+)$/i.exec(said)?.[1];
  if (seenBy !== undefined) return readSeen(seenBy);
  const own = readSaid(said);
  if (own !== undefined) return known(own);
  const reading = readCondition(said);
  if (reading.asks) return { text: said, ...reading };
  const seen = readSeenState(said);
  if (seen !== undefined) return known(seen);
  if (reading.known) return { text: said, ...reading };
  const rest = readRest(said) ?? readMention(said);
  return { text: said, conditions: rest, asks: false, known: rest.length > 0 };
}
