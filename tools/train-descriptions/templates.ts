/**
 * Sentences from templates: `{a|b}` is a choice, nested as one likes, `$name` a word of that list in `words.txt`. A line
 * is one template; lines below a heading are of one manner.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#base/random.ts';

export interface Template {
  file: string;
  manner: string;
  text: string;
}

const folder = join(import.meta.dirname, '../../data/descriptions');

export function readTemplates(file: string): Template[] {
  const found: Template[] = [];
  let manner = '';
  for (const line of readFileSync(join(folder, `${file}.txt`), 'utf8').split('\n')) {
    if (line.startsWith('## ')) manner = line.slice(3).trim();
    else if (line.trim() !== '') found.push({ file, manner, text: line });
  }
  return found;
}

export function readWords(): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { manner, text } of readTemplates('words'))
    lists.set(manner, [...(lists.get(manner) ?? []), text.trim()]);
  return lists;
}

const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random.next() * list.length)];

/** The parts between the bars of one pair of braces, those of inner pairs kept together. */
function choicesIn(text: string): string[] {
  const choices: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === '|' && depth === 0) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...choices, text.slice(from)];
}

function chosen(text: string, random: Random): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{') {
      out += text[at];
      continue;
    }
    let depth = 1;
    let end = at + 1;
    while (end < text.length && depth > 0) {
      if (text[end] === '{') depth++;
      if (text[end] === '}') depth--;
      end++;
    }
    out += chosen(pick(choicesIn(text.slice(at + 1, end - 1)), random) ?? '', random);
    at = end - 1;
  }
  return out;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** One sentence of a template. */
export function expand(
  template: string,
  words: ReadonlyMap<string, readonly string[]>,
  random: Random,
): string {
  return chosen(template, random)
    .replaceAll(/\$([A-Za-z]+)/g, (whole, name: string) => {
      const own = words.get(name);
      if (own !== undefined) return pick(own, random) ?? whole;
      const lower = words.get(name.toLowerCase());
      return lower === undefined ? whole : capitalised(pick(lower, random) ?? whole);
    })
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ([.,;])/g, '$1')
    .replaceAll(/([.!?])\./g, '$1')
    .trim();
}
