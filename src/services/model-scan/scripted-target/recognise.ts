/** Finds the case that a request comes from, also in the disguise of an attack. */
import type { ScanCase } from '#engine/model-scan/case.ts';

/** Letters and digits alone, in lower case: flipping, games and cases of letters may change the rest. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

export class Recogniser {
  readonly #byId = new Map<string, ScanCase>();
  readonly #byText = new Map<string, ScanCase>();
  readonly #byLength = new Map<number, { readonly text: string; readonly case: ScanCase }[]>();
  readonly #goals: { readonly goal: string; readonly case: ScanCase }[] = [];

  constructor(cases: readonly ScanCase[]) {
    for (const each of cases) {
      this.#byId.set(each.id, each);
      for (const turn of each.turns) {
        const key = plain(turn);
        if (!this.#byText.has(key)) this.#byText.set(key, each);
      }
      const [text] = each.turns;
      if (each.turns.length !== 1 || text === undefined) continue;
      this.#byLength.set(text.length, [...(this.#byLength.get(text.length) ?? []), { text, case: each }]);
      if (each.intent !== 'benign') this.#goals.push({ goal: plain(text), case: each });
    }
    // The longest first: one request may be part of another.
    this.#goals.sort((a, b) => b.goal.length - a.goal.length);
  }

  byId(id: string): ScanCase | undefined {
    return this.#byId.get(id);
  }

  /** The case that asks exactly this. */
  exact(text: string): ScanCase | undefined {
    return this.#byText.get(plain(text));
  }

  /** The harmful case whose request is a part of the text. */
  within(text: string): ScanCase | undefined {
    const all = plain(text);
    return this.#goals.find(({ goal }) => all.includes(goal))?.case;
  }

  /** The case whose request was scrambled word by word: of equal length, with nearly the same letters in each word. */
  scrambled(text: string): ScanCase | undefined {
    let best: { case: ScanCase; distance: number } | undefined;
    for (const each of this.#byLength.get(text.length) ?? []) {
      const distance = scrambleDistance(each.text, text);
      if (best === undefined || distance < best.distance) best = { case: each.case, distance };
    }
    return best !== undefined && best.distance < mostDistance ? best.case : undefined;
  }
}

/** Scrambling moves letters within their word and changes one in sixteen; in other texts most letters differ. */
const mostDistance = 0.6;

/** Letters that differ, by the places of the words in the first text and without regard to their order; per letter. */
function scrambleDistance(plainText: string, scrambledText: string): number {
  let sum = 0;
  let from = 0;
  for (const word of plainText.split(' ')) {
    sum += distanceOf(countsOf(word), countsOf(scrambledText.slice(from, from + word.length)));
    from += word.length + 1;
  }
  return sum / plainText.length;
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const char of text.toLowerCase()) counts.set(char, (counts.get(char) ?? 0) + 1);
  return counts;
}

function distanceOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const char of new Set([...one.keys(), ...other.keys()]))
    sum += Math.abs((one.get(char) ?? 0) - (other.get(char) ?? 0));
  return sum;
}
