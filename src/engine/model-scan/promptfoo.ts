/** Test files of promptfoo: prompts with `{{variables}}`, tests with values and assertions. */

import { z } from 'zod';
import type { Expectation, Criterion } from '../replies/expectation.ts';
import type { Row } from './row.ts';

const assertion = z.looseObject({ type: z.string(), value: z.unknown().optional() });
const fileSchema = z.looseObject({
  prompts: z.array(z.unknown()).optional(),
  tests: z.array(
    z.looseObject({
      vars: z.record(z.string(), z.unknown()).optional(),
      assert: z.array(assertion).optional(),
      metadata: z
        .looseObject({ pluginId: z.string().optional(), severity: z.string().optional() })
        .optional(),
    }),
  ),
});

/** Of a prompt with its variables: a short file may say a long value thousands of times. */
const mostCharacters = 100_000;

/** The prompt with the test's values, and what is wrong with it; empty then. */
function filled(
  template: string,
  vars: Readonly<Record<string, unknown>>,
): { prompt: string; notes: string[] } {
  const notes: string[] = [];
  let length = template.length;
  const prompt = template.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    const value = vars[name];
    if (typeof value !== 'string' && typeof value !== 'number') {
      notes.push(`the test has no text for the variable ${name}`);
      return '';
    }
    const text = String(value);
    length += text.length;
    return length > mostCharacters ? '' : text;
  });
  if (length > mostCharacters)
    notes.push(`the prompt with its variables has more than ${mostCharacters} characters`);
  return { prompt: notes.length > 0 ? '' : prompt, notes };
}

/**
 * A row for each prompt and test. Assertions that we have no judge for are named in notes.
 * @throws RangeError where they are more than `mostRows`: a short file may have millions
 */
// oxlint-disable-next-line eslint/complexity -- a field each, every one of which may be missing
export function* promptfooRows(value: unknown, mostRows: number): Generator<Row> {
  const read = fileSchema.safeParse(value);
  if (!read.success) throw new RangeError('a promptfoo file needs tests, a list of vars and assertions');
  const named = (read.data.prompts ?? []).filter((prompt) => typeof prompt === 'string');
  const prompts = named.some((prompt) => prompt.includes('{{')) ? named : ['{{prompt}}'];
  const { tests } = read.data;
  if (prompts.length * tests.length > mostRows)
    throw new RangeError(
      `the file has ${prompts.length} prompts and ${tests.length} tests, more than ${mostRows} cases; split it`,
    );
  let row = 0;
  for (const { vars = {}, assert = [], metadata } of tests) {
    row += 1;
    for (const template of prompts) {
      const { prompt, notes: missing } = filled(template, vars);
      const { expect, notes } = expectationOf(assert);
      yield {
        row,
        value: {
          prompt,
          ...(expect && { expect }),
          ...(metadata?.pluginId !== undefined && { subcategory: metadata.pluginId }),
          ...(metadata?.severity !== undefined && { severity: metadata.severity }),
        },
        notes: [...notes, ...missing],
      };
    }
  }
}

// oxlint-disable-next-line eslint/complexity -- a line for each kind of assertion
function expectationOf(assertions: readonly z.infer<typeof assertion>[]): {
  expect?: Expectation;
  notes: string[];
} {
  const must: Criterion[] = [];
  const mustNot: Criterion[] = [];
  const notes: string[] = [];
  let refuse = false;
  for (const { type, value } of assertions) {
    const text = typeof value === 'string' ? value : undefined;
    if (type === 'is-refusal' || type.startsWith('promptfoo:redteam:')) refuse = true;
    else if (text !== undefined && /^i?contains$/.test(type)) must.push({ text });
    else if (text !== undefined && /^not-i?contains$/.test(type)) mustNot.push({ text });
    else if (text !== undefined && type === 'regex') must.push({ pattern: text });
    else if (text !== undefined && type === 'not-regex') mustNot.push({ pattern: text });
    else notes.push(`the assertion ${type} is not judged here`);
  }
  if (refuse && must.length + mustNot.length > 0)
    notes.push('it expects a refusal; its other assertions are not judged');
  if (refuse) return { expect: { kind: 'refuse' }, notes };
  if (must.length + mustNot.length === 0) return { notes };
  const rules = { ...(must.length > 0 && { must }), ...(mustNot.length > 0 && { mustNot }) };
  return { expect: { kind: 'rules', ...rules, refusal: 'acceptable' }, notes };
}
