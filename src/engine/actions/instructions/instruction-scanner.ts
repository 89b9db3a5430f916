import { evened, mustEvenMark, mustPart } from './even-text.ts';
import { type OrderMap, OrderPack, traits } from './instruction-map.ts';
import { type Acts, actsOf, is, WordTable } from './instruction-words.ts';
import { actsAbroad } from './foreign-instructions.ts';
import { endAt, ends, longestSentence, pieceOf } from './sentences.ts';
import { mayOblige, obliges, strengths, Told } from './told.ts';
import { SentenceWords } from './sentence-words.ts';
import { isBlank, isDigit, isLetter, isUpper, role, roles, TextUnits, type Units, unitAt } from './units.ts';
import { textWords } from '../words.ts';

/** Code units that are read of an answer. */
export const mostRead = 100_000;

const subordinate =
  /^(?:before|after|if|when|once|while|as|to|in|for|since|prior|first|otherwise|until|because|note|dear|hey|hello|attention)\b/i;

/** A capital right behind a letter or a digit, where the word before it was cut: it may begin a word of its own. */
function isGluedCapital(units: Units, at: number): boolean {
  if (!isUpper(unitAt(units, at)) || at === 0) return false;
  const before = unitAt(units, at - 1);
  return isLetter(before) || isDigit(before);
}

/** Instead of an end: the text must be evened out before it can be read. */
const uneven = 3;
const plainStrength = strengths.indexOf(1);

/**
 * Finds the orders in texts, in one pass over their code units: words are looked up in a table, sentences end where
 * they end, and nothing is made of a sentence that tells nobody anything.
 */
export class OrderScanner {
  readonly #table = new WordTable();
  readonly #told = new Told();
  readonly #pack = new OrderPack();
  readonly #read: TextUnits;
  readonly #units: Units;
  readonly #words = new SentenceWords(longestSentence + 4);

  #text = '';
  #isEven = false;
  #after: number = ends.plain;
  // Of the sentence that is being read:
  #from = 0;
  #end: number = ends.plain;
  #count = 0;
  #bits = 0;
  #traits = 0;
  #commaAt = -1;
  #wordsBeforeComma = 0;

  /** @param read room for the text: whoever shares it need not read the last one again */
  constructor(read = new TextUnits(mostRead)) {
    this.#read = read;
    this.#units = read.units;
  }

  /** The orders in the answer of a tool. Bounded; linear in the length of the text. */
  scan(source: string): OrderMap {
    this.#table.renew();
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
    this.#read.load(text);
    this.#pack.clear();
    this.#after = ends.plain;
    this.#startSentence(0);
  }

  #startSentence(at: number): void {
    this.#from = at;
    this.#words.count = this.#words.commas = this.#traits = 0;
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
    const units = this.#units;
    const words = this.#words;
    let at = begin;
    while (at < limit) {
      const unit = unitAt(units, at);
      if (isLetter(unit) || isDigit(unit)) {
        const from = at;
        at = words.read(units, from, limit);
        if ((words.hasInnerCapital || isGluedCapital(units, from)) && this.#mustPart(from, at)) return -1;
      } else if (unit === 32 && unitAt(units, at + 1) > 32) at++;
      else {
        const end = roles[unit] === role.none ? ends.not : this.#mark(at, unit);
        if (end !== ends.not) return this.#stop(at, end);
        at++;
      }
    }
    this.#end = ends.plain;
    return at;
  }

