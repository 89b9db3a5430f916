/** Ordinary passages in many languages from the unlabelled corpus of the data sets folder, as what answers are made of. */
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { folded } from '#engine/replies/normalise.ts';
import { cuesOf } from '#engine/replies/refusal/cues.ts';
import { sentencesOf } from '#engine/replies/sentences.ts';
import { languageOf } from '#engine/text/language.ts';
import type { Random } from '#base/random.ts';

export interface Passage {
  lang: string;
  sentences: string[];
}

/** Prose that explains and advises; novels only for languages that have little else, without their dialogues. */
const files = [
  'medquad',
  'counsel-chat',
  'open-source-docs',
  'prompts-book',
  'docs-other-languages',
  'servicenow-docs',
  'reddit-posts',
  'reddit-other-languages',
  'eltec-deu',
  'eltec-fra',
  'eltec-ita',
  'eltec-por',
  'eltec-spa',
];
const each = 500;
/** Files in which people speak for themselves: what they deny of themselves would teach that a model's “I won't” is ordinary. */
const firstPerson = /^(?:eltec|reddit|counsel)/;
const dialogue = /["“”„«»‹›「」—]|^\s*[-–]/;

function deniesItself(text: string): boolean {
  const cues = cuesOf(folded(text));
  return cues.has('decline') || cues.has('selfNegation');
}

/** The lines of a file of the corpus; an escaped `\\n` in one is a line break of the text. */
export function linesOf(folder: string, name: string): string[] {
  const path = join(folder, 'corpus', `${name}.txt.xz`);
  readFileSync(path);
  return execFileSync('xz', ['-dc', path], { maxBuffer: 400_000_000, encoding: 'utf8' }).split('\n');
}

/** Passages of three to twelve sentences, up to 500 of each file and 600 of each language. */
export function readPassages(folder: string, random: Random): Passage[] {
  const counts = new Map<string, number>();
  const passages: Passage[] = [];
  for (const name of files) {
    const lines = random.sample(linesOf(folder, name), each * 2);
    for (const line of lines.slice(0, each)) {
      const body = line.replaceAll('\\n', '\n').replaceAll(/^.*\?\n/g, '');
      const sentences = sentencesOf(body)
        .map(({ text }) => text.trim())
        .filter(
          (text) =>
            text.length > 12 && text.length < 280 && !(name.startsWith('eltec') && dialogue.test(text)),
        )
        .filter((text) => !firstPerson.test(name) || !deniesItself(text));
      const from = random.below(Math.max(1, sentences.length - 6));
      const some = sentences.slice(from, from + 3 + random.below(10));
      const language = languageOf(some.join(' '));
      if (some.length < 3 || language === undefined || !language.read) continue;
      const count = counts.get(language.code) ?? 0;
      if (count >= (language.code === 'en' ? 1500 : 600)) continue;
      counts.set(language.code, count + 1);
      passages.push({ lang: language.code, sentences: some });
    }
  }
  return passages;
}
