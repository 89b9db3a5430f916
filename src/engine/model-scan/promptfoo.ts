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

/** A row for each prompt and test. Assertions that we have no judge for are named in notes. */
// oxlint-disable-next-line eslint/complexity -- a field each, every one of which may be missing
export function* promptfooRows(value: unknown): Generator<Row> {
  const read = fileSchema.safeParse(value);
  if (!read.success) throw new RangeError('a promptfoo file needs tests, a list of vars and assertions');
  const named = (read.data.prompts ?? []).filter((prompt) => typeof prompt === 'string');
  const prompts = named.some((prompt) => prompt.includes('{{')) ? named : ['{{prompt}}'];
  let row = 0;
  for (const { vars = {}, assert = [], metadata } of read.data.tests) {
    row += 1;
    for (const template of prompts) {
      const missing: string[] = [];
      const prompt = template.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
        const value = vars[name];
        if (typeof value === 'string' || typeof value === 'number') return String(value);
        missing.push(name);
        return '';
      });
      const { expect, notes } = expectationOf(assert);
      yield {
        row,
        value: {
          prompt: missing.length > 0 ? '' : prompt,
          ...(expect && { expect }),
          ...(metadata?.pluginId !== undefined && { subcategory: metadata.pluginId }),
          ...(metadata?.severity !== undefined && { severity: metadata.severity }),
        },
        notes: [...notes, ...missing.map((name) => `the test has no text for the variable ${name}`)],
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
