/** Sentences of `data/replies/seeds/sentences`: lines with alternatives in braces, put together at random. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Act } from '#engine/replies/refusal/acts/act-model.ts';
import type { Random } from '#base/random.ts';

export interface SeedLine {
  lang: string;
  act: Act | 'ordinary';
  /** Wordings of the line; `<x>` and `<v>` are filled in. */
  wordings: string[];
}

const folder = new URL('../../data/replies/seeds/sentences/', import.meta.url);
const mostWordings = 32;

/** One wording, with a choice for each pair of braces. */
function chosen(line: string, random: Random): string {
  return line.replaceAll(/\{([^{}]*)\}/g, (_, some: string) => random.pick(some.split('|')));
}

function fileOf(lang: string, random: Random): SeedLine[] {
  const slots: Record<string, string[]> = { x: [], v: [] };
  const lines: { act: Act | 'ordinary'; line: string }[] = [];
  let section = '';
  for (const line of readFileSync(new URL(`${lang}.txt`, folder), 'utf8').split('\n')) {
    const head = /^\[(x|v|declines|redirects|ordinary)\]$/.exec(line)?.[1];
    if (head !== undefined) section = head;
    else if (line.trim() === '' || line.startsWith('#')) continue;
    else if (section === 'x' || section === 'v') slots[section]?.push(line);
    else lines.push({ act: section as SeedLine['act'], line });
  }
  return lines.map(({ act, line }) => {
    const choices = line.match(/\{[^{}]*\}/g) ?? [];
    const all = choices.reduce((product, each) => product * each.split('|').length, 1);
    const wordings = new Set<string>();
    for (let i = 0; i < mostWordings * 3 && wordings.size < Math.min(mostWordings, all); i++)
      wordings.add(
        chosen(line, random)
          .replaceAll(/<([xv])>/g, (_, slot: string) => random.pick(slots[slot] ?? ['']))
          .replaceAll(/\s+/g, ' ')
          .replace(/^./u, (first) => first.toUpperCase()),
      );
    return { lang, act, wordings: [...wordings] };
  });
}

export function readSeedLines(random: Random): SeedLine[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .flatMap((name) => fileOf(name.slice(0, -4), random));
}
