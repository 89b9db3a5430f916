import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem } from './stems.ts';

let table: Map<string, Set<string>> | undefined;

/** `data/lexicons/synonyms.json`: groups of words that stand for one another in policies. */
function load(): Map<string, Set<string>> {
  const path = join(import.meta.dirname, '../../../data/lexicons/synonyms.json');
  const groups = (JSON.parse(readFileSync(path, 'utf8')) as { groups: string[][] }).groups;
  const found = new Map<string, Set<string>>();
  for (const group of groups) {
    const stems = group.map(stem);
    for (const each of stems) {
      const others = found.get(each) ?? new Set();
      for (const other of stems) if (other !== each) others.add(other);
      found.set(each, others);
    }
  }
  return found;
}

/** Stems that mean much the same as this one. */
export function synonymsOf(of: string): Iterable<string> {
  table ??= load();
  return table.get(of) ?? [];
}
