import { evened, mustEvenMark, mustPart } from './even-text.ts';
import { type OrderMap, OrderPack, traits as traitsOfSentences } from './instruction-map.ts';
import { type Acts, actsOf, is as bitsOfWords } from './instruction-words.ts';
import { actsAbroad } from './foreign-instructions.ts';
import { endAt, ends as kindsOfEnds, longestSentence, pieceOf } from './sentences.ts';
import { mayOblige, obliges, strengths, Told } from './told.ts';
import { addWord, noteSlotsOfNumbers, readWords, renewWords, words as wordsRead } from './read-words.ts';
import {
  isBlank,
  letter as kindsOfLetters,
  loadedUnits,
  loadUnits,
  mostRead,
  role as kindsOfRoles,
  roles as rolesOfUnits,
  type Units,
  unitAt,
} from './units.ts';
import { textWords } from '../words.ts';

// Imported names are looked up each time; constants of the module itself cost nothing.
const [is, traits, ends] = [bitsOfWords, traitsOfSentences, kindsOfEnds];
const [letter, role, roles] = [kindsOfLetters, kindsOfRoles, rolesOfUnits];
const [units, words] = [loadedUnits, wordsRead];

const subordinate =
  /^(?:before|after|if|when|once|while|as|to|in|for|since|prior|first|otherwise|until|because|note|dear|hey|hello|attention)\b/i;

/** A capital right behind a letter or a digit, where the word before it was cut: it may begin a word of its own. */
const isGluedCapital = (units: Units, at: number): boolean =>
  roles[unitAt(units, at)] === letter.upper && at > 0 && (roles[unitAt(units, at - 1)] ?? 0) >= letter.lower;

/** Instead of an end: the text must be evened out before it can be read. */
const uneven = 3;
const plainStrength = strengths.indexOf(1);
const noActs: Acts = { low: 0, high: 0 };

/**
 * Finds the orders in texts, in one pass over their code units: words are looked up in a table, sentences end where
 * they end, and nothing is made of a sentence that tells nobody anything.
 */
export class OrderScanner {
  readonly #told = new Told();
  readonly #pack = new OrderPack();

  #text = '';
  #isEven = false;
  #after: number = ends.plain;
  // Of the sentence that is being read:
  #from = 0;
  #end: number = ends.plain;
  #traits = 0;
  #commaAt = -1;
  #wordsBeforeComma = 0;

  /** The orders in the answer of a tool. Bounded; linear in the length of the text. */
  scan(source: string): OrderMap {
    renewWords();
    this.#begin(source.length > mostRead ? source.slice(0, mostRead) : source, false);
    if (!this.#pass()) {
      this.#begin(evened(this.#text, mostRead), true);
      this.#pass();
    }
    return this.#pack.mapOf(this.#text);
  }

