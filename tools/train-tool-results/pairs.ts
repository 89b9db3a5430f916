/**
 * Pairs of `data/tool-results/pairs.txt`: an order and a harmless text of much the same words, each alone and in the same
 * carriers, so that neither words nor place tell them apart. The words of the order are known, so it alone is learned.
 */
import type { Random } from '#base/random.ts';
import { carriers } from './carriers.ts';
import { linesOf, parted, sentencesOf } from './compose.ts';
import type { LabelledResult } from './rows.ts';

/** @param weights of an order and of its twin */
export function pairRows(
  pages: readonly LabelledResult[],
  { copies, weights }: { copies: number; weights: readonly [order: number, twin: number] },
  random: Random,
): LabelledResult[] {
  const sentences = pages.flatMap(({ text }) => random.sample(sentencesOf(text), 3));
  return linesOf('pairs').flatMap((line) => {
    const [kind, rest] = parted(line);
    const [language, texts] = parted(rest);
    const [order = '', twin = ''] = texts.split(' ¦ ');
    const row = (text: string, label: 0 | 1, share: number): LabelledResult => ({
      text,
      label,
      weight: weights[label === 1 ? 0 : 1] * share,
      group: 'pairs',
      kind: `${kind} ${language}`,
      ...(label === 1 && { order }),
    });
    return [
      row(order, 1, 1),
      row(twin, 0, 1),
      ...Array.from({ length: copies }, () => {
        const carrier = random.pick(carriers);
        const around = random.sample(sentences, 2);
        return [row(carrier(order, around), 1, 0.5), row(carrier(twin, around), 0, 0.5)];
      }).flat(),
    ];
  });
}
