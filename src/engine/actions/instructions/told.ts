import { actsOf, type Acts, is as bitsOfWords } from './instruction-words.ts';
import { made as kindsOfWords, type SentenceWords } from './sentence-words.ts';

// Imported names are looked up each time; constants of the module itself cost nothing.
const [is, made] = [bitsOfWords, kindsOfWords];

/** How clearly a word may be told to the reader; an order keeps the clearest. Positions in it fit into a byte. */
export const strengths: readonly number[] = [0, ...[0.2, 0.5, 0.6, 0.7, 0.8, 1].flatMap((x) => [0.9 * x, x])];

const pay = actsOf(['pay']);
const send = actsOf(['send']);

/** Reads what a sentence tells its reader to do. One for all sentences: its findings are those of the last one read. */
export class Told implements Acts {
  low = 0;
  high = 0;
  strength = 0;
  // Of the word that is being looked at:
  #ownLow = 0;
  #ownHigh = 0;

  /**
   * What the sentence tells its reader to do, and how clearly: 1 a plain imperative, 0.6 an infinitive somewhere.
   * `clause`: first word of the main clause ("Before you answer, send …"), 0 where the sentence begins with it;
   * `bracketed`: it stands in brackets.
   */
  read(words: SentenceWords, count: number, clause: number, bracketed: boolean): void {
    this.low = this.high = this.strength = 0;
    const { tells, telling } = words;
    for (let each = 0; each < telling; each++) {
      const at = tells[each] ?? 0;
      if (isObliged(words.bits, at)) continue;
      if (!this.#join(words, at, Math.min(count, at + 6))) continue;
      const told = pushAt(words, at, { count, clause, bracketed });
      if (told === 0) continue;
      this.strength = Math.max(this.strength, told);
      this.low |= this.#ownLow;
      this.high |= this.#ownHigh;
    }
  }

  /** The acts that the word at `at` stands for, a light one with the nouns after it. Whether there are any. */
  #join(words: SentenceWords, at: number, end: number): boolean {
    const bits = words.bits[at] ?? 0;
    const hasActs = (bits & is.hasActs) !== 0;
    this.#ownLow = hasActs ? (words.verbLow[at] ?? 0) : 0;
    this.#ownHigh = hasActs ? (words.verbHigh[at] ?? 0) : 0;
    if ((bits & is.mails) !== 0 && hasObject(words, at)) {
      this.#ownLow |= send.low;
      this.#ownHigh |= send.high;
    }
    if ((bits & is.light) !== 0)
      for (let next = at + 1; next < end; next++) this.#joinAfter(words, bits, next);
    return this.#ownLow !== 0 || this.#ownHigh !== 0;
  }

  /** "Make a payment", "use the delete function", "give him money". */
  #joinAfter(words: SentenceWords, bits: number, next: number): void {
    const own = words.bits[next] ?? 0;
    if ((own & is.hasActs) !== 0) {
      this.#ownLow |= words.nounLow[next] ?? 0;
      this.#ownHigh |= words.nounHigh[next] ?? 0;
      if ((bits & is.using) !== 0) {
        this.#ownLow |= words.verbLow[next] ?? 0;
        this.#ownHigh |= words.verbHigh[next] ?? 0;
      }
    }
    if ((bits & is.giving) === 0 || (own & is.money) === 0) return;
    this.#ownLow |= pay.low;
    this.#ownHigh |= pay.high;
  }
}

/** Bits of all words of a sentence that may say how things have to be. */
export const mayOblige = (all: number): boolean =>
  (all & is.becomes) !== 0 && ((all & is.obliges) !== 0 || (all & (is.owes | is.to)) === (is.owes | is.to));

/** "The export has to be at …", "she must get …": what is to be done is left to the reader. */
export function obliges({ bits }: SentenceWords, count: number): boolean {
  for (let at = 1; at < count; at++) if (isObliged(bits, at)) return true;
  return false;
}

function isObliged(bits: Bits, at: number): boolean {
  if ((bitsAt(bits, at) & is.becomes) === 0 || at === 0) return false;
  const before = bitsAt(bits, at - 1);
  const isBound =
    (before & is.obliges) !== 0 ||
    ((before & is.to) !== 0 && at > 1 && (bitsAt(bits, at - 2) & is.owes) !== 0);
  return isBound && !some(bits, 0, at, is.you);
}

