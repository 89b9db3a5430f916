import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, visibilityField } from '#identity/contract/sharing.ts';
import { scanStatuses } from './names.ts';
import { Progress, SandboxRequest, scanId, ScanRequest, Started } from './fields.ts';
import { Summary } from './summary.ts';

const tag = 'Scans';
const byId = z.object({ scan_id: scanId });
const toml = ['application/toml'] as const;
const finishedOnly = 'The scan must be `Finished`, else 400.';

/** What the documents give. */
export const scanOperations = {
  startScan: defineOperation({
    method: 'POST',
    path: '/v1/scan/start',
    tag,
    summary: 'Starts a scan of a model',
    description:
      'As JSON, or as TOML (`application/toml`): `scan_name` at the top or in `[scan]`, the model in `[model]`, everything ' +
      'else in `[scan]`. Each case of the data sets is sent as it is; algorithms are tried on some cases of each.',
    access: 'jwt_or_key',
    body: ScanRequest,
    alsoTakes: toml,
    badRequestsAre400: true,
    response: Started,
    errors: [404],
  }),
  startSandboxScan: defineOperation({
    method: 'POST',
    path: '/v1/sandbox/scan/start',
    tag,
    summary: 'Starts a quick scan of 24 fixed cases, to check the connection to a model',
    description: 'Takes JSON or TOML. Such scans are not counted as usage.',
    access: 'jwt_or_key',
    body: SandboxRequest,
    alsoTakes: toml,
    badRequestsAre400: true,
    response: Started,
    errors: [404],
  }),
  getProgress: defineOperation({
    method: 'POST',
    path: '/v1/scan/progress',
    tag,
    summary: 'How far a scan is, or all scans that the caller may read',
    description:
      'With `scan_id` one record; without it a list, oldest first, of scans created at or after `since`.',
    access: 'jwt_or_key',
    body: z
      .object({
        scan_id: scanId.optional(),
        since: isoTime().optional().meta({ description: 'Only without `scan_id`.' }),
        status: z.array(z.enum(scanStatuses)).min(1).max(scanStatuses.length).optional().meta({
          description: 'Only scans in one of these states; default: all. Only without `scan_id`.',
        }),
        owner: ownerFilter('all'),
        limit: z.number().int().min(1).max(1000).optional().meta({
          description: 'At most so many scans; default: all. Only without `scan_id`.',
        }),
        offset: z.number().int().min(0).max(10_000_000).default(0).meta({
          description: 'Leaves out so many of the oldest. Only without `scan_id`.',
        }),
      })
      .default({ owner: 'all', offset: 0 }),
    badRequestsAre400: true,
    response: z.union([Progress, z.array(Progress)]),
    errors: [404],
  }),
  getSummary: defineOperation({
    method: 'POST',
    path: '/v1/scan/summary',
    tag,
    summary: 'Scores, failures and the risk level of a finished scan',
    description: finishedOnly,
    access: 'jwt_or_key',
    body: byId,
    badRequestsAre400: true,
    response: Summary,
    errors: [404],
  }),
  downloadScan: defineOperation({
    method: 'POST',
    path: '/v1/scan/download',
    tag,
    summary: 'All results of a finished scan as a ZIP: results.jsonl, summary.json, report.pdf',
    description: finishedOnly,
    access: 'jwt_or_key',
    body: byId,
    badRequestsAre400: true,
    response: z.string().meta({ format: 'binary' }),
    contentType: 'application/zip',
    errors: [404],
  }),
  pauseScan: defineOperation({
    method: 'POST',
    path: '/v1/scan/pause',
    tag,
    summary: 'Pauses a scan that is `Initializing` or `Scanning`',
    description: 'No request begins any more; replies that are on their way are still stored for a moment.',
    access: 'jwt_or_key',
    body: byId,
    badRequestsAre400: true,
    response: z.object({ status: z.literal('paused'), scan_id: z.string() }),
    errors: [403, 404],
  }),
  retryScan: defineOperation({
    method: 'POST',
    path: '/v1/scan/retry',
    tag,
    summary: 'Continues a scan that is `Paused`, `Failed` or `Error` from its checkpoint',
    description: 'Nothing is sent again whose reply is stored.',
    access: 'jwt_or_key',
    body: byId.extend({
      api_key: z
        .string()
        .min(1)
        .max(8192)
        .optional()
        .meta({ description: 'Replaces the key of the model, for one that was wrong or has expired.' }),
    }),
    badRequestsAre400: true,
    response: Started,
    errors: [403, 404],
  }),
  getUsage: defineOperation({
    method: 'POST',
    path: '/v1/scan/usage',
    tag,
    summary: 'How many scans of the caller were finished in a period',
    description:
      'Counts finished scans by the time of their creation, without sandbox scans; those that were deleted since are counted too.',
    access: 'jwt_or_key',
    body: z.object({
      mode: z.enum(['current_billing_cycle', 'all_time', 'custom']).meta({
        description: 'The calendar month (UTC), everything, or from `start` to `end`.',
      }),
      start: isoTime().optional(),
      end: isoTime().optional(),
    }),
    badRequestsAre400: true,
    response: z.object({
      user_id: z.string(),
      mode: z.string(),
      period: z.object({ start: isoTime(), end: isoTime() }).nullable(),
      total_scans: z.int(),
      as_of: isoTime(),
    }),
  }),
};

/** What is offered beside the documents. */
export const moreScanOperations = {
  watchScan: defineOperation({
    method: 'GET',
    path: '/v1/scan/{scan_id}/events',
    tag,
    summary: 'Progress as server-sent events: `progress` with each change, until the scan stops',
    access: 'jwt_or_key',
    params: z.object({ scan_id: scanId }),
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
  changeScan: defineOperation({
    method: 'PATCH',
    path: '/v1/scan/{scan_id}',
    tag,
    summary: 'Shares a scan with the tenant, or ends that',
    access: 'jwt_or_key',
    params: z.object({ scan_id: scanId }),
    body: z.object({ visibility: visibilityField() }),
    badRequestsAre400: true,
    response: Progress,
    errors: [403, 404],
  }),
  deleteScan: defineOperation({
    method: 'DELETE',
    path: '/v1/scan/{scan_id}',
    tag,
    summary: 'Deletes a scan with all its results; one that runs is broken off',
    access: 'jwt_or_key',
    params: z.object({ scan_id: scanId }),
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
  listDataSets: defineOperation({
    method: 'GET',
    path: '/v1/scan/datasets',
    tag,
    summary: 'The data sets with their subcategories and numbers of cases, and the algorithms',
    access: 'jwt_or_key',
    response: z.object({
      datasets: z.array(
        z.object({
          name: z.string(),
          cases: z.int(),
          subcategories: z.record(z.string(), z.int()),
          severities: z.record(z.string(), z.int()),
        }),
      ),
      algorithms: z.array(z.object({ name: z.string(), reference: z.string(), attempts: z.int() })),
    }),
  }),
  probeModel: defineOperation({
    method: 'POST',
    path: '/v1/scan/probe',
    tag,
    summary: 'Asks a model one harmless question, to check address, key and name before a scan',
    description: 'Nothing is stored.',
    access: 'jwt_or_key',
    body: SandboxRequest.pick({ model: true }),
    badRequestsAre400: true,
    response: z.object({
      ok: z.boolean(),
      detail: z.string().meta({ description: 'What is wrong and what to do, where it is not ok.' }),
      reply: z.string().nullable(),
      latency_ms: z.number().nullable(),
    }),
  }),
};
