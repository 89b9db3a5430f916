/**
 * A reply as a whole, as hashed features: its words, how it opens and ends, what it is made of, and how it takes up the
 * request. Much that declines does so in no single sentence: an answer to another question, an empty table, a promise.
 */
import { isStopWord, stem } from '../../../text/stems.ts';
import { folded } from '../../normalise.ts';
import { hashTo } from '../acts/act-features.ts';

/** Size of the table of weights; a power of two. */
export const wholeBuckets = 1 << 15;

const hash = (text: string) => hashTo(text, wholeBuckets);

const mostCharacters = 1600;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const piece =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]|[\p{L}\p{M}]+'?|\p{N}+|[!?:;…()*"“”„«»「」[\]{}|`#█-]/gu;

/** Numbers differ from reply to reply: what counts is that there is one, and how long. */
const word = (each: string) => (/^\p{N}/u.test(each) ? `0${Math.min(4, each.length)}` : each);

const size = (count: number) => Math.min(7, Math.floor(Math.log2(count + 1)));
/** Four steps from none to all. */
const quarter = (part: number, all: number) => (all === 0 ? 'x' : Math.round((4 * part) / all));

/** Words that say what is asked about, in their stems. */
const contentWords = (text: string) =>
  new Set(
    (folded(text).match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? []).filter((each) => !isStopWord(each)).map(stem),
  );

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

type Marks = readonly (readonly [string, RegExp])[];

/** Blocks that a reply can be made of, whatever its language, and what can stand in it. */
const blocks: Marks = [
  ['code', /```/],
  ['json', /^\s*[[{]/],
  ['table', /\n\s*\|/],
];
const marks: Marks = [
  ['list', /^\s*(?:[-*•]|\d+[.)])\s/m],
  ['blank', /█|redacted|\bn\/?a\b|\.\.\.\s*$|\bTODO\b|\bmasked\b/i],
  ['url', /https?:|www\./],
  ['quote', /["“”„«»「『]/],
  ['exclaims', /!/],
  ['staged', /^[*(]/],
];
const namesIn = (text: string, some: Marks) =>
  some.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);

function* formOf(reply: string, request: string): Generator<string> {
  const words = size(countOf(reply, /[\p{L}\p{M}]+/gu));
  yield `n${words}`;
  yield `n${words} r${size(countOf(request, /[\p{L}\p{M}]+/gu))}`;
  const numbers = new Set(reply.match(/\p{N}+/gu) ?? []);
  const own = [...numbers].filter((each) => !request.includes(each)).length;
  yield `d${size(own)}`;
  yield `d${Math.min(2, own)} n${words}`;
  yield `d${Math.min(2, own)} ${/\p{N}/u.test(request) ? 'rd' : ''}`;
  const ends = reply.trim().slice(-1);
  yield `z${/[\p{L}\p{N}]/u.test(ends) ? 'a' : ends}`;
  yield `q${Math.min(3, countOf(reply, /[?？؟]/g))} ${/[?？؟]/.test(request) ? 'rq' : ''}`;
  yield* namesIn(reply, blocks);
  yield `l${size(reply.split('\n').filter((line) => line.trim() !== '').length)}`;
  yield* namesIn(reply, marks);
  const subject = contentWords(request);
  const taken = contentWords(reply);
  const shared = [...subject].filter((each) => taken.has(each)).length;
  yield `s${quarter(shared, subject.size)}`;
  yield `s${quarter(shared, subject.size)} n${words}`;
  // How much of the reply is new: an answer adds something to what was asked.
  yield `o${size(taken.size - shared)} s${Math.min(2, shared)}`;
}

function* wordsOf(pieces: readonly string[]): Generator<string> {
  for (const [at, each] of pieces.entries()) {
    const next = pieces[at + 1] ?? '$';
    if (unspaced.test(each)) {
      yield `v${each}${next}`;
      yield `x${each}${next}${pieces[at + 2] ?? '$'}`;
      continue;
    }
    yield `w ${each}`;
    yield `b ${each} ${next}`;
    if (each.length > 5) {
      yield `p ${each.slice(0, 4)}`;
      yield `e ${each.slice(-3)}`;
    }
  }
}

export interface WholeFeatures {
  at: Int32Array;
  value: Float32Array;
}

/** Groups of features weigh the same in short and long replies. */
export function wholeFeaturesOf(reply: string, request: string): WholeFeatures {
  const text = folded(reply);
  const read =
    text.length <= mostCharacters
      ? text
      : `${text.slice(0, (mostCharacters * 3) / 4)}\n${text.slice(-mostCharacters / 4)}`;
  const pieces = (read.match(piece) ?? []).map(word);
  const asked = folded(request.slice(0, 600));
  const groups: readonly (readonly [Iterable<string>, number])[] = [
    [wordsOf(pieces), 1.5],
    [pieces.slice(0, 6).flatMap((each, at) => [`f ${each}`, `f${at} ${each} ${pieces[at + 1] ?? '$'}`]), 0.8],
    [pieces.slice(-6).map((each) => `t ${each}`), 0.5],
    [formOf(reply.slice(0, 4000), request.slice(0, 4000)), 1.5],
    // What was asked, weakly: a wish for words of refusal, an order, a question.
    [(asked.match(piece) ?? []).slice(0, 40).map((each) => `r ${word(each)}`), 0.4],
  ];
  const at: number[] = [];
  const value: number[] = [];
  const seen = new Set<number>();
  for (const [names, weight] of groups) {
    const first = at.length;
    for (const name of names) {
      const place = hash(name);
      if (seen.has(place)) continue;
      seen.add(place);
      at.push(place);
    }
    const each = weight / Math.sqrt(Math.max(4, at.length - first));
    for (let i = first; i < at.length; i++) value.push(each);
  }
  return { at: Int32Array.from(at), value: Float32Array.from(value) };
}
