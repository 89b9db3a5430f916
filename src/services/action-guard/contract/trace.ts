import { z } from 'zod';

/** The last one of a trace is judged; a longer trace is refused rather than cut at a place that nobody chose. */
const maxSteps = 10_000;

/** Judged and not stored: any text. Clients in many languages send null for what they do not have. */
const text = () => z.string().nullish();

const StepMetadata = z
  .object({
    tool_name: text(),
    tool_params: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ description: 'The arguments of the call.' }),
    server_name: text(),
    server_id: text(),
    tool_description: text().meta({
      description: 'What the tool says it does; helps to tell what a call has for effect.',
    }),
    tool_output: z.unknown().optional().meta({
      description:
        'What the tool answered: text or JSON. Without it instructions that were planted in a tool’s answer cannot be seen.',
    }),
  })
  .meta({ id: 'StepMetadata' });

const TraceStep = z
  .object({
    role: z.enum(['user', 'agent']),
    content: text().meta({ description: 'What the user wrote.' }),
    action: text().meta({ description: 'What the agent says it does.' }),
    step_id: z.int().nullish(),
    metadata: StepMetadata.nullish().meta({ description: 'Of agent steps.' }),
  })
  .meta({ id: 'TraceStep' });

const count = () => z.int().nullish();

export const SessionHistory = z
  .object({
    session_info: z
      .object({
        gateway_id: z.string().max(256).nullish(),
        gateway_name: z.string().max(255).nullish().meta({ description: 'Stands in the log.' }),
        user: z
          .object({
            id: z.string().max(256).nullish(),
            roles: z
              .array(
                z
                  .string()
                  .min(1)
                  .max(100)
                  .refine((role) => role.trim() !== '', { error: 'must not be blank' }),
              )
              .max(100)
              .nullish()
              .meta({ description: 'Any names; those that no rule asks for change nothing.' }),
            attributes: z.record(z.string(), z.unknown()).nullish(),
          })
          .nullish()
          .meta({
            id: 'ActingUser',
            description:
              'Whom the agent acts for, as the calling application has checked it; for rules about roles and attributes. ' +
              'Default: who asks, without a role.',
          }),
        metadata: z
          .object({ step_count: count(), actions_count: count(), tool_count: count() })
          .nullish()
          .meta({ description: 'Counts as the caller has them; the trace itself decides.' }),
      })
      .nullish(),
    trace: z.array(TraceStep).max(maxSteps).nullish().meta({
      description:
        'Oldest first. The last `agent` step is the action that is judged; a trace without one: 422.',
    }),
  })
  .meta({ id: 'SessionHistory' });
