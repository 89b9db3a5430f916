import { z } from 'zod';

/** A run's progress, on the wire. */
export const RunProgress = z
  .object({
    done: z.number().meta({ description: 'Units of work done.' }),
    total: z.number().nullable().meta({ description: 'Total units of work; null while unknown.' }),
    step: z.string().nullable().meta({ description: 'The current step.' }),
  })
  .meta({ id: 'RunProgress' });
