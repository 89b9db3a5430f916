import type { Condition, RuleClause } from '../../clauses.ts';
import { alternativesOf } from '../rule-alternatives.ts';
import { earlierOf } from '../rule-condition.ts';
import { isEmptyWord, isSpecific, people } from '../../things.ts';
import { verbSenses } from '../../verbs.ts';
import { textWords } from '../../words.ts';
import { type ReadAction, readAction } from './action-phrase.ts';
import { frameOf } from './frame.ts';
import type { Frame } from './frame-readers.ts';
import { dutyOf, lackOf, type Need, readNeed } from './need.ts';
import type { Statement } from './statements.ts';

/** Clauses of one statement, and the parts of it that no trace can show. */
export interface StatementReading {
  clauses: RuleClause[];
  left: string[];
}

const where = String.raw`(?:on|in|at|to|from|for|before|after|over|above|below|under|outside|during|between|via|by|without|containing|more than|less than|older than|longer than)`;
/** "On public holidays or before 9 am", "to partners or for more than a year": each is enough. */
const eitherWay = new RegExp(
  String.raw`^(.{4,}?)\s+(${where}\s[^,]{2,60}?),?\s+(?:or|nor)\s+(${where}\s.{2,})$`,
  'i',
);

/** "Delete logs or change settings": two acts with an object each. */
function actionsOf({ action, isVerbPhrase, isLimit }: Frame): string[] {
  const acts = isVerbPhrase ? alternativesOf(`must not ${action}`) : undefined;
  if (acts !== undefined) return acts.map((one) => one.replace(/^must not\s+/, ''));
  const [, act = '', one = '', other = ''] = (isLimit ? null : eitherWay.exec(action)) ?? [];
  return act === '' ? [action] : [`${act} ${one}`, `${act} ${other}`];
}

const stateShape =
  /\b(?:(?:is|are|was|were|has been|have been|been|already|being|gets?|has|have) (?:already |still |currently |being |in |on |under )?(closed|open|opened|confirmed|paid|shipped|delivered|cancell?ed|approved|rejected|archived|locked|frozen|active|inactive|expired|pending|overdue|signed|published|submitted|completed?|finished|resolved|suspended|deleted|disputed|checked[- ]in|occupied|moving|running|sold|refunded|deployed|merged|review|legal hold|hold|maintenance|dispute|investigation|freeze|flagged|blocked|enabled|disabled|armed|unlocked|discharged|deceased|withdrawn|revoked|opted[- ]out|unsubscribed|declined|banned|blacklisted|terminated|retired|stolen|lost|settled|locked out|final|final|draft|quarantined?))\b/i;

const fillers = new Set(['still', 'currently', 'already', 'yet', 'again', 'really', 'actually']);

/** "Applicants under 21": who it is says nothing beside the number. */
const isPerson =
  /^(?:the |an? |any |all )?(?:new )?(?:applicants?|candidates?|customers?|clients?|users?|patients?|persons?|people|guests?|members?|employees?|students?|tenants?|drivers?|passengers?|buyers?|borrowers?|players?|children|visitors?)\b[^a-z]*(?:(?:under|over|below|above|younger|older)\b.*)?$/i;

/** Few are in such a state: where nobody says that this one is, it is not. */
const exceptional =
  /^(?:withdrawn|revoked|opted[- ]out|unsubscribed|banned|blacklisted|stolen|lost|disputed|dispute|investigation|flagged|quarantined?|deceased|frozen|freeze|suspended|locked|locked out|terminated|legal hold|overdue|discharged)$/;

/** Words that have to be met somewhere in the trace. */
function mentionOf(text: string): Condition[] {
  const all = textWords(text).filter((word) => !isEmptyWord(word) && word.length > 2 && !fillers.has(word));
  const telling = all.filter((word) => !people.has(word));
  const words = telling.length > 0 ? telling : all;
  return words.length === 0 ? [] : [{ test: 'mentioned', words: words.slice(0, 8) }];
}

/** "A customer mentions a lawyer": what is spoken of is looked for, not who speaks. */
const speaking =
  /^(?:the |an? |any |some)?(?:user|customer|client|guest|caller|patient|person|somebody|someone|sender|message|ticket|email|they|he|she)s?\s+(?:mentions?|talks? about|speaks? of|speaks? about|brings? up|threatens?(?: with)?|refers? to|raises?|complains? about|says? (?:something )?about)\s+(?:the |an? |any )?(.{3,80})$/i;

