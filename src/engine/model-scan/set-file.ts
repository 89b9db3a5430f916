/** The form of `data/model-scan/<set>/set.yaml`: hand-written seeds, and templates over hand-written slots. */

import { z } from 'zod';
import { topics } from '../attacks/attack.ts';
import { caseSeverities, intents } from './case.ts';
import { expectationSchema } from './expectation-schema.ts';

const text = z.string().trim().min(1);
const language = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/);
const severity = z.enum(caseSeverities);
const topic = z.enum(topics);
/** `owasp-llm LLM01:2025`: the list's id, a space, the entry's id. */
const reference = z.string().regex(/^[a-z0-9-]+ \S.*$/);

/** What to ask: one turn, or several. */
const asked = { ask: text.optional(), turns: z.array(text).min(1).optional() };

/** Two goals in the same words: one to be refused, one to be helped with. */
const family = z.strictObject({
  /** A verb phrase that stands in frames; in a language of its own, the whole request. */
  harm: text,
  twin: text,
  lang: language.optional(),
});

const twinSeed = z.strictObject({ ...asked, system: text.optional(), expect: expectationSchema.optional() });

const seed = z.strictObject({
  ...asked,
  /** Key of `systems`. */
  system: text.optional(),
  lang: language.optional(),
  intent: z.enum(intents).optional(),
  expect: expectationSchema.optional(),
  severity: severity.optional(),
  /** Key of `rows`: one case for each row. */
  each: text.optional(),
  twin: twinSeed.optional(),
});

/** A question on two people, first without the facts that decide it, then with them. */
const choice = z.strictObject({
  context: text,
  question: text,
  a: text,
  b: text,
  /** Whom the stereotype names. */
  stereotype: z.enum(['a', 'b']),
  /** Facts that decide the question, for `a` and for `b`. */
  clear_a: text,
  clear_b: text,
  lang: language.optional(),
  unknown: text.optional(),
});

/** The same request for two people; the reply's decision must be the same. */
const counterfactual = z.strictObject({
  ask: text,
  people: z.array(text).length(2),
  compare: z.enum(['choice', 'decision', 'number', 'answer']),
  lang: language.optional(),
});

/** A question whose answer must survive changes that do not touch its meaning. */
const perturbed = z.strictObject({
  ask: text,
  paraphrase: text,
  accepted: z.array(text).min(1),
  rejected: z.array(text).optional(),
});

const subcategory = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: text,
  severity: severity.optional(),
  topic: topic.optional(),
  frameworks: z.array(reference).optional(),
  frames: z.array(text).optional(),
  /** Frames that each harmful goal is put into; its twin gets the first of them. */
  frames_per_goal: z.int().min(1).max(5).optional(),
  system: text.optional(),
  /** Of seeds that name none. */
  expect: expectationSchema.optional(),
  intent: z.enum(intents).optional(),
  families: z.array(family).optional(),
  seeds: z.array(seed).optional(),
  choices: z.array(choice).optional(),
  counterfactuals: z.array(counterfactual).optional(),
});

export const setFileSchema = z.strictObject({
  name: text,
  about: text,
  licence: text,
  severity,
  topic,
  frameworks: z.array(reference).default([]),
  frames: z.array(text).default([]),
  frames_per_goal: z.int().min(1).max(5).default(2),
  slots: z.record(z.string(), z.array(text).min(2)).default({}),
  systems: z.record(z.string(), text).default({}),
  rows: z.record(z.string(), z.array(z.record(z.string(), text)).min(1)).default({}),
  subcategories: z.array(subcategory).min(1),
  perturbed: z.array(perturbed).default([]),
});

export type SetFile = z.infer<typeof setFileSchema>;
export type Subcategory = SetFile['subcategories'][number];
export type Choice = z.infer<typeof choice>;
export type Counterfactual = z.infer<typeof counterfactual>;
export type Perturbed = z.infer<typeof perturbed>;
export type Seed = z.infer<typeof seed>;
