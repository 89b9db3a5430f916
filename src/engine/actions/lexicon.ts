import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './words.ts';

/** Words that stand for one another; what each list is for stands in the file. */
interface Lexicon {
  things: readonly string[];
  alike: readonly string[];
  kinds: Readonly<Record<string, string>>;
  acts: readonly string[];
}

export const lexicon = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../data/lexicons/words-of-actions.json'), 'utf8'),
) as Lexicon;

/** Root of each word → the roots of all groups that it is in, its own among them. */
export function kinOf(groups: readonly string[]): Map<string, Set<string>> {
  const kin = new Map<string, Set<string>>();
  for (const group of groups) {
    const roots = group.split(' ').map(root);
    for (const word of roots) kin.set(word, new Set([...(kin.get(word) ?? []), ...roots]));
  }
  return kin;
}