/** What is spoken of, or what something is marked as. */
function toldOf(text: string): Condition[] {
  const spoken = speaking.exec(text)?.[1];
  const each = spoken?.split(/,?\s+or\s+|,\s*/).flatMap((one) => mentionOf(one)) ?? [];
  if (each.length > 0) return [{ test: 'any', of: each.map((one) => [one]) }];
  const marked = /\b(?:flagged|marked|tagged|classified|listed|labell?ed) as (.{3,60})$/i.exec(text);
  return marked === null ? [] : mentionOf(marked[1] ?? '');
}

interface Given {
  conditions: Condition[];
  left: string[];
}

const given = (conditions: Condition[], left: string[] = []): Given => ({ conditions, left });

const saysJust = (one: Condition): boolean =>
  one.test !== 'about' || one.phrases.some(({ words, hard }) => hard.length > 0 || words.some(isSpecific));

/** What a rule gives as the situation: quantities, data and places are looked for in the call, states in what was told. */
function givenOf(text: string): Given {
  const lack = lackOf(text);
  if (lack.length > 0) return given(lack);
  const told = toldOf(text);
  if (told.length > 0) return given(told);
  const state = stateShape.exec(text);
  const rest = state === null ? text : text.replace(state[0], ' ');
  const asked =
    /^(?:the |an? )?(?:user|customer|client|guest|caller) (?:asks?|wants?|requests?)\s+(?:for |to )?/i;
  const { conditions } = readAction(rest.replace(asked, ''), { isSituation: true });
  const kept = conditions.filter(saysJust);
  const seen = kept.filter(({ test }) => test !== 'about');
  if (state !== null) return given([...seen, stateOf(state[1] ?? '')]);
  if (seen.length > 0 && seen.length === kept.length) return given(seen);
  return mentionedOf(rest, seen, text.trim());
}

function stateOf(said: string): Condition {
  const named = said.toLowerCase();
  return { test: 'state', states: [named], ...(exceptional.test(named) ? { strict: true } : {}) };
}

/** What the words of the trace have to show, where no test of the call does. */
function mentionedOf(rest: string, seen: Condition[], text: string): Given {
  // What is not there cannot be met as a word.
  if (/\b(?:nobody|no one|no-one|nothing|none)\b/i.test(rest)) return given(seen, [text]);
  const isCounted = seen.some(({ test }) => test === 'number') && isPerson.test(rest.trim());
  const mention = isCounted ? [] : mentionOf(rest);
  return given([...seen, ...mention], seen.length === 0 && mention.length === 0 ? [text] : []);
}

/** "After X": a step of the trace where X is something that an agent does, else a state. */
function afterOf(text: string): Condition[] {
  const state = stateShape.exec(text);
  if (state !== null) return [{ test: 'state', states: [(state[1] ?? '').toLowerCase()] }];
  const action = readAction(text, { isVerbPhrase: /^\w+ing\b/i.test(text) });
  return [earlierOf(text.toLowerCase(), action.senses)];
}

/** "The robot vacuum may not run": what is done is done with it. */
function subjectOf(text: string): Condition[] {
  if (text === '') return [];
  const { conditions } = readAction(text, { isSituation: true });
  return conditions.map((one) =>
    one.test === 'about' ? { ...one, phrases: one.phrases.map(({ words, hard }) => ({ words, hard })) } : one,
  );
}

/** What is behind "only": each kind of place, hour or amount in it is what is allowed. */
function allowedOf(text: string): Condition[] {
  const allowed = readNeed(text).conditions.map(positive);
  // "Devices in the pilot group": what stands last says which.
  const things = allowed.filter(({ test }) => test === 'about');
  return things.length === allowed.length ? things.slice(-1) : allowed;
}

function positive(condition: Condition): Condition {
  if (condition.test === 'destination' && condition.where === 'not_in') return { ...condition, where: 'in' };
  if (condition.test === 'path') return { ...condition, where: 'under' };
  if (condition.test === 'tool') return { ...condition, where: 'in' };
  if (condition.test === 'amount') return { test: 'amount_under', under: condition.over };
  return condition;
}

const thingTests: ReadonlySet<Condition['test']> = new Set(['about', 'literal']);
const placeStart = /^(?:to|in|on|at|from|via|through|within|inside|into)\b/i;

/** "Needs a customs declaration": named by the call, or what an earlier step did. */
function orEarlier({ text, conditions }: Need): Condition[] {
  if (conditions.length === 0 || placeStart.test(text)) return conditions;
  if (!conditions.every(({ test }) => thingTests.has(test))) return conditions;
  const earlier = earlierOf(text.toLowerCase(), []);
  return [{ test: 'any', of: [conditions, [{ ...earlier, wantsMost: true } as Condition]] }];
}

const again =
  /\b(?:again|twice|a second time|once more|more than once|another time)\b|\balready (?:\w+ed|paid|sent|made)\b/i;
