import { z } from 'zod';

/** How far a run is, on the wire. */
export const RunProgress = z
  .object({
    done: z.number().meta({ description: 'What is done, in units of the run.' }),
    total: z.number().nullable().meta({ description: 'Null while it is not known.' }),
    step: z.string().nullable().meta({ description: 'What is being done.' }),
  })
  .meta({ id: 'RunProgress' });
