/** Where a user forbids something, or says that it need not be: "do not", "never", "without …ing", "except". */
import { nounSenses, verbSenses } from '../../verbs.ts';
import { longestPart, type Token } from './tokens.ts';

/** How a part of a turn forbids. */
export interface Negation {
  /** First word of what it takes in, and of what it forbids. */
  readonly start: number;
  readonly head: number;
  /** Where what it forbids may be named; the head where nothing else is said. */
  readonly named?: number;
  /**
   * `act`: the act that follows. `kept`: what would take the named thing away. `same`: the act that was asked for before,
   * for the things that are named here.
   */
  readonly kind: 'act' | 'kept' | 'same';
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Whoever tells of themselves or of others forbids nothing: "I don't use it", "customers who do not pay". */
const tellers = setOf(`i we he she they it who that which people why`);
/** "Do not forget to send it", "don't hesitate", "not only": that is wanted. */
const wantedAfter = setOf(
  `forget hesitate fail mind wait neglect omit miss only just merely simply solely afraid shy delay sure know think`,
);
/** "No more than three" and "not until Friday" say how much and when. */
const bounding = setOf(
  `more less fewer later earlier longer sooner problem worries rush idea matter doubt thanks one`,
);
const at = (tokens: readonly Token[], index: number): string => tokens[index]?.word ?? '';

const isVerb = (word: string) => verbSenses(word).length > 0;

/** First word of a clause, "please", "also" and the like left out. */
const openers = setOf(
  `please pls but and so also just then however though yet now ok okay well no or kindly still`,
);

export function beginsClause(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return before === undefined || tokens[index]?.gap !== '' || openers.has(before.word);
}

/** Whether what the word after the negator says is wanted, or only a bound. */
const isNoBan = (tokens: readonly Token[], next: number): boolean => {
  const word = at(tokens, next);
  if (word === 'be') return wantedAfter.has(at(tokens, next + 1));
  // "Do not stop sending".
  if (/^(?:stop|avoid|quit|cease|skip)$/.test(word)) return at(tokens, next + 1).endsWith('ing');
  return wantedAfter.has(word);
};

/** Of the auxiliary before it: "must not" binds whoever is meant, "cannot" and "may not" only the one who is spoken to. */
const strict = /^(?:must|mustn't|should|shall|shan't|need|ought)(?:n't)?$/;
const permits = /^(?:may|can|could|will|would|cannot)(?:n't)?$|^(?:can't|won't|mayn't|couldn't|wouldn't)$/;
const wishes = /^(?:want|wish|like|need|allow|permit|authori[sz]e|approve|consent|agree|prefer|intend|plan)$/;

function afterAuxiliary(tokens: readonly Token[], index: number, next: number): number | undefined {
  const word = at(tokens, index);
  const aux = word.replace(/n't$/, '');
  if (aux === 'do' || word === 'dont') return afterDo(tokens, index, next);
  if (strict.test(word)) return next;
  if (permits.test(word)) return afterMay(tokens, index, next);
  // "They are not to be deleted", "it is not allowed to", "I'd rather you did not".
  if (/^(?:is|are)$/.test(aux))
    return /^(?:to|allowed|permitted|supposed|meant)$/.test(at(tokens, next)) ? next : undefined;
  return aux === 'did' && at(tokens, index - 1) === 'you' && at(tokens, index - 2) === 'rather'
    ? next
    : undefined;
}

/** "You may not", "the file may not be sent"; "I cannot" and "it will not" tell of somebody. */
function afterMay(tokens: readonly Token[], index: number, next: number): number | undefined {
  const subject = at(tokens, index - 1);
  return subject === 'you' || (at(tokens, next) === 'be' && !tellers.has(subject)) ? next : undefined;
}

function afterDo(tokens: readonly Token[], index: number, next: number): number | undefined {
  const subject = tokens[index]?.gap === '' ? at(tokens, index - 1) : '';
  if (subject === 'i' || subject === 'we')
    return wishes.test(at(tokens, next)) ? wishedFor(tokens, next) : undefined;
  if (tellers.has(subject)) return undefined;
  return subject === 'you' && /^(?:if|when|unless)$/.test(at(tokens, index - 2)) ? undefined : next;
}

const nearby = 8;

/** "I don't want you to send it", "I do not want any mails sent": an act has to follow, else it is about a thing. */
function wishedFor(tokens: readonly Token[], verb: number): number | undefined {
  for (let index = verb + 1; index <= verb + nearby && index < tokens.length; index++) {
    if (tokens[index]?.gap === 'end') return undefined;
    const word = at(tokens, index);
    if (isVerb(word) && (at(tokens, index - 1) === 'to' || /(?:ed|ing|t|n|id)$/.test(word))) return verb + 1;
  }
  return undefined;
}

const negatable = /^(?:do|does|did|is|are|am|was|were|has|have|had)$/;

/** How many words "do not" or "don't" has here; 0 where neither stands. */
function lengthOfNot(tokens: readonly Token[], index: number): number {
  const word = at(tokens, index);
  if (word.endsWith("n't") || word === 'cannot' || word === 'dont') return 1;
  const isLong = at(tokens, index + 1) === 'not' && tokens[index + 1]?.gap === '';
  return isLong && (negatable.test(word) || strict.test(word) || permits.test(word)) ? 2 : 0;
}

/** "Do not", "don't", "must not", "mustn't". */
function auxiliary(tokens: readonly Token[], index: number): Negation | undefined {
  const length = lengthOfNot(tokens, index);
  const next = index + length;
  if (length === 0 || at(tokens, next) === 'you' || isNoBan(tokens, next)) return undefined;
  const own = afterAuxiliary(tokens, index, next);
  return own === undefined ? undefined : passive(tokens, index, own);
}

/** "Backups must never be deleted": the thing stands before the negation. */
function passive(tokens: readonly Token[], index: number, head: number): Negation {
  if (!/^(?:be|get|to|allowed|permitted)$/.test(at(tokens, head))) return { start: index, head, kind: 'act' };
  let start = index;
  while (
    start > 0 &&
    index - start < longestPart &&
    tokens[start]?.gap !== 'end' &&
    !openers.has(at(tokens, start - 1))
  )
    start--;
  return { start, head, named: start, kind: 'act' };
}

/** "Never delete", "he never replied". */
function never(tokens: readonly Token[], index: number): Negation | undefined {
  if (at(tokens, index) !== 'never') return undefined;
  const subject = tokens[index]?.gap === '' ? at(tokens, index - 1) : '';
  const next = at(tokens, index + 1) === 'ever' ? index + 2 : index + 1;
  if (tellers.has(subject) || isNoBan(tokens, next)) return undefined;
  if (subject === 'you' && /(?:ed|sent|paid)$/.test(at(tokens, next))) return undefined;
  // "Never the production images".
  if (/^(?:the|my|our|any|these|those|this|that)$/.test(at(tokens, next)))
    return { start: index, head: next, kind: 'same' };
  return passive(tokens, index, next);
}

const beforeNot = setOf(
  `please but and or to so sure careful remember try prefer rather better just told asked also still`,
);

/** "Not to send it", "but not b.txt"; "whether or not" says nothing. */
function plainNot(tokens: readonly Token[], index: number): Negation | undefined {
  if (at(tokens, index) !== 'not') return undefined;
  const isTo = at(tokens, index + 1) === 'to';
  const next = isTo ? index + 2 : index + 1;
  const isOpen = isTo || tokens[index]?.gap !== '' || beforeNot.has(at(tokens, index - 1));
  if (!isOpen || next >= tokens.length || isNoBan(tokens, next) || isWhether(tokens, index)) return undefined;
  return { start: index, head: next, kind: isVerb(at(tokens, next)) ? 'act' : 'same' };
}

const isWhether = (tokens: readonly Token[], index: number): boolean =>
  at(tokens, index - 1) === 'or' && (tokens[index + 1]?.gap !== '' || at(tokens, index - 2) === 'whether');

/** "No file may be deleted", "nothing should be sent", "delete nothing". */
function nothing(tokens: readonly Token[], index: number): Negation | undefined {
  const word = at(tokens, index);
  if (!/^(?:no|none|nothing)$/.test(word)) return undefined;
  const done = passiveAfter(tokens, index);
  if (done !== undefined) return { start: index, head: done, named: index, kind: 'act' };
  const isObject = word === 'nothing' && isVerb(at(tokens, index - 1));
  return isObject ? { start: index - 1, head: index - 1, kind: 'act' } : undefined;
}

const kinds = /^(?:new|more|further|automatic)$/;

/** "No emails, please", "no need to pay". */
function no(tokens: readonly Token[], index: number): Negation | undefined {
  if (at(tokens, index) !== 'no') return undefined;
  const next = at(tokens, index + 1);
  if (next === 'need' && at(tokens, index + 2) === 'to')
    return { start: index, head: index + 3, kind: 'act' };
  if (!beginsClause(tokens, index) || tokens[index + 1]?.gap !== '') return undefined;
  const head = kinds.test(next) ? index + 2 : index + 1;
  return isNamedAct(at(tokens, head)) && !bounding.has(at(tokens, head))
    ? { start: index, head, kind: 'act' }
    : undefined;
}

const isNamedAct = (word: string) => nounSenses(word).length > 0 || (word.endsWith('ing') && isVerb(word));

/** The participle of "… may be deleted" within the same sentence. */
function passiveAfter(tokens: readonly Token[], index: number): number | undefined {
  for (let next = index + 1; next <= index + nearby && next < tokens.length - 1; next++) {
    if (tokens[next]?.gap === 'end') return undefined;
    const isModal = /^(?:should|must|may|can|shall|to|will)$/.test(at(tokens, next));
    if (isModal && /^(?:be|get)$/.test(at(tokens, next + 1))) return next + 2;
  }
  return undefined;
}

const unwanted = /^(?:without|(?:avoid|stop|quit|skip|cease)(?:s|ping|ing)?)$/;
const pairs: Readonly<Record<string, RegExp>> = {
  instead: /^of$/,
  rather: /^than$/,
  hold: /^(?:off|back)$/,
  refrain: /^from$/,
  abstain: /^from$/,
  desist: /^from$/,
};

/** Where what stands beside "without", "instead of" and the like begins. */
function besideWhat(tokens: readonly Token[], index: number): number | undefined {
  const word = at(tokens, index);
  if (unwanted.test(word)) return index + 1;
  if (!Object.hasOwn(pairs, word) || pairs[word]?.test(at(tokens, index + 1)) !== true) return undefined;
  return word === 'hold' && at(tokens, index + 2) === 'on' ? index + 3 : index + 2;
}

/** "Without deleting", "avoid sending", "instead of paying", "rather than pay". */
function beside(tokens: readonly Token[], index: number): Negation | undefined {
  const head = besideWhat(tokens, index);
  if (head === undefined || /^(?:not|never|don't|can't|cannot)$/.test(at(tokens, index - 1)))
    return undefined;
  const word = at(tokens, index);
  const isAct = at(tokens, head).endsWith('ing') || (word === 'rather' && isVerb(at(tokens, head)));
  if (isAct) return { start: index, head, kind: 'act' };
  return word === 'instead' || word === 'rather' ? { start: index, head, kind: 'same' } : undefined;
}

/** "Except b.txt", "apart from the invoices". */
function exception(tokens: readonly Token[], index: number): Negation | undefined {
  const [word, second] = [at(tokens, index), at(tokens, index + 1)];
  if (word === 'except' || word === 'excluding')
    return { start: index, head: second === 'for' ? index + 2 : index + 1, kind: 'same' };
  const isPair = (word === 'apart' || word === 'aside') && second === 'from';
  return isPair ? { start: index, head: index + 2, kind: 'same' } : undefined;
}

const keptOther = setOf(
  `me us in it an track going up on an eye working looking posted this that them quiet`,
);

/** "Keep the backup", "leave b.txt alone"; not "keep me posted" and "leave a note". */
function kept(tokens: readonly Token[], index: number): Negation | undefined {
  const word = at(tokens, index);
  if (!/^(?:keep|leave|preserve|retain|spare)$/.test(word) || !beginsClause(tokens, index)) return undefined;
  const next = at(tokens, index + 1);
  const isKept =
    word === 'keep' ? !keptOther.has(next) && !/^\d+$/.test(next) : word !== 'leave' || isLeft(tokens, index);
  return isKept ? { start: index, head: index + 1, kind: 'kept' } : undefined;
}

function isLeft(tokens: readonly Token[], index: number): boolean {
  for (let next = index + 1; next <= index + nearby && tokens[next] !== undefined; next++) {
    const word = at(tokens, next);
    if (tokens[next]?.gap === 'end') return false;
    if (/^(?:alone|untouched|intact|unchanged|out)$/.test(word)) return true;
    if (word === 'as' && /^(?:is|it|they)$/.test(at(tokens, next + 1))) return true;
  }
  return false;
}

const readers = [auxiliary, never, plainNot, nothing, no, beside, exception, kept];

/** What begins to be forbidden at this word; undefined where nothing does. */
export function negationAt(tokens: readonly Token[], index: number): Negation | undefined {
  for (const read of readers) {
    const found = read(tokens, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
