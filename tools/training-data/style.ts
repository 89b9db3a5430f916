/** What every style of our own training data is made of; `generate.ts` writes the rows to data/training/. */

import type { detectorIds } from '#engine/text/label-ids.ts';

export type DetectorId = (typeof detectorIds)[number];

/** 1 present, 0 absent, null not known (never trained on). */
export type Labels = Record<DetectorId, 0 | 1 | null>;

export interface Row {
  text: string;
  labels: Labels;
  /** Earlier turns, where the meaning of `text` depends on them. */
  context?: { role: 'system' | 'user' | 'assistant'; content: string }[];
  /** ISO 639-1, where it is not English. */
  lang?: string;
}

export interface Style {
  /** File name in data/training/, kebab-case. */
  name: string;
  /** One paragraph for the card: what it holds, why, how it was written. */
  about: string;
  /** All rows; equal seeds give equal rows. */
  rows(random: Random): Row[];
}

/** A small seeded generator (mulberry32), so that the files can be made again bit for bit. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('pick from an empty list');
    return item;
  }

  /** `count` different items, in random order; all of them when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1));
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy.slice(0, count);
  }
}

/** Ordinary harmless text: 0 for all nine, but for what `over` says. */
export const harmless = (over: Partial<Labels> = {}): Labels => ({
  general_harmful: 0,
  hate_bias: 0,
  jailbreak: 0,
  prompt_injection: 0,
  violence_abuse: 0,
  profanity_offensive: 0,
  sexual_suggestive: 0,
  unethical_illegal: 0,
  self_harm: 0,
  ...over,
});

/** Harmful text: `general_harmful` 1, the named detectors 1, the named unknowns null, all else 0. */
export function harmful(present: DetectorId[], unknown: DetectorId[] = []): Labels {
  const labels = harmless({ general_harmful: 1 });
  for (const id of unknown) labels[id] = null;
  for (const id of present) labels[id] = 1;
  return labels;
}

/** Fills `{slot}` marks of a template with a random entry of that slot's list; a missing slot is an error. */
export const fill = (template: string, slots: Record<string, readonly string[]>, random: Random): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const entries = slots[name];
    if (entries === undefined) throw new RangeError(`no slot named ${name}`);
    return random.pick(entries);
  });
