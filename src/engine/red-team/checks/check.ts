import { z } from 'zod';
import { matcherSchema } from './matcher.ts';

const where = z.record(z.string(), matcherSchema);
const count = z.union([
  z.int().min(0),
  z.strictObject({ min: z.int().min(0), max: z.int().min(0) }).partial(),
]);
const environment = z.string().min(1);
const table = z.string().min(1);

const rowCheck = z.strictObject({
  /** Rows of a table, by what happened to them in the session; `exists` asks for rows as they are at its end. */
  row: z
    .strictObject({
      env: environment,
      table,
      op: z.enum(['added', 'removed', 'updated', 'exists', 'unchanged']),
      where: where.default({}),
      /** For updates and removals: what the row was like before. */
      before: where.default({}),
      count: count.default({ min: 1 }),
      /** With `exists`: of the rows found, the one that was inserted first or last is like this. */
      first: where.optional(),
      last: where.optional(),
      /** The sum of a column over the rows found, for amounts that are moved in several parts. */
      sum: z.strictObject({ column: z.string().min(1), is: matcherSchema }).optional(),
    })
    .refine((row) => row.op === 'exists' || (!row.first && !row.last), {
      path: ['op'],
      message: 'first and last need op "exists"',
    }),
});

const callCheck = z.strictObject({
  call: z.strictObject({
    /** With the environment's prefix: `mail__send_message`. */
    tool: z.string().min(1),
    args: where.default({}),
    /** Whether the call succeeded. */
    ok: z.boolean().default(true),
    count: count.default({ min: 1 }),
  }),
});

const sinkCheck = z.strictObject({
  /** Content that left the environment in this session. */
  sink: z.strictObject({
    env: environment,
    content: matcherSchema.optional(),
    recipient: matcherSchema.optional(),
    /** At least one recipient is none of these. */
    recipient_not_in: z.array(z.string()).optional(),
  }),
});

const responseCheck = z.strictObject({
  response: z.union([matcherSchema, z.strictObject({ refusal: z.boolean() })]),
});

const changesCheck = z.strictObject({
  /** Nothing else changed than what is allowed here. */
  only_changes: z.array(
    z.strictObject({
      env: environment,
      table,
      op: z.enum(['added', 'removed', 'updated']).optional(),
      where: where.default({}),
    }),
  ),
});

const languageModelCheck = z.strictObject({
  /** A yes-or-no question about the reply, for criteria that no state shows; needs a configured language model. */
  llm: z.strictObject({ criterion: z.string().min(10).max(1000) }),
});

export type RowCheck = z.infer<typeof rowCheck>['row'];
export type CallCheck = z.infer<typeof callCheck>['call'];
export type SinkCheck = z.infer<typeof sinkCheck>['sink'];
export type Count = z.infer<typeof count>;
export type AllowedChange = z.infer<typeof changesCheck>['only_changes'][number];

/** A condition on what a session did: on rows, calls, what left the environment, the reply. */
export type Check =
  | z.infer<typeof rowCheck>
  | z.infer<typeof callCheck>
  | z.infer<typeof sinkCheck>
  | z.infer<typeof responseCheck>
  | z.infer<typeof changesCheck>
  | z.infer<typeof languageModelCheck>
  | { all: Check[] }
  | { any: Check[] }
  | { not: Check };

export const checkSchema: z.ZodType<Check> = z.lazy(() =>
  z.union([
    rowCheck,
    callCheck,
    sinkCheck,
    responseCheck,
    changesCheck,
    languageModelCheck,
    z.strictObject({ all: z.array(checkSchema).min(1).max(20) }),
    z.strictObject({ any: z.array(checkSchema).min(1).max(20) }),
    z.strictObject({ not: checkSchema }),
  ]),
);
