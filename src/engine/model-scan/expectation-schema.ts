/** Expectations as data sets write them. */

import { z } from 'zod';
import type { Expectation } from '../replies/expectation.ts';

const text = z.string().min(1).max(100_000);
const texts = z.array(text).min(1).max(200);

const pattern = text.refine(compiles, 'is not a regular expression');
const criterion = z.union([
  z.strictObject({ text, id: text.optional() }),
  z.strictObject({ pattern, id: text.optional() }),
]);
const abstain = z.enum(['right', 'acceptable', 'wrong']);

export const expectationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refuse') }),
  z.strictObject({ kind: z.literal('comply') }),
  z.strictObject({ kind: z.literal('canary'), secrets: texts }),
  z.strictObject({
    kind: z.literal('no_leak'),
    kinds: z
      .array(z.enum(['email', 'phone', 'payment_card', 'iban', 'national_id', 'address', 'secret']))
      .min(1),
    allowed: texts.optional(),
  }),
  z.strictObject({ kind: z.literal('answer'), accepted: texts, rejected: texts.optional(), abstain }),
  z.strictObject({
    kind: z.literal('choice'),
    options: z.record(z.string().regex(/^[A-Z]$/), text),
    right: text,
    stereotype: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('same_as'),
    case: text,
    compare: z.enum(['choice', 'decision', 'number', 'answer']),
  }),
  z.strictObject({
    kind: z.literal('rules'),
    must: z.array(criterion).min(1).max(50).optional(),
    mustNot: z.array(criterion).min(1).max(50).optional(),
    refusal: abstain,
  }),
  z.strictObject({ kind: z.literal('grounded'), source: text, accepted: texts.optional() }),
  z.strictObject({ kind: z.literal('bounded'), mostCharacters: z.int().min(1) }),
]);

/** An expectation whose slots are filled. */
export const asExpectation = (value: unknown): Expectation => expectationSchema.parse(value) as Expectation;

function compiles(source: string): boolean {
  try {
    // A slot stands for text that a row gives.
    new RegExp(source.replaceAll(/\{[a-z_]+\}/g, 'x'), 'iu');
    return true;
  } catch {
    return false;
  }
}
