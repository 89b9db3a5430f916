import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { TenantQuery } from './fields.ts';

const Process = z.record(z.string(), z.unknown());

/** For readers of the document: rows are read one by one, and a wrong one is refused alone. */
const TelemetryRow = z
  .looseObject({
    class_uid: z
      .int()
      .optional()
      .meta({ description: '1007 process, 4001 network, 1001 file, 4003 DNS; or `class_name`.' }),
    class_name: z.string().optional().meta({ description: 'Such as `Process Activity`.' }),
    time: z.union([z.number(), z.string()]).meta({ description: 'Milliseconds since 1970, or ISO 8601.' }),
    metadata: z.looseObject({ uid: z.string().optional() }).optional(),
    device: z.looseObject({
      uid: z.string().optional(),
      hostname: z.string().optional().meta({ description: 'Or `name`; one of it and `uid` must be there.' }),
      os: z.looseObject({ name: z.string().optional(), type: z.string().optional() }).optional(),
    }),
    process: Process.optional().meta({ description: 'Of a process event: the one that was started.' }),
    actor: z
      .looseObject({ process: Process.optional() })
      .optional()
      .meta({ description: 'Who did it; of a start, the parent.' }),
    dst_endpoint: z.looseObject({}).optional().meta({ description: '`hostname` or `domain`, `ip`, `port`.' }),
    src_endpoint: z.looseObject({}).optional(),
    connection_info: z
      .looseObject({})
      .optional()
      .meta({ description: '`direction_id` 1 is inbound, 2 outbound.' }),
    file: z.looseObject({}).optional().meta({ description: '`path` or `name`.' }),
    query: z.looseObject({}).optional().meta({ description: 'Of a look-up: `hostname`.' }),
  })
  .meta({ id: 'TelemetryRow' });

export const telemetryOperations = {
  pushTelemetry: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/telemetry',
    tag: 'Telemetry',
    summary: 'Takes what endpoints have reported',
    description:
      'OCSF process, network, file and DNS activity, as lines of JSON or as a JSON array, perhaps gzipped ' +
      '(`Content-Encoding: gzip`). Sending an event again changes nothing, so a request that was cut off is sent again ' +
      'as it was. `accepted` counts the rows that were understood, also those that were there already; each other row is ' +
      'in `rejected` with its number, from 1, and the reason. At most 1,000,000 rows and 256 MiB once unpacked: 413, with the ' +
      'rows before the limit kept of lines. After 10,000 refused rows in a row, the rest is not read: 422 that names the last ' +
      'reason and how many were kept.',
    access: 'jwt_or_key',
    rows: true,
    query: TenantQuery,
    body: TelemetryRow,
    response: z.object({
      accepted: z.int(),
      rejected: z.array(z.object({ row: z.int(), reason: z.string() }).meta({ id: 'RejectedRow' })),
      rejected_total: z.int().meta({ description: 'Of all; at most 1000 are named.' }),
    }),
    errors: [403, 404, 413, 422],
  }),
};
