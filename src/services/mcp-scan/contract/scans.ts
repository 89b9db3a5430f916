import { z } from 'zod';
import { lastMoment, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, visibilityField } from '#identity/contract/sharing.ts';
import {
  levels,
  runFields,
  ScanCreated,
  scanIdInUrl,
  ScanParams,
  ScanRecord,
  scanStatuses,
  ScanStatus,
  ScanSummary,
  Vulnerability,
} from './records.ts';
import { ServerDefinition, TokenHeader } from './create.ts';

const tag = 'Scans';
/** Values with commas between them. */
const oneOf = <const V extends string>(values: readonly V[]) =>
  z
    .string()
    .max(200)
    .optional()
    .transform((text, context): V[] | undefined => {
      const given = text
        ?.split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '');
      const known = given?.filter((each): each is V => values.some((value) => value === each));
      if (given?.length === known?.length) return known?.length === 0 ? undefined : known;
      context.addIssue({
        code: 'custom',
        message: `must name ${values.join(', ')}, with commas between them`,
      });
      return z.NEVER;
    });
/** A time of a query; one without a zone is in UTC. */
const moment = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, format: 'date-time' })
    .transform((text, context): Date | undefined => {
      if (text === undefined) return undefined;
      const isWhole = z.iso.datetime({ offset: true, local: true }).safeParse(text).success;
      const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
      const given = new Date(hasZone ? text : `${text}Z`);
      if (isWhole && given.getTime() <= lastMoment) return given;
      context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time, such as 2026-01-31T12:00:00Z' });
      return z.NEVER;
    });
const statuses = oneOf(scanStatuses);
const levelsOf = oneOf(levels);
const errors = [404];

