/**
 * Definitions of `data/descriptions`: pairs that differ in one sentence, which steers the model or concerns the tool's own
 * use, and harmless ones about agents, clients and the order of calls.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedTool } from '#engine/descriptions/tool.ts';
import { jsonLines } from '../json-lines.ts';
import type { LabelledTool } from './rows.ts';

const folder = join(import.meta.dirname, '../../data/descriptions');

const linesOf = (name: string): string[] =>
  readFileSync(join(folder, `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The first two words of a line, and the rest. */
function parted(line: string): [language: string, name: string, rest: string] {
  const [language = '', name = '', ...rest] = line.split(' ');
  return [language, name, rest.join(' ')];
}

const toolOf = (name: string, description: string, properties: Record<string, unknown>): DescribedTool => ({
  name,
  kind: 'tool',
  description,
  inputSchema: { type: 'object', properties },
});

/** Definitions of one author. */
export function pairedDefinitions(): LabelledTool[] {
  const group = 'hand pairs';
  const pairs = linesOf('pairs').flatMap((line) => {
    const [, named, rest] = parted(line);
    const [name = '', argument] = named.split('.');
    const [base = '', order = '', twin = ''] = rest.split(' ¦ ');
    const withText = (text: string): DescribedTool =>
      argument === undefined
        ? toolOf(name, `${base} ${text}`, {})
        : toolOf(name, base, { [argument]: { type: 'string', description: text } });
    return [
      { tool: withText(order), label: 1 as const, group, order },
      { tool: withText(twin), label: 0 as const, group },
    ];
  });
  const ownUse = linesOf('own-use').map((line) => {
    const [, name, description] = parted(line);
    return { tool: toolOf(name, description, {}), label: 0 as const, group };
  });
  return [...pairs, ...ownUse];
}

/** Authors of pairs in files of their own, a JSON object a line: `tool`, what it `says`, `order`, `twin`, what stands `after`, `place`. */
export const pairNames = [
  'by-an-eleventh-hand',
  'by-a-twelfth-hand',
  'by-a-fourteenth-hand',
  'by-a-fifteenth-hand',
  'by-a-seventeenth-hand',
] as const;

interface PairRow {
  tool: string;
  says: string;
  order: string;
  twin: string;
  after?: string;
  place: string;
}

/** Both definitions of each pair: the tool with the sentence that steers, and with its harmless twin. */
export const readPairs = (path: string, group: string): LabelledTool[] =>
  (jsonLines(readFileSync(path, 'utf8')) as PairRow[]).flatMap(({ tool, says, order, twin, after, place }) =>
    [order, twin].map((text, i) => ({
      tool:
        place === 'parameter'
          ? toolOf(tool, says, { value: { type: 'string', description: text } })
          : toolOf(tool, [says, text, after].filter(Boolean).join(' '), {}),
      label: i === 0 ? (1 as const) : (0 as const),
      group,
      order: text,
    })),
  );

export const pairsOf = (name: (typeof pairNames)[number]): LabelledTool[] =>
  readPairs(join(folder, `${name}.jsonl`), `hand ${name}`);