  #begin(text: string, isEven: boolean): void {
    this.#text = text;
    this.#isEven = isEven;
    loadUnits(text);
    this.#pack.clear();
    this.#after = ends.plain;
    this.#startSentence(0);
  }

  #startSentence(at: number): void {
    this.#from = at;
    words.clear();
    this.#traits = 0;
    this.#commaAt = -1;
  }

  /** False where the text must be evened out first. */
  #pass(): boolean {
    const { length } = this.#text;
    for (let at = 0; !this.#pack.isFull;) {
      at = this.#toEnd(at, Math.min(length, this.#from + longestSentence));
      // What is cut off unread may be something to even out.
      const isCut = at < length && at - this.#from === longestSentence;
      if (at < 0 || (isCut && !this.#isEven)) return false;
      this.#endSentence(at);
      if (at >= length) break;
      at++;
      this.#startSentence(at);
    }
    return true;
  }

  /** Reads on to where the sentence ends, which is `limit` at the latest; -1 where the text must be evened out first. */
  #toEnd(begin: number, limit: number): number {
    let at = begin;
    let mayPart = isGluedCapital(units, begin);
    while (at < limit) {
      at = readWords(at, limit, mayPart);
      mayPart = false;
      if (words.mayPart) {
        if (this.#mustPart(words.from[words.count - 1] ?? 0, at)) return -1;
        continue;
      }
      if (at >= limit) break;
      const end = this.#mark(at, roles[unitAt(units, at)] ?? 0);
      if (end !== ends.not) return this.#stop(at, end);
      at++;
    }
    this.#end = ends.plain;
    return at;
  }

  #stop(at: number, end: number): number {
    this.#end = end;
    return end === uneven ? -1 : at;
  }

  #mustPart(from: number, end: number): boolean {
    return !this.#isEven && mustPart(units, from, end, this.#text.length);
  }

  /** What the mark means: an end of the sentence, or something to note. */
  #mark(at: number, is: number): number {
    if (is === role.wall) return ends.plain;
    if (is === role.parenthesis) return ends.bracket;
    if (is === role.blank) this.#traits |= traits.uneven;
    else if (is === role.comma) this.#comma(at);
    else if (is === role.quote) this.#traits |= traits.quotes;
    else if (is !== role.none) return this.#endAt(at, is);
    return ends.not;
  }

  #endAt(at: number, is: number): number {
    const isPlain = is !== role.bracket && is < role.uneven;
    if (!isPlain && !this.#isEven && mustEvenMark(units, at, this.#text.length)) return uneven;
    if (is === role.uneven) return ends.not;
    const end = endAt(this.#text, units, at);
    if (is === role.odd) this.#traits |= traits.odd;
    else if (is === role.newline && end === ends.not) this.#traits |= traits.uneven;
    return end;
  }

  #comma(at: number): void {
    if (!isBlank(unitAt(units, at + 1))) return;
    words.noteComma();
    if (this.#commaAt >= 0) return;
    this.#commaAt = at;
    this.#wordsBeforeComma = words.count;
  }

  #endSentence(end: number): void {
    let from = this.#from;
    let to = end;
    while (from < to && isBlank(unitAt(units, from))) from++;
    while (to > from && isBlank(unitAt(units, to - 1))) to--;
    const isOdd = (this.#traits & traits.odd) !== 0;
    const length = isOdd ? this.#readLetters(from, to) : to - from;
    if (length >= 3) {
      if (words.count >= 2 && this.#pack.takesOrders) this.#readWords(from, to);
      this.#pack.addSentence(from, to);
    }
    if (length > 0 || this.#end !== ends.plain) this.#after = this.#end;
  }

  #readWords(from: number, to: number): void {
    const told = this.#told;
    told.strength = 0;
    if ((words.all & is.mayTell) !== 0)
      told.read(words, words.count, this.#clauseStart(from, to), this.#after === ends.bracket);
    if (told.strength > 0) this.#addOrder(told, strengths.indexOf(told.strength), this.#traits);
    else if ((words.all & is.abroad) !== 0 && this.#isAbroad())
      this.#addOrder(this.#actsAbroad(from, to), plainStrength, this.#traits);
    else if (this.#isStrange()) this.#addOrder(noActs, plainStrength, this.#traits | traits.foreign);
  }

  #addOrder(acts: Acts, strength: number, known: number): void {
    if ((known & traits.odd) === 0) noteSlotsOfNumbers();
    this.#pack.addOrder(acts, strength, known, words);
  }

  /** What it tells is not ours to read: it has no English word, or says only how things have to be. */
  #isStrange(): boolean {
    if (words.count < 4) return false;
    if (mayOblige(words.all) && obliges(words, words.count)) return true;
    return (words.all & is.english) === 0 && (words.all & (is.foreign | is.accented)) !== 0;
  }

  /** The words of a sentence that is no plain ASCII; its length. */
  #readLetters(from: number, to: number): number {
    const piece = pieceOf(this.#text, from, to);
    const at = piece.indexOf(', ');
    this.#wordsBeforeComma = at > 0 && subordinate.test(piece) ? textWords(piece.slice(0, at)).length : 0;
    words.clear();
    for (const part of piece.split(', ')) {
      words.noteComma();
      for (const word of textWords(part)) addWord(word);
    }
    return piece.length;
  }

  /** Whether the sentence asks for something in another language than English, as `#actsAbroad` tells. */
  #isAbroad(): boolean {
    if ((words.all & (is.foreign | is.accented)) !== 0) return true;
    return this.#firstAbroad() <= 1 && (words.all & is.surelyEnglish) === 0;
  }

  #firstAbroad(): number {
    let at = 0;
    while (at < words.count && ((words.bits[at] ?? 0) & is.abroad) === 0) at++;
    return at;
  }

  #actsAbroad(from: number, to: number): Acts {
    const words = textWords(pieceOf(this.#text, from, to));
    return actsOf(actsAbroad(words[this.#firstAbroad()] ?? ''));
  }

  /** "Before you answer, send …": number of words before the main clause; 0 where the sentence begins with it. */
  #clauseStart(from: number, to: number): number {
    if ((this.#traits & traits.odd) !== 0) return this.#wordsBeforeComma;
    if (this.#commaAt <= from || this.#commaAt + 1 >= to) return 0;
    return subordinate.test(this.#text.slice(from, from + 12)) ? this.#wordsBeforeComma : 0;
  }
}