const alreadyState = /\balready (?:been )?(\w+(?:ed|id|nt))\b/i;

/** "Valid for longer": than what, no trace says. */
const isVague = (action: string) =>
  /\b(?:longer|larger|bigger|higher|older|fewer|shorter|smaller)$/i.test(action.trim());

const objectOf = (action: string): string[] =>
  textWords(action).filter((word) => !isEmptyWord(word) && verbSenses(word).length === 0);

/** What the user has to speak of, where the act only reads. */
const withObject = (one: Condition, about: readonly string[]): Condition =>
  one.test === 'user_asked' && one.about.length === 0 ? { ...one, about: about.slice(0, 12) } : one;

/** "Settle them": what is meant stands elsewhere, and the act alone would forbid too much. */
const isPointing = (action: string, when: readonly Condition[]) =>
  /\b(?:it|them|this|that|these|those|one)\s*$/i.test(action) && when.every(({ test }) => test === 'verb');

function clauseOf(
  frame: Frame,
  action: ReadAction,
  needs: readonly Need[],
  exceptions: readonly Need[],
): RuleClause | undefined {
  if (action.confidence === 0) return undefined;
  const givens = frame.given.map(givenOf);
  const when = [
    ...action.conditions,
    ...subjectOf(frame.about),
    ...givens.flatMap(({ conditions }) => conditions),
    ...frame.after.flatMap(afterOf),
  ];
  const unknown = [...needs, ...exceptions].some(({ known }) => !known);
  const vague =
    isVague(frame.action) ||
    isPointing(frame.action, when) ||
    givens.some(({ conditions, left }) => conditions.length === 0 && left.length > 0);
  const only = frame.onlySo.flatMap(allowedOf);
  if (frame.onlySo.length > 0 && only.length === 0) return undefined;
  const own = action.need.map(readNeed);
  const need = [...needs, ...own].flatMap(orEarlier);
  const asks = [...needs, ...exceptions, ...own].some((one) => one.asks);
  const confidence = unknown || vague ? Math.min(0.5, action.confidence) : action.confidence;
  const spoken = objectOf(frame.action);
  return {
    when,
    unless: exceptions
      .map(({ conditions }) => conditions.map((one) => withObject(one, spoken)))
      .filter((all) => all.length > 0),
    need: [...need, ...only],
    asks,
    confidence,
  };
}

/** What would break a rule that says "already … again" is the same act on the same thing. */
function withAgain(clause: RuleClause, text: string): RuleClause {
  if (
    !again.test(text) ||
    clause.when.some(
      ({ test }) => test === 'repeat' && /more than|twice/.test(text) && !/already|again/.test(text),
    )
  )
    return clause;
  const state = alreadyState.exec(text)?.[1]?.toLowerCase();
  const when = clause.when
    .filter(({ test }) => test !== 'repeat')
    .map((one) =>
      one.test === 'about'
        ? {
            ...one,
            phrases: one.phrases.filter(
              ({ words }) => !words.some((word) => /^(?:already|again)$/.test(word)),
            ),
          }
        : one,
    )
    .filter((one) => one.test !== 'about' || one.phrases.length > 0);
  return { ...clause, when: [...when, { test: 'again', states: state === undefined ? [] : [state] }] };
}

/** Reads one statement of a rule. */
export function readStatement({ text, topic }: Statement): StatementReading {
  const frame = frameOf(text);
  if (frame === undefined) return { clauses: [], left: [text] };
  const needs = frame.need.map(readNeed);
  const exceptions = [...frame.unless.map(readNeed), ...dutyOf(frame.duty)];
  const clauses = actionsOf(frame).flatMap((action) => {
    const plain = readAction(action, { isVerbPhrase: frame.isVerbPhrase, isLimit: frame.isLimit });
    const read =
      topic === '' || plain.conditions.some(({ test }) => test === 'about' || test === 'data')
        ? plain
        : readAction(withTopic(action, topic), { isVerbPhrase: frame.isVerbPhrase, isLimit: frame.isLimit });
    const clause = clauseOf(frame, read, needs, exceptions);
    return clause === undefined ? [] : [withAgain(clause, `${action} ${frame.given.join(' ')}`)];
  });
  const left = [
    ...frame.given.flatMap((given) => givenOf(given).left),
    ...[...needs, ...exceptions].filter(({ known }) => !known).map(({ text: said }) => said),
  ];
  return { clauses, left };
}

/** "Prescriptions: refill only …" — the label says what is refilled. */
const withTopic = (action: string, topic: string) => (topic === '' ? action : `${action} ${topic}`);
