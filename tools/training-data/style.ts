/** Parts of every style of our own training data; `generate.ts` writes the rows to data/training/. */

import type { detectorIds } from '#engine/text/label-ids.ts';
import type { Random } from '../../src/base/random.ts';

export type DetectorId = (typeof detectorIds)[number];

/** 1 present, 0 absent, null unknown (not used for training). */
export type Labels = Record<DetectorId, 0 | 1 | null>;

export interface Row {
  text: string;
  labels: Labels;
  /** Earlier turns, where the meaning of `text` depends on them. */
  context?: { role: 'system' | 'user' | 'assistant'; content: string }[];
  /** ISO 639-1 code, if it is not English. */
  lang?: string;
}

export interface Style {
  /** File name in data/training/, kebab-case. */
  name: string;
  /** One paragraph for the data card: what the style contains, why, and how it was written. */
  about: string;
  /** Written after the shipped weights were trained: the rows lie in data/training/waiting until the next training. */
  waiting?: boolean;
  /** All rows; equal seeds give equal rows. */
  rows(random: Random): Row[];
}

/** Ordinary harmless text: 0 for all nine detectors, except for those in `over`. */
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

/** Harmful text: `general_harmful` 1, the named detectors 1, the named unknown ones null, all others 0. */
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
