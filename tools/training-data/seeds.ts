/**
 * Hand-written lines, stored as plain text in seeds/<style>/<part>.txt, so that they read like a list.
 *
 *     @ goal: gen viol ?ill      a section, its name and the detectors that are present (`?`: not known)
 *     a line || prof -ill        a line of it; what follows `||` changes the labels of this line alone
 *     ## a remark
 *
 * `\n` in a line is a line break. A section without detectors is harmless text: 0 for all nine.
 */
import { readFileSync } from 'node:fs';
import { type DetectorId, harmless, type Labels } from './style.ts';

export interface Seed {
  section: string;
  text: string;
  labels: Labels;
}

/** The short names of the nine detectors, as in the header of a section. */
const shortNames: Record<string, DetectorId> = {
  gen: 'general_harmful',
  hate: 'hate_bias',
  jb: 'jailbreak',
  pi: 'prompt_injection',
  viol: 'violence_abuse',
  prof: 'profanity_offensive',
  sex: 'sexual_suggestive',
  ill: 'unethical_illegal',
  self: 'self_harm',
};

/** All lines of seeds/<style>/<part>.txt in their order. */
export function readSeeds(style: string, part: string): Seed[] {
  const file = new URL(`seeds/${style}/${part}.txt`, import.meta.url);
  return parseSeeds(readFileSync(file, 'utf8'), `${style}/${part}`);
}

/** `where` names the file in error messages. */
function parseSeeds(source: string, where: string): Seed[] {
  const seeds: Seed[] = [];
  let section: { name: string; labels: Labels } | undefined;
  for (const line of source.split('\n')) {
    if (line.trim() === '' || line.startsWith('## ')) continue;
    const header = /^@ ([\w-]+):(.*)$/.exec(line);
    if (header?.[1] !== undefined) {
      section = { name: header[1], labels: relabel(harmless(), header[2] ?? '', where) };
      continue;
    }
    if (section === undefined) throw new SyntaxError(`${where}: a line before the first section`);
    const [text = '', changes = ''] = line.split(' || ');
    const labels = relabel(section.labels, changes, where);
    seeds.push({ section: section.name, text: text.trim().replaceAll('\\n', '\n'), labels });
  }
  return seeds;
}

/** The texts of one section. */
export const linesOf = (seeds: readonly Seed[], section: string): string[] =>
  seeds.filter((seed) => seed.section === section).map((seed) => seed.text);

function relabel(labels: Labels, changes: string, where: string): Labels {
  const result = { ...labels };
  for (const change of changes.split(/\s+/).filter(Boolean)) {
    const id = shortNames[change.replace(/^[?-]/, '')];
    if (id === undefined) throw new SyntaxError(`${where}: no detector named ${change}`);
    result[id] = change.startsWith('?') ? null : change.startsWith('-') ? 0 : 1;
  }
  return result;
}
