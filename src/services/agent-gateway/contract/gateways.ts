import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';

export const displayName = () =>
  storedText({ min: 1, max: 255 }).refine((name) => name.trim() !== '', { error: 'must not be blank' });

export const page = z.object({
  limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
  offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
});

export const Message = z.object({ message: z.string() }).meta({ id: 'Message' });

/** Answered beside access rules. */
export const principalNames = () =>
  z.record(z.string(), z.string()).meta({
    description:
      'The name of each user whose id stands among the principals of `access_control`, by that id; deleted users keep their name. Roles and client ids are not in it.',
  });

/** Maximum number of names in all rules of a gateway; each list request may compare every tool with all of them. */
const mostNames = 5000;
const globs = () => z.array(storedText({ min: 1, max: 255 })).max(200);

const AccessRule = z
  .object({
    principals: globs()
      .default(['*'])
      .meta({ description: 'User ids, roles, client ids, or `*`. Default: everyone.' }),
    servers: globs()
      .default(['*'])
      .meta({ description: 'Server ids or names; `*` matches any characters. Default: all.' }),
    tools: globs().default(['*']).meta({
      description:
        'Tool names as clients see them; `*` matches any characters. Default: all. Only a rule for all tools also applies to resources and prompts.',
    }),
    effect: z.enum(['allow', 'deny']),
  })
  .meta({ id: 'AccessRule' });

export const AccessControl = z
  .object({
    default: z.enum(['allow', 'deny']).default('allow'),
    rules: z
      .array(AccessRule)
      .max(500)
      .refine(
        (rules) =>
          rules.reduce(
            (sum, { principals, servers, tools }) => sum + principals.length + servers.length + tools.length,
            0,
          ) <= mostNames,
        { error: `must have at most ${mostNames} names in all` },
      )
      .default([]),
  })
  .meta({
    id: 'AccessControl',
    description: 'Deny rules take precedence over allow rules; if no rule matches, `default` applies.',
  });

const GuardMode = z.enum(['enforce', 'observe']).meta({
  description: '`enforce` blocks; `observe` allows everything and logs what would have been blocked.',
});
const OutputGuard = z.enum(['off', 'warn', 'block']).meta({
  description:
    'What happens to answers of servers that contain instructions for the agent: results and errors of tools, resources, prompts, notifications and questions. `warn` marks them in `_meta`; `block` withholds what is clear, and marks the rest.',
});
const PinTools = z.enum(['off', 'warn', 'block']).meta({
  description: 'What happens if a tool’s description, schema or annotations change after it was first seen.',
});
const DescriptionGuard = z.enum(['off', 'warn', 'quarantine']).meta({
  description:
    'What happens to tools, prompts and resources whose names, descriptions or schemas speak to the model behind its user’s back: `warn` lists them in `GET …/descriptions`; `quarantine` also hides them and refuses calls until a person approves them.',
});
const ResultRedaction = z.enum(['off', 'secrets', 'all']).meta({
  description:
    'What is taken out of answers before the client receives them: keys, tokens and passwords, or personal data too. The audit log counts it.',
});
const ScanGate = z
  .object({
    mode: z.enum(['off', 'warn', 'block']),
    level: z
      .enum(['critical', 'high', 'medium', 'low', 'info'])
      .default('high')
      .meta({ description: 'The severity of a finding from which the gate warns or refuses.' }),
  })
  .meta({
    id: 'ScanGate',
    description:
      'Whether a server must be scanned before it is attached. Its newest scan that the caller may read counts; where there ' +
      'is none, or it has failed, one is made. `block` also refuses a server that cannot be scanned.',
  });
const GuardFailure = z.enum(['closed', 'open']).meta({
  description:
    'What happens to a call if the action guard is unavailable: `closed` refuses it, `open` allows it.',
});
const RateLimit = z
  .object({ calls_per_minute: z.int().min(1).max(1_000_000) })
  .meta({ id: 'GatewayRateLimit', description: 'Rate limit of each caller.' });

const settings = {
  action_guard_policy_id: z.string().min(1).max(100).nullable(),
  access_control: AccessControl,
  guard_mode: GuardMode,
  guard_failure: GuardFailure,
  output_guard: OutputGuard,
  rate_limit: RateLimit.nullable(),
  pin_tools: PinTools,
  scan_gate: ScanGate,
  description_guard: DescriptionGuard,
  result_redaction: ResultRedaction,
  visibility: visibilityField(),
};

const Gateway = z
  .object({
    id: z.string().meta({ example: 'gw_…' }),
    name: z.string(),
    created_by: z.string(),
    created_by_name: userName(),
    created_at: isoTime(),
    updated_at: isoTime(),
    ...settings,
    principal_names: principalNames(),
    same_name_ids: z.array(z.string()).optional().meta({
      description:
        'Other gateways of the same name that the caller may read, the oldest first: names need not be unique. Tell them apart by their ids.',
    }),
    action_guard_policy_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the policy set at the time it was chosen.' }),
  })
  .meta({ id: 'Gateway' });

