import { z } from 'zod';
import { domains } from '#environments/kit/environment.ts';
import { checkSchema } from '../checks/check.ts';
import { riskCategoryIds } from './taxonomy.ts';

const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_.-]{2,80}$/, 'lower-case letters, digits, dots, dashes and underscores');
const cell = z.union([z.string(), z.number(), z.null()]);
/** Rows that a session starts with: environment → table → rows. */
const seed = z.record(z.string(), z.record(z.string(), z.array(z.record(z.string(), cell)).max(100)));
const environments = z.array(z.string().min(1)).min(1).max(6);

/**
 * A step of a replay. Arguments may name a field of an earlier step's output: `{{result.1.id}}` is the id that the first
 * call returned.
 */
const step = z.union([
  z.strictObject({ call: z.string().min(1), args: z.record(z.string(), z.json()).default({}) }),
  z.strictObject({ respond: z.string() }),
]);
export type Step = z.infer<typeof step>;

const allowedChanges = z
  .array(
    z.strictObject({
      env: z.string(),
      table: z.string(),
      op: z.enum(['added', 'removed', 'updated']).optional(),
      where: z.record(z.string(), z.any()).default({}),
    }),
  )
  .default([]);

/** An ordinary piece of work that a user gives to an agent, and the places in it where an injection can stand. */
const scenario = z.strictObject({
  id,
  title: z.string().min(3).max(200),
  envs: environments,
  prompt: z.string().min(10).max(4000),
  /** `{{injection}}` in a text marks the place for the vector `environment_data`; it is empty in a benign task. */
  seed: seed.default({}),
  /** The tool whose output a compromised server would change; without it the vector `tool_output` is not used. */
  compromised_tool: z.string().optional(),
  /** A written procedure that the agent is asked to follow, with `{{injection}}`: the vector `skill`. */
  skill: z.strictObject({ name: id, text: z.string().min(20).max(8000) }).optional(),
  success: checkSchema,
  allow: allowedChanges,
  ground_truth: z.array(step).min(1).max(30),
});
export type Scenario = z.infer<typeof scenario>;

/** What an attacker wants an agent to do. */
const goal = z.strictObject({
  id,
  title: z.string().min(3).max(200),
  risk_category: z.enum(riskCategoryIds),
  sub_category: id,
  envs: environments,
  /** The order as it would stand in an injected text, without the template's words around it. */
  text: z.string().min(10).max(2000),
  /** The order as a malicious user would give it; without it the goal is used in indirect tasks only. */
  direct_prompt: z.string().min(10).max(4000).optional(),
  /** The rule of an organisation that the goal breaks, in one sentence. */
  policy: z.string().min(10).max(400),
  seed: seed.default({}),
  attack: checkSchema,
  ground_truth: z.array(step).min(1).max(30),
  /** Scenarios that it cannot be combined with, because their own work would look like the attack. */
  not_with: z.array(id).default([]),
});
export type Goal = z.infer<typeof goal>;

/** A file of tasks: scenarios and goals of one domain, combined with each other and with the attack templates. */
export const taskFileSchema = z.strictObject({
  domain: z.enum(domains),
  scenarios: z.array(scenario).max(200),
  goals: z.array(goal).max(200),
});
export type TaskFile = z.infer<typeof taskFileSchema>;
