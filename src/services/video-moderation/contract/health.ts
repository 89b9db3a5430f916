import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const healthOperations = {
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Whether the service answers, which version, and whether the decoder is installed',
    access: 'public',
    response: z
      .object({
        status: z.literal('ok'),
        version: z.string(),
        environment: z.string(),
        decoder: z.string().nullable().meta({ description: 'Version of ffmpeg; null: it is missing.' }),
      })
      .meta({ id: 'VideoHealth' }),
  }),
};
