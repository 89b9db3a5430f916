import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ScanStatus } from './records.ts';

const tag = 'Usage';
/** Undocumented on purpose, and by a key of its own, which is not a user's. */
const admin = {
  access: 'public',
  isHidden: true,
  headers: z.object({ 'X-Admin-Key': z.string().optional() }),
} as const;

const userName = z.string().nullable().meta({ description: 'Null where the user is gone.' });

const totals = {
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  llm_cost: z.number(),
};

export const usageOperations = {
  getScanUsage: defineOperation({
    method: 'GET',
    path: '/admin/usage/scan/{scan_id}',
    tag,
    summary: 'Tokens and cost of one scan, also after it was deleted',
    ...admin,
    // Checked behind the key: who has none is told nothing of what ids look like.
    params: z.object({ scan_id: z.string() }),
    response: z.object({
      scan_id: z.int(),
      user_id: z.string(),
      user_name: userName,
      filename: z.string(),
      status: ScanStatus,
      ...totals,
      upload_time: isoTime(),
    }),
    errors: [401, 404],
  }),
  getUserUsage: defineOperation({
    method: 'GET',
    path: '/admin/usage/user/{user_id}',
    tag,
    summary: 'Tokens and cost of one user’s completed scans, deleted ones too',
    ...admin,
    params: z.object({ user_id: z.string() }),
    response: z.object({ user_id: z.string(), user_name: userName, ...totals, scan_count: z.int() }),
    errors: [401, 404],
  }),
  getUsageSummary: defineOperation({
    method: 'GET',
    path: '/admin/usage/summary',
    tag,
    summary: 'Tokens and cost of all completed scans, deleted ones too',
    ...admin,
    response: z.object({ user_count: z.int(), scan_count: z.int(), ...totals }),
    errors: [401],
  }),
};
