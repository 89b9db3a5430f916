/** Expands seed lines into rows: a line without `{slot}` marks gives one row, a line with them several. */
import { readSeeds } from './seeds.ts';
import type { Random } from '../../src/base/random.ts';
import { fill, type Row } from './style.ts';
import { voice } from './voice.ts';

export interface Expansion {
  /** Rows of a line with slots (default 3). */
  perTemplate?: number;
  /** Share of the rows that are rewritten in another style of typing (default .4); the others stay unchanged. */
  voiced?: number;
}

/**
 * The rows of seeds/<style>/<part>.txt for all parts. Sections named `slot-<name>` fill `{name}`; they are shared by
 * all parts.
 */
export function expand(
  style: string,
  parts: readonly string[],
  random: Random,
  { perTemplate = 3, voiced = 0.4 }: Expansion = {},
): Row[] {
  const seeds = parts.flatMap((part) => readSeeds(style, part));
  const slots: Record<string, string[]> = {};
  for (const { section, text } of seeds) {
    if (section.startsWith('slot-')) (slots[section.slice(5)] ??= []).push(text);
  }
  return seeds
    .filter(({ section }) => !section.startsWith('slot-'))
    .flatMap(({ text, labels }) => {
      const count = text.includes('{') && /\{\w+\}/.test(text) ? perTemplate : 1;
      return Array.from({ length: count }, (): Row => {
        // Twice, because a slot's text may contain slots.
        const filled = fill(fill(text, slots, random), slots, random);
        return { text: random.next() < voiced ? voice(filled, random) : filled, labels };
      });
    });
}
