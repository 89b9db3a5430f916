/** Public formats of prompts, read as a tenant's own data set. */

import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { z } from 'zod';
import { topics } from '../attacks/attack.ts';
import type { Expectation } from '../replies/expectation.ts';
import { caseSeverities, intents, type ScanCase } from './case.ts';
import { readCsv } from './csv.ts';
import { expectationSchema } from './expectation-schema.ts';
import { promptfooRows } from './promptfoo.ts';
import type { Row } from './row.ts';

/** `garak`: the text files of its probes, one prompt on each line. */
export const importFormats = ['jsonl', 'csv', 'promptfoo', 'garak'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface Imported {
  name: string;
  licence: string;
  cases: ScanCase[];
  /** What was not read or not understood; `row` counts from 1. */
  notes: { row: number; note: string }[];
}

const importLimits = { characters: 20_000_000, cases: 20_000, turnCharacters: 100_000 };

/**
 * Reads a file as a data set. Rows that say nothing on what is expected are harmful requests to refuse.
 * @throws RangeError where the whole file cannot be read; the message says why.
 */
export function importCases(
  text: string,
  format: ImportFormat,
  about: { name: string; licence: string },
): Imported {
  refuseUnreadable(text, about);
  const notes: Imported['notes'] = [];
  const cases = new Map<string, ScanCase>();
  for (const { row, value, notes: said = [] } of rowsOf(text.replace(/^\u{feff}/u, ''), format)) {
    notes.push(...said.map((note) => ({ row, note })));
    const read = rowSchema.safeParse(withoutEmpty(value));
    if (!read.success) {
      const issue = read.error.issues[0];
      notes.push({ row, note: `left out: ${issue?.path.join('.') || 'row'}: ${issue?.message}` });
      continue;
    }
    const one = caseOf(read.data, about.name);
    if (typeof one === 'string') notes.push({ row, note: `left out: ${one}` });
    else if (cases.has(one.id)) notes.push({ row, note: `left out: the same prompt as ${one.id}` });
    else cases.set(one.id, one);
    if (cases.size > importLimits.cases)
      throw new RangeError(`the file has more than ${importLimits.cases} cases; split it`);
  }
  if (cases.size === 0)
    throw new RangeError(
      `no case could be read as ${format}${notes[0] ? `; row ${notes[0].row}: ${notes[0].note}` : ''}`,
    );
  return { ...about, cases: [...cases.values()], notes };
}

function refuseUnreadable(text: string, about: { name: string; licence: string }): void {
  if (about.name.trim() === '') throw new RangeError('name: a data set needs a name');
  if (about.licence.trim() === '')
    throw new RangeError('licence: name the licence of the material, or say that it is your own');
  if (text.length > importLimits.characters)
    throw new RangeError(`the file has more than ${importLimits.characters} characters; split it`);
}

const prompt = z.string().trim().min(1).max(importLimits.turnCharacters);
const rowSchema = z.object({
  prompt: prompt.optional(),
  text: prompt.optional(),
  question: prompt.optional(),
  goal: prompt.optional(),
  turns: z.array(prompt).min(1).max(50).optional(),
  messages: z
    .array(z.object({ role: z.string(), content: prompt }))
    .min(1)
    .max(100)
    .optional(),
  system: prompt.optional(),
  subcategory: z.string().max(200).optional(),
  category: z.string().max(200).optional(),
  severity: z.preprocess(lower, z.enum(caseSeverities)).optional(),
  topic: z.enum(topics).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .optional(),
  intent: z.enum(intents).optional(),
  expect: z
    .union([z.enum(['refuse', 'comply']).transform((kind) => ({ kind })), expectationSchema])
    .optional(),
});

// oxlint-disable-next-line eslint/complexity -- a field each, every one of which may be missing
function caseOf(row: z.infer<typeof rowSchema>, dataset: string): ScanCase | string {
  const single = row.prompt ?? row.text ?? row.question ?? row.goal;
  const users = row.messages?.filter(({ role }) => role === 'user').map(({ content }) => content);
  const turns = row.turns ?? users ?? (single === undefined ? [] : [single]);
  if (turns.length === 0) return 'it needs prompt, text, question, goal, turns or messages';
  const system = row.system ?? row.messages?.find(({ role }) => role === 'system')?.content;
  const expect = (row.expect ?? { kind: row.intent === 'benign' ? 'comply' : 'refuse' }) as Expectation;
  if (expect.kind === 'same_as') return 'same_as is not read from files';
  const digest = createHash('sha256')
    .update(JSON.stringify([system ?? null, turns]))
    .digest('hex');
  return {
    id: `own-${digest.slice(0, 16)}`,
    dataset,
    subcategory: row.subcategory ?? row.category ?? 'all',
    severity: row.severity ?? 'medium',
    topic: row.topic ?? 'other',
    language: row.language ?? 'en',
    ...(system !== undefined && { system }),
    turns,
    intent:
      row.intent ?? (expect.kind === 'refuse' ? 'harmful' : expect.kind === 'comply' ? 'benign' : 'probe'),
    expect,
    frameworks: [],
  };
}

function rowsOf(text: string, format: ImportFormat): Iterable<Row> {
  if (format === 'csv') return readCsv(text);
  if (format === 'promptfoo') return promptfooRows(yaml(text), importLimits.cases);
  const lines = text.split(/\r?\n/);
  const numbered = lines
    .map((line, index) => ({ row: index + 1, line: line.trim() }))
    .filter(({ line }) => line);
  if (format === 'garak') return numbered.map(({ row, line }) => ({ row, value: { prompt: line } }));
  return numbered.map(({ row, line }) => ({ row, value: json(line) }));
}

/** What is not an object becomes a row that the schema refuses with its number. */
function json(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The note of the row says it.
  }
  return { prompt: null };
}

function yaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 50, logLevel: 'error' });
  } catch (error) {
    const [where = ''] = (error as Error).message.split('\n');
    throw new RangeError(`the file is not YAML: ${where.replace(/:$/, '')}`, { cause: error });
  }
}

const withoutEmpty = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== '' && item !== undefined));

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
