import { z } from 'zod';
import { isoTime, queryInteger, queryTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { tenantQuery, TenantQuery } from './fields.ts';

const DetectionMode = z.enum(['process', 'cli', 'network', 'dns', 'composite']);

const Detection = z
  .object({
    id: z.int(),
    device_name: z.string(),
    device_os: z.string().nullable(),
    agent_framework: z.string().meta({ description: 'The id of the rule that matched.' }),
    prompt: z.string().nullable().meta({
      description: 'Only where `settings.prompt_extraction` is on; secrets and personal data are taken out.',
    }),
    account_name: z.string().nullable(),
    started_at: isoTime().nullable(),
    ended_at: isoTime().nullable(),
    process_count: z.int(),
    network_count: z.int(),
    file_count: z.int(),
    total_events: z
      .int()
      .meta({ description: 'The sum of the three; look-ups of names are shown and not counted.' }),
    detection_mode: DetectionMode.nullable(),
    activity_tags: z.array(z.string()),
    action_guard_allowed: z.boolean().nullable(),
    action_guard_violations_count: z.int(),
    created_at: isoTime().nullable(),
  })
  .meta({ id: 'Detection' });

const TimelineEvent = z
  .object({
    timestamp: isoTime(),
    dimension: z.enum(['Process', 'Network', 'File', 'DNS']),
    detail: z.string(),
    device_name: z.string(),
    account_name: z.string().nullable(),
    file_name: z.string().nullable().optional().meta({ description: 'Of File events.' }),
    process_command_line: z.string().nullable().optional().meta({ description: 'Of Process events.' }),
    initiating_process: z.string().nullable().meta({ description: 'The command line of the parent.' }),
  })
  .meta({ id: 'TimelineEvent' });

const window = {
  start_date: queryTime('start')
    .optional()
    .meta({ description: 'ISO 8601, inclusive; 24 hours before the end unless given.' }),
  end_date: queryTime('end').optional().meta({ description: 'ISO 8601, inclusive; now unless given.' }),
};

const deviceOs = z
  .preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(z.string().max(100)).max(50).optional(),
  )
  .meta({ description: 'May be repeated, also as `device_os[]`.' });
const ofDevices = { device_os: deviceOs, 'device_os[]': deviceOs.meta({ description: 'As `device_os`.' }) };

const EventParams = z.object({ event_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

const filter = {
  detection_mode: DetectionMode.optional(),
  agent_framework: z.string().max(200).optional().meta({ description: 'Only of this rule.' }),
  ...ofDevices,
};
const exported = {
  tag: 'Detections',
  access: 'jwt_or_key',
  query: z.object({ ...window, ...filter, ...tenantQuery }),
  errors: [403, 404],
} as const;

export const detectionOperations = {
  listDetections: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/events',
    tag: 'Detections',
    summary: 'AI tools that were found on devices, newest first',
    description:
      'A detection is a session: the same device, root process and rule, ended by 30 minutes of silence. Those whose ' +
      'rule the tenant has disabled are left out. `scanned_at` is when telemetry was last evaluated.',
    access: 'jwt_or_key',
    query: z.object({
      ...window,
      offset: queryInteger({ min: 0, max: 1_000_000_000, preset: 0 }),
      limit: queryInteger({ min: 1, max: 1000, preset: 50 }),
      ...filter,
      ...tenantQuery,
    }),
    response: z.object({ events: z.array(Detection), total: z.int(), scanned_at: isoTime().nullable() }),
    errors: [403, 404],
  }),
  getDetectionStats: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/events/stats',
    tag: 'Detections',
    summary: 'How many detections, on how many devices, and of what most',
    access: 'jwt_or_key',
    query: z.object({ ...tenantQuery, ...window, ...ofDevices }),
    response: z.object({
      total_detections: z.int(),
      top_application: z
        .object({ name: z.string(), count: z.int() })
        .nullable()
        .meta({ description: 'Null without a detection.' }),
      active_devices_monitored: z.int().meta({
        description:
          'Devices that sent telemetry in the window, with or without a detection, as far back as telemetry is kept.',
      }),
    }),
    errors: [403, 404],
  }),
  exportDetectionsAsCsv: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/export/csv',
    summary: 'All detections of the window as CSV, newest first',
    description: 'Texts that a spreadsheet would take for a formula have an apostrophe before them.',
    response: z.string(),
    contentType: 'text/csv; charset=utf-8',
    ...exported,
  }),
  exportDetectionsAsOcsf: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/export/ocsf',
    summary: 'All detections of the window as Detection Findings of OCSF 1.3, newest first, for a SIEM',
    response: z.string().meta({ description: 'A line of JSON each.' }),
    contentType: 'application/x-ndjson',
    ...exported,
  }),
  getDetectionTree: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/events/{event_id}/tree',
    tag: 'Detections',
    summary: 'The processes, connections, files and look-ups of a detection, in order',
    access: 'jwt_or_key',
    params: EventParams,
    query: TenantQuery,
    response: Detection.pick({
      id: true,
      agent_framework: true,
      device_name: true,
      account_name: true,
      prompt: true,
      started_at: true,
      ended_at: true,
      process_count: true,
      network_count: true,
      file_count: true,
    })
      .extend({
        events: z.array(TimelineEvent),
        truncated: z.boolean().meta({ description: 'The session has more than the first 10,000 events.' }),
      })
      .meta({ id: 'DetectionTree' }),
    errors: [403, 404],
  }),
  getGuardResult: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/events/{event_id}/guard-result',
    tag: 'Detections',
    summary: 'Placeholder: what the action guard says of a detection',
    description:
      'Detections are not evaluated by the action guard yet: the answer is the same for each of them.',
    access: 'jwt_or_key',
    params: EventParams,
    query: TenantQuery,
    response: z.object({
      evaluated: z.boolean(),
      allowed: z.boolean().nullable(),
      violations: z.array(z.record(z.string(), z.unknown())),
      violations_count: z.int(),
      explanation: z.string().nullable(),
    }),
    errors: [403, 404],
  }),
  evaluateAllDetections: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/evaluate-all',
    tag: 'Detections',
    summary: 'Placeholder: evaluates nothing',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: z.object({
      message: z.literal('Not yet implemented'),
      evaluated: z.literal(0),
      total: z.literal(0),
    }),
    errors: [403, 404],
  }),
};
