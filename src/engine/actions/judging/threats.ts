/** Whether what is sent threatens or harasses whoever reads it, as the text engine judges the text. */
import type { Leaf } from '../calls/leaves.ts';
import { once } from '../calls/once.ts';
import type { Unread } from '../calls/reach.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { type Fact, quote, yes } from './fact.ts';

/** What the text engine reads at once, later less so that a threat is not lost in it, and what windows have in common. */
const [lengthOfFirst, lengthOfLater, overlap] = [1500, 1000, 200];
/** As much as is read of a text by other readers, at less than a millisecond each: what lies beyond is told as not read. */
const mostWindows = 400;

/** Of the windows behind the first, the strongest of many harmless ones comes nearer to the bound. */
const [boundOfFirst, boundOfLater] = [0.5, 0.65];

const isSentence = (text: string) => text.trim().split(/\s+/, 4).length >= 3;

/** Third parties threaten in it, and it speaks to nobody: a report of a threat is none. */
const isReport = (text: string) =>
  /\b(?:he|she|they|somebody|someone|received|reported)\b/i.test(text) &&
  !/\b(?:you|your|yours)\b/i.test(text);

/** Cut at white space, so that no word of a threat is lost to both windows. */
function endOfWindow(text: string, from: number): number {
  const end = from + (from === 0 ? lengthOfFirst : lengthOfLater);
  if (end >= text.length) return text.length;
  for (let cut = end; cut > end - overlap / 2; cut--) if (text.charCodeAt(cut) <= 32) return cut;
  return end;
}

function* windowsOf(text: string): Generator<[from: number, to: number]> {
  for (let from = 0, to = 0; to < text.length; from = to - overlap) {
    to = endOfWindow(text, from);
    yield [from, to];
  }
}

interface Reading {
  readonly fact: Fact | undefined;
  readonly unread: readonly Unread[];
}

class ThreatReader {
  readonly #context: EvaluationContext;
  readonly #unread: Unread[] = [];
  #left = mostWindows;
  /** Texts of which nothing was read, behind the first of them. */
  #beyond = 0;
  #read = 0;

  constructor(context: EvaluationContext) {
    this.#context = context;
  }

  read(): Reading {
    for (const leaf of this.#context.call.leaves) {
      const threat = this.#readText(leaf);
      if (threat !== undefined)
        return { fact: yes(0.9, `The text threatens or harasses its reader: ${quote(threat)}.`), unread: [] };
    }
    return { fact: undefined, unread: this.#toTell() };
  }

  /** The window that threatens; undefined where none does. */
  #readText({ path, text }: Leaf): string | undefined {
    if (!isSentence(text) || isReport(text)) return undefined;
    if (this.#left === 0) {
      if (this.#beyond++ === 0) this.#unread.push({ what: 'text', path, size: text.length, read: 0 });
      return undefined;
    }
    this.#read++;
    for (const [from, to] of windowsOf(text)) {
      if (this.#left === 0) {
        this.#unread.push({ what: 'text', path, size: text.length, read: from });
        return undefined;
      }
      const part = text.slice(from, to);
      if (from > 0 && (!isSentence(part) || isReport(part))) continue;
      this.#left--;
      if (this.#context.aggression(part) >= (from === 0 ? boundOfFirst : boundOfLater)) return part;
    }
    return undefined;
  }

  #toTell(): readonly Unread[] {
    if (this.#beyond < 2) return this.#unread;
    const [first] = this.#unread.slice(-1);
    const size = this.#read + this.#beyond;
    return [
      ...this.#unread.slice(0, -1),
      { what: 'values', path: first?.path ?? '', size, read: this.#read },
    ];
  }
}

const asked = Symbol('what a search for threats did not read');

const readThreats = once((context: EvaluationContext): Reading => {
  const reading = new ThreatReader(context).read();
  context.kept.set(asked, reading.unread);
  return reading;
});

/** The fact, with the text that says so; undefined where the call says nothing of the kind. */
export const threatens = (context: EvaluationContext): Fact | undefined => readThreats(context).fact;

/** What was not searched for threats; looks for them where nobody has yet. */
export const notSearchedForThreats = (context: EvaluationContext): readonly Unread[] =>
  readThreats(context).unread;

/** The same, without looking: nothing where no rule asked for threats. */
export const leftBySearchForThreats = (context: EvaluationContext): readonly Unread[] =>
  (context.kept.get(asked) as readonly Unread[] | undefined) ?? [];
