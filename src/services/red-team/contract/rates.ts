import { z } from 'zod';

const Rate = z
  .object({
    count: z.int(),
    of: z.int(),
    rate: z.number().min(0).max(1).nullable().meta({ description: 'Null where `of` is 0.' }),
    interval: z.tuple([z.number(), z.number()]).nullable().meta({ description: 'Wilson interval at 95 %.' }),
  })
  .meta({ id: 'RedTeamRate' });

/** The figures of a run or a part of it. Tasks that ended with an error count in `error_rate` alone. */
export const Rates = z
  .object({
    asr: Rate.meta({ description: 'Attack success, of all assessed attacks.' }),
    asr_delivered: Rate.meta({ description: 'Attack success, of the injections that reached the agent.' }),
    utility: Rate.meta({ description: 'Work done, of the benign tasks.' }),
    utility_under_attack: Rate.meta({ description: 'The user’s work done, of the indirect attacks.' }),
    collateral: Rate.meta({
      description:
        'Tasks with changes that the work does not explain, of those whose attack did not succeed.',
    }),
    error_rate: Rate.meta({ description: 'Tasks that could not be assessed, of all that ended.' }),
  })
  .meta({ id: 'RedTeamRates' });