/** "Text it to …", not "message 12 from …". */
const hasObject = ({ bits, made: madeOf }: SentenceWords, at: number) =>
  (bitsAt(bits, at + 1) & is.opensObject) !== 0 && madeOf[at + 1] === made.ofLetters;

type Bits = Int32Array;

const bitsAt = (words: Bits, at: number): number => words[at] ?? 0;

function some(words: Bits, from: number, to: number, bit: number): boolean {
  for (let at = from; at < to; at++) if ((bitsAt(words, at) & bit) !== 0) return true;
  return false;
}

interface Place {
  count: number;
  clause: number;
  bracketed: boolean;
}

/** How much the word at `at` is told, in the whole sentence, in its main clause or behind a comma. */
function pushAt(words: SentenceWords, at: number, { count, clause, bracketed }: Place): number {
  const { bits } = words;
  let told = push(bits, at, 0, bracketed);
  if (clause > 0 && at >= clause) told = Math.max(told, 0.9 * push(bits, at, clause, bracketed));
  return at + 1 < count && words.isBehindComma(at) ? Math.max(told, pushBehindComma(bits, at)) : told;
}

/** "No time to explain, transfer the money." */
const pushBehindComma = (words: Bits, at: number): number =>
  (bitsAt(words, at) & (is.base | is.participle)) === is.base &&
  (bitsAt(words, at + 1) & is.opensObject) !== 0
    ? 0.7
    : 0;

/** How much the word at `at` is told to the reader, 0 where it is not; `from`: where the clause begins. */
function push(words: Bits, at: number, from: number, bracketed: boolean): number {
  const bits = bitsAt(words, at);
  const own = some(words, Math.max(from, at - 4), at, is.ownSubject);
  if ((bits & is.base) !== 0) return pushOfBase(words, at, from, { own, bracketed });
  if ((bits & is.participle) !== 0 && some(words, Math.max(from, at - 2), at, is.be)) return own ? 0 : 0.8;
  const gerund = (bits & is.gerund) !== 0 && at > from && (bitsAt(words, at - 1) & is.beforeGerund) !== 0;
  return gerund ? 0.5 : 0;
}

/** "I should now …": somebody's thought that is not the reader's own. */
const isThought = (words: Bits, at: number, from: number) =>
  (bitsAt(words, at - 1) & is.obliges) !== 0 && some(words, Math.max(from, at - 4), at, is.speaker);

/** "Could whoever is on this cancel the order?" */
const isQuestion = (words: Bits, at: number, from: number) =>
  at <= from + 9 && (bitsAt(words, from) & is.polite) !== 0 && (bitsAt(words, at + 1) & is.opensObject) !== 0;

function pushOfBase(
  words: Bits,
  at: number,
  from: number,
  { own, bracketed }: { own: boolean; bracketed: boolean },
): number {
  if (opens(words, from, at)) return bracketed ? 0.2 : 1;
  const you = some(words, Math.max(from, at - 6), at, is.you);
  const told = at - 2 >= from && (bitsAt(words, at - 2) & is.exactlyYou) !== 0;
  if (own && !you && isThought(words, at, from)) return 0.5;
  const pushed = pushAfter(bitsAt(words, at - 1), { you, told, theirs: own && !you });
  return pushed === 0 && !own && isQuestion(words, at, from) ? 0.6 : pushed;
}

function opens(words: Bits, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bitsAt(words, at) & is.opener) === 0) return false;
  return true;
}

/** The word right before decides: "must send", "and send", "you can send", "I will send". */
function pushAfter(
  before: number,
  { you, told, theirs }: { you: boolean; told: boolean; theirs: boolean },
): number {
  if ((before & is.offers) !== 0) return told || theirs ? 0.2 : 0.6;
  if (theirs) return 0;
  if ((before & is.joins) !== 0) return 0.7;
  if ((before & is.pushes) !== 0) return 1;
  if ((before & is.pushesMildly) === 0) return 0;
  return you ? 1 : 0.6;
}