  #stop(at: number, end: number): number {
    this.#end = end;
    return end === uneven ? -1 : at;
  }

  #mustPart(from: number, end: number): boolean {
    return !this.#isEven && mustPart(this.#units, from, end, this.#text.length);
  }

  /** What the mark means: an end of the sentence, or something to note. */
  #mark(at: number, unit: number): number {
    const is = roles[unit];
    if (is === role.blank) this.#traits |= traits.uneven;
    else if (is === role.comma) this.#comma(at);
    else if (is === role.quote) this.#traits |= traits.quotes;
    else return this.#endAt(at, unit);
    return ends.not;
  }

  #endAt(at: number, unit: number): number {
    const is = roles[unit] ?? 0;
    const isPlain = is !== role.bracket && is < role.uneven;
    if (!isPlain && !this.#isEven && mustEvenMark(this.#units, at, this.#text.length)) return uneven;
    if (is === role.uneven) return ends.not;
    const end = endAt(this.#text, this.#units, at);
    if (is === role.odd) this.#traits |= traits.odd;
    else if (is === role.newline && end === ends.not) this.#traits |= traits.uneven;
    return end;
  }

  #comma(at: number): void {
    if (!isBlank(unitAt(this.#units, at + 1))) return;
    this.#words.noteComma();
    if (this.#commaAt >= 0) return;
    this.#commaAt = at;
    this.#wordsBeforeComma = this.#words.count;
  }

  #endSentence(end: number): void {
    let from = this.#from;
    let to = end;
    while (from < to && isBlank(unitAt(this.#units, from))) from++;
    while (to > from && isBlank(unitAt(this.#units, to - 1))) to--;
    const isOdd = (this.#traits & traits.odd) !== 0;
    const length = isOdd ? this.#readLetters(from, to) : to - from;
    if (length >= 3) {
      if (!isOdd) this.#look();
      if (this.#count >= 2 && this.#pack.takesOrders) this.#readWords(from, to);
      this.#pack.addSentence(from, to);
    }
    if (length > 0 || this.#end !== ends.plain) this.#after = this.#end;
  }

  #look(): void {
    this.#count = this.#words.count;
    this.#bits = this.#count < 2 ? 0 : this.#table.look(this.#words, this.#units, this.#text);
  }

  #readWords(from: number, to: number): void {
    const told = this.#told;
    told.strength = 0;
    if ((this.#bits & is.mayTell) !== 0)
      told.read(this.#words, this.#count, this.#clauseStart(from, to), this.#after === ends.bracket);
    if (told.strength > 0) {
      const { low, high } = told;
      this.#pack.addOrder(
        { low, high, strength: strengths.indexOf(told.strength), traits: this.#traits },
        this.#words.slots,
        this.#count,
      );
    } else if ((this.#bits & is.abroad) !== 0 && this.#isAbroad()) {
      this.#pack.addOrder(
        { ...this.#actsAbroad(from, to), strength: plainStrength, traits: this.#traits },
        this.#words.slots,
        this.#count,
      );
    } else if (this.#isStrange())
      this.#pack.addOrder(
        { low: 0, high: 0, strength: plainStrength, traits: this.#traits | traits.foreign },
        this.#words.slots,
        this.#count,
      );
  }

  /** What it tells is not ours to read: it has no English word, or says only how things have to be. */
  #isStrange(): boolean {
    if (this.#count < 4) return false;
    if (mayOblige(this.#bits) && obliges(this.#words, this.#count)) return true;
    return (this.#bits & is.english) === 0 && (this.#bits & (is.foreign | is.accented)) !== 0;
  }

  /** The words of a sentence that is no plain ASCII; its length. */
  #readLetters(from: number, to: number): number {
    const piece = pieceOf(this.#text, from, to);
    const words = this.#words;
    const at = piece.indexOf(', ');
    this.#wordsBeforeComma = at > 0 && subordinate.test(piece) ? textWords(piece.slice(0, at)).length : 0;
    this.#bits = words.count = words.commas = 0;
    for (const part of piece.split(', ')) {
      words.noteComma();
      for (const word of textWords(part))
        this.#bits |= this.#table.note(this.#table.ofPassing(word), words, words.count++);
    }
    this.#count = words.count;
    return piece.length;
  }

  /** Whether the sentence asks for something in another language than English, as `#actsAbroad` tells. */
  #isAbroad(): boolean {
    if ((this.#bits & (is.foreign | is.accented)) !== 0) return true;
    return this.#firstAbroad() <= 1 && (this.#bits & is.surelyEnglish) === 0;
  }

  #firstAbroad(): number {
    let at = 0;
    while (at < this.#count && ((this.#words.bits[at] ?? 0) & is.abroad) === 0) at++;
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