export const scanOperations = {
  listScans: defineOperation({
    method: 'GET',
    path: '/scans',
    tag,
    summary: 'The scans that the caller may see',
    access: 'jwt_or_key',
    query: z.object({
      page: queryInteger({ min: 1, max: 1_000_000, preset: 1 }),
      page_size: queryInteger({ min: 1, max: 100, preset: 10 }),
      status: statuses,
      security: levelsOf,
      complexity: levelsOf,
      sensitivity: levelsOf,
      search: storedText({ max: 200 }).optional().meta({ description: 'A part of the file name.' }),
      start_time: moment('Scans that were made then or later; without a time zone it is UTC.'),
      end_time: moment('Scans that were made then or before.'),
      sort_field: z
        .enum(['filename', 'upload_time', 'status', 'security', 'complexity', 'sensitivity'])
        .default('upload_time'),
      sort_order: z.enum(['asc', 'desc']).default('desc'),
      owner: ownerFilter('all'),
    }),
    response: z.object({
      scans: z.array(ScanSummary),
      total: z.int(),
      page: z.int(),
      page_size: z.int(),
      total_pages: z.int(),
    }),
  }),
  listRecentScans: defineOperation({
    method: 'GET',
    path: '/scans/recent',
    tag,
    summary: 'The ten newest scans of the caller',
    access: 'jwt_or_key',
    response: z.object({ scans: z.array(ScanSummary) }),
  }),
  findScanOfServer: defineOperation({
    method: 'POST',
    path: '/scans/of_server',
    tag,
    summary: 'The newest scan of a server',
    description:
      'By the address, or by the command with its arguments, among the caller’s own scans and those that are shared: the newest that was completed, or the newest where none was; `newer` is a newer one that has failed, waits for a token or has not ended. What others suppress for their own scans does not hold here. Null where there is none. Nothing is started.',
    access: 'jwt_or_key',
    body: z.object({ server_config: ServerDefinition }).meta({ id: 'ScanOfServerQuery' }),
    response: z.object({ scan: ScanSummary.nullable(), newer: ScanSummary.nullable() }),
  }),
  compareScans: defineOperation({
    method: 'GET',
    path: '/scans/compare',
    tag,
    summary: 'What changed between two scans',
    access: 'jwt_or_key',
    query: z.object({
      before: scanIdInUrl().meta({ description: 'A scan id.' }),
      after: scanIdInUrl().meta({ description: 'A scan id.' }),
    }),
    response: z
      .object({
        before: ScanSummary,
        after: ScanSummary,
        new: z.array(Vulnerability),
        fixed: z.array(Vulnerability),
        unchanged: z.array(Vulnerability),
        tools: z.array(
          z
            .object({
              name: z.string(),
              change: z.enum(['added', 'removed', 'changed']),
              fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
            })
            .meta({ id: 'ToolChange' }),
        ),
      })
      .meta({ id: 'ScanComparison' }),
    errors: [404, 409],
  }),
  getScan: defineOperation({
    method: 'GET',
    path: '/scan/{scan_id}',
    tag,
    summary: 'A scan with all its results',
    access: 'jwt_or_key',
    params: ScanParams,
    query: z.object({ format: z.enum(['json', 'sarif']).default('json') }),
    response: z.union([ScanRecord, z.looseObject({ version: z.literal('2.1.0') })]),
    errors: [404, 409],
  }),
  changeScan: defineOperation({
    method: 'PATCH',
    path: '/scan/{scan_id}',
    tag,
    summary: 'Share or publish a scan',
    access: 'jwt_or_key',
    params: ScanParams,
    body: z.object({ visibility: visibilityField().optional(), publish: z.boolean().optional() }),
    response: ScanSummary,
    errors: [403, 404, 409],
  }),
  deleteScan: defineOperation({
    method: 'DELETE',
    path: '/scan/{scan_id}',
    tag,
    summary: 'Delete a scan; one that is under way is stopped',
    access: 'jwt_or_key',
    params: ScanParams,
    response: z.object({ deleted: z.literal(true) }),
    errors: [403, 404],
  }),
  getScanStatus: defineOperation({
    method: 'GET',
    path: '/scan/{scan_id}/status',
    tag,
    summary: 'Where a scan stands',
    access: 'jwt_or_key',
    params: ScanParams,
    response: z
      .object({
        id: z.int(),
        status: ScanStatus,
        queue_position: z
          .int()
          .nullable()
          .meta({ description: '1 is next, 0 is under way, null is not queued.' }),
        queue_size: z.int().nullable().meta({ description: 'Scans that wait, of everybody.' }),
        processing_stage: z.string().nullable(),
        error_message: z.string().nullable(),
        ...runFields,
      })
      .meta({ id: 'ScanStatusResponse' }),
    errors,
  }),
  watchScan: defineOperation({
    method: 'GET',
    path: '/scan/{scan_id}/events',
    tag,
    summary: 'The status as it changes, as server-sent events',
    description:
      'Events `status` with the body of the status operation, each of which differs from the one before; the last one is that of the end.',
    access: 'jwt_or_key',
    params: ScanParams,
    response: z.string(),
    contentType: 'text/event-stream',
    errors,
  }),
  cancelScan: defineOperation({
    method: 'POST',
    path: '/scan/{scan_id}/cancel',
    tag,
    summary: 'Stop a scan that has not ended',
    description: 'It is `failed` then, with the `error_message` “The scan was cancelled.”',
    access: 'jwt_or_key',
    params: ScanParams,
    response: ScanSummary,
    errors: [403, 404, 409],
  }),
  rescan: defineOperation({
    method: 'POST',
    path: '/scan/{scan_id}/rescan',
    tag,
    summary: 'Look whether a server’s tools have changed',
    description:
      'Only for scans that are `rescannable`. The server is listed now: where nothing differs the answer is ' +
      '`{status: unchanged}` and no scan is made. Otherwise a new scan names each difference: W003 (Entity Changed) a ' +
      'description, W022 a schema, a title or hints, W023 an added tool, W024 a removed one. A server that wants an OAuth access token gets ' +
      'the one of `X-MCP-Auth-Token`; without it a new scan waits for one. 409: also where the settings start no such server; ' +
      '504: the server does not answer in time.',
    access: 'jwt_or_key',
    params: ScanParams,
    headers: TokenHeader.partial(),
    response: z.union([ScanCreated, z.object({ status: z.literal('unchanged') })]),
    errors: [403, 404, 409, 422, 502, 503, 504],
  }),
  getSarif: defineOperation({
    method: 'GET',
    path: '/scan/{scan_id}/sarif',
    tag,
    summary: 'The findings as SARIF 2.1.0',
    access: 'jwt_or_key',
    params: ScanParams,
    response: z.looseObject({ version: z.literal('2.1.0') }),
    errors: [404, 409],
  }),
  getBill: defineOperation({
    method: 'GET',
    path: '/scan/{scan_id}/cyclonedx',
    tag,
    summary: 'The dependencies as a CycloneDX 1.6 bill of materials',
    access: 'jwt_or_key',
    params: ScanParams,
    response: z.looseObject({ bomFormat: z.literal('CycloneDX') }),
    errors: [404, 409],
  }),
  getQueue: defineOperation({
    method: 'GET',
    path: '/queue/status',
    tag,
    summary: 'The queue of scans',
    description: 'The counts are of everybody’s scans; ids are those that the caller may see, next first.',
    access: 'jwt_or_key',
    response: z
      .object({
        queue_size: z.int(),
        processing_count: z.int(),
        pending_scan_ids: z.array(z.int()),
        processing_scan_ids: z.array(z.int()),
        max_workers: z.int(),
      })
      .meta({ id: 'QueueStatusResponse' }),
  }),
  getBatch: defineOperation({
    method: 'GET',
    path: '/batches/{batch_id}',
    tag,
    summary: 'The scans that were made together, and what their servers can do together',
    description:
      'Flows between servers (TF001, TF002), names that shadow each other and references to others’ tools (E002).',
    access: 'jwt_or_key',
    params: z.object({ batch_id: z.string().max(100) }),
    response: z
      .object({
        batch_id: z.string(),
        is_complete: z.boolean().meta({ description: 'All its scans have ended.' }),
        scans: z.array(ScanSummary),
        cross_server: z.array(Vulnerability),
      })
      .meta({ id: 'ScanBatch' }),
    errors,
  }),
};
