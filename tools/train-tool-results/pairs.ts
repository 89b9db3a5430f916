/** Pairs of `data/tool-results` by one author each: the same answer with an order and with its harmless twin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines } from '../json-lines.ts';
import type { LabelledResult } from './rows.ts';

export const pairNames = [
  'by-an-eleventh-hand',
  'by-a-twelfth-hand',
  'by-a-fourteenth-hand',
  'by-a-fifteenth-hand',
  'by-a-sixteenth-hand',
] as const;

interface PairRow {
  carrier: string;
  before?: string;
  order: string;
  twin: string;
  after?: string;
}

/** What stands between two parts of an answer that are read one after the other. */
function between(before: string, after: string): string {
  if (before === '' || after === '') return '';
  if (/["'([{>\n=`]$/.test(before) || /^["'<)\]}\n,`]/.test(after)) return '';
  return before.includes('\n') || after.includes('\n') ? '\n' : ' ';
}

/** Both answers of each pair; `order` is what differs, of either label. */
export const readPairs = (path: string, group: string): LabelledResult[] =>
  (jsonLines(readFileSync(path, 'utf8')) as PairRow[]).flatMap(
    ({ carrier, before = '', order, twin, after = '' }) =>
      [order, twin].map((said, i) => ({
        text: `${before}${between(before, said)}${said}${between(said, after)}${after}`,
        label: i === 0 ? (1 as const) : (0 as const),
        weight: 1,
        group,
        kind: carrier,
        order: said,
      })),
  );

const folder = join(import.meta.dirname, '../../data/tool-results');

export const pairsOf = (name: (typeof pairNames)[number]): LabelledResult[] =>
  readPairs(join(folder, `${name}.jsonl`), name);
