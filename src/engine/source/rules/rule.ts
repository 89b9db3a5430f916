import { z } from 'zod';
import { severities } from '#findings/severity.ts';

/**
 * What is called: `subprocess.run`; `**` stands for anything, so `**.execute` is a method of any object and
 * `sqlite3.**.execute` one of an object that came from a module.
 */
const calleeSchema = z.string().min(2);

const sinkSchema = z.strictObject({
  callee: z.union([calleeSchema, z.array(calleeSchema).min(1)]),
  /** Positions of the arguments that count, from 0; -1 is the object itself. All where nothing is said. */
  args: z.array(z.int().min(-1)).optional(),
  /** Names of keyword arguments or options that count too. */
  named: z.array(z.string()).optional(),
  /** The last name of the object must match, where nothing is known of it. */
  receiver: z.string().optional(),
  /** Keyword arguments or options that must be true, such as `shell`. */
  where: z.array(z.string()).optional(),
  /** Keyword arguments or options that must not be given, such as `Loader`. */
  unless: z.array(z.string()).optional(),
  /** `first`: only the first element of a list counts, as the program of a command; `rest`: all others; `options`: all up to `--`. */
  elements: z.enum(['first', 'rest', 'options']).optional(),
  /** Only text put together of parts. */
  built: z.boolean().optional(),
  /** Only where an earlier argument or element matches, such as the name of a program. */
  after: z.string().optional(),
});
export type Sink = z.infer<typeof sinkSchema>;

const sanitizerSchema = z.strictObject({
  callee: z.union([calleeSchema, z.array(calleeSchema).min(1)]),
});

const exampleSchema = z.strictObject({ language: z.string(), code: z.string() });

const common = {
  id: z.string().regex(/^[a-z][a-z0-9-]+$/),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  severity: z.enum(severities),
  cwe: z.array(z.string().regex(/^CWE-\d+$/)).min(1),
  owasp_mcp: z.string().optional(),
  message: z.string(),
  remediation: z.string(),
  references: z.array(z.url()).default([]),
  tests: z.strictObject({ bad: z.array(exampleSchema).min(2), good: z.array(exampleSchema).min(2) }),
};

const taintSchema = z.strictObject({
  ...common,
  kind: z.literal('taint'),
  sinks: z.array(sinkSchema).min(1),
  sanitizers: z.array(sanitizerSchema).default([]),
  /** A word in a tool's name or description that says that this is what the tool is for: then it is a capability. */
  purpose: z.string().optional(),
});
export type TaintRule = z.infer<typeof taintSchema>;

export const ruleSchema = taintSchema;
