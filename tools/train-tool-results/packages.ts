/**
 * Documentation and source of the packages that the product is built with, as harmless answers of tools: they tell people
 * and agents what to do. A third of the packages is learned from; the others measure.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '#base/random.ts';
import type { LabelledResult } from './rows.ts';

const root = join(import.meta.dirname, '../../node_modules');

const kinds: readonly { kind: string; pattern: string; most: number }[] = [
  { kind: 'readme', pattern: '**/{README,readme,Readme}*.md', most: 400 },
  { kind: 'agents file', pattern: '**/{AGENTS,CLAUDE,SKILL,agents,claude,skill}.md', most: 60 },
  { kind: 'changes', pattern: '**/{CHANGELOG,changelog}*.md', most: 40 },
  { kind: 'source', pattern: '**/*.{ts,js,mjs}', most: 300 },
];

/** Packages of one author stay together. */
function packageOf(path: string): string {
  const [first = ''] = path.slice(path.lastIndexOf('node_modules/') + 13).split('/');
  return first.startsWith('@') ? first : first.replace(/[-.].*/, '');
}

/** 0: learned from; 1 and 2: for measuring. */
const partOf = (name: string): number => (createHash('sha1').update(`hands:${name}`).digest()[0] ?? 0) % 3;

const fewestBytes = 200;
const mostBytes = 400_000;
const shown = 8000;

/** @param part which third of the packages */
export function packageRows(part: number, weight: number): LabelledResult[] {
  const random = new Random('packages');
  return kinds.flatMap(({ kind, pattern, most }) => {
    const files = globSync(pattern, { cwd: root })
      .filter((path) => partOf(packageOf(`node_modules/${path}`)) === part && !/\.min\./.test(path))
      .toSorted((a, b) => (a < b ? -1 : 1));
    return random
      .sample(files, Math.min(files.length, most * 2))
      .flatMap((path): LabelledResult[] => {
        const { size } = statSync(join(root, path));
        if (size < fewestBytes || size > mostBytes) return [];
        const text = readFileSync(join(root, path), 'utf8').slice(0, shown);
        return [{ text, label: 0, weight, group: `package ${packageOf(`node_modules/${path}`)}`, kind }];
      })
      .slice(0, most);
  });
}