const GatewaySettings = z.object(settings).partial();

const ServerHealth = z
  .object({
    server_id: z.string(),
    name: z.string(),
    state: z.enum(['unknown', 'connected', 'failed']),
    protocol_version: z.string().nullable(),
    error: z.string().nullable().meta({ description: 'Why the server is not connected.' }),
    last_contact_at: isoTime()
      .nullable()
      .meta({ description: 'When it answered last, to this process; null if it never has.' }),
    failed_since: isoTime()
      .nullable()
      .meta({ description: 'Since when it is not available; null if it is.' }),
    processes: z.int().meta({ description: 'Running processes of a stdio server.' }),
  })
  .meta({ id: 'ServerHealth' });

const GatewayStatus = z
  .object({
    gateway_id: z.string(),
    name: z.string(),
    status: z.enum(['running', 'starting', 'stopped']),
    port: z.int().nullable(),
    pid: z.int().nullable(),
    container_id: z.string().nullable(),
    started_at: isoTime().nullable(),
    mcp_url: z.string().meta({ description: 'The MCP endpoint for AI clients.' }),
    uptime_seconds: z.number().nullable().meta({
      description:
        'Since it was started, or since the service was where that is later; null when not running.',
    }),
    sessions: z.int().meta({ description: 'Open client sessions in this process.' }),
    servers: z.array(ServerHealth),
    problems: z.array(z.string()).meta({
      description:
        'Why calls are refused whatever the servers say, such as a policy set that was deleted; empty where nothing is known.',
    }),
  })
  .meta({ id: 'GatewayStatus' });

export const gatewayId = z.object({ gateway_id: z.string().meta({ example: 'gw_…' }) });
const tag = 'Gateways';
const access = 'jwt_or_key';
const reading =
  'A gateway can be read by its owner, by administrators of the tenant and, if it is shared, by all users of the tenant. ' +
  'Its MCP endpoint is open to all users of the tenant, within `access_control`.';
const whose = 'Requires the owner of the gateway or an administrator of the tenant (403).';

export const gatewayOperations = {
  createGateway: defineOperation({
    method: 'POST',
    path: '/api/gateways',
    tag,
    summary: 'Create a gateway',
    description:
      'Names are for people and need not be unique; `same_name_ids` of the answer says which others have this one.',
    access,
    body: GatewaySettings.extend({ name: displayName() }).meta({ id: 'GatewayInput' }),
    status: 201,
    response: Gateway,
  }),
  listGateways: defineOperation({
    method: 'GET',
    path: '/api/gateways',
    tag,
    summary: 'List the gateways that the caller may read',
    description: `${reading} Newest first. \`total\` counts all pages.`,
    access,
    query: page.extend({ owner: ownerFilter('all') }),
    response: z.object({ items: z.array(Gateway), total: z.int() }),
  }),
  getGateway: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}',
    tag,
    summary: 'Get a gateway',
    description: reading,
    access,
    params: gatewayId,
    response: Gateway,
    errors: [404],
  }),
  updateGateway: defineOperation({
    method: 'PATCH',
    path: '/api/gateways/{gateway_id}',
    tag,
    summary: 'Change a gateway',
    description: `Only submitted fields change; changes apply from the next call. ${whose}`,
    access,
    params: gatewayId,
    body: GatewaySettings.extend({ name: displayName() }).partial().meta({ id: 'GatewayChanges' }),
    response: Gateway,
    errors: [403, 404],
  }),
  deleteGateway: defineOperation({
    method: 'DELETE',
    path: '/api/gateways/{gateway_id}',
    tag,
    summary: 'Delete a gateway',
    description: `A running gateway is stopped first; its audit log is kept. ${whose}`,
    access,
    params: gatewayId,
    response: Message,
    errors: [403, 404],
  }),
  startGateway: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/start',
    tag,
    summary: 'Start a gateway',
    description:
      'Needs the permission `gateway:start`. Unreachable servers do not delay the start; the status reports them. ' +
      '409 if it is already running or starting.',
    access,
    params: gatewayId,
    response: z
      .object({
        status: z.literal('success'),
        message: z.string(),
        port: z.int().nullable(),
        pid: z.int().nullable(),
        container_id: z.string().nullable(),
        mcp_url: z.string(),
      })
      .meta({ id: 'GatewayStarted' }),
    errors: [403, 404, 409],
  }),
  stopGateway: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/stop',
    tag,
    summary: 'Stop a gateway',
    description:
      'Needs the permission `gateway:stop`. Running calls get a short time to complete; the others end with an error. 409 if it is already stopped.',
    access,
    params: gatewayId,
    response: Message,
    errors: [403, 404, 409],
  }),
  getGatewayStatus: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/status',
    tag,
    summary: 'Status of a gateway and its servers',
    access,
    params: gatewayId,
    response: GatewayStatus,
    errors: [404],
  }),
};
