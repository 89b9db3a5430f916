/** What entries of the audit trail are called, and where what they are about can be seen. */
import type { AuditEvent } from '../../api/identity.ts';

type Described = Pick<AuditEvent, 'event' | 'details'>;

/** Each kind by the first words of its events, as the operation filters them. */
export const kinds = [
  { value: '', label: 'Everything' },
  { value: 'login', label: 'Sign-ins' },
  { value: 'login_failed', label: 'Failed sign-ins' },
  { value: 'password', label: 'Passwords' },
  { value: 'api_key', label: 'API keys' },
  { value: 'user', label: 'Users' },
  { value: 'tenant', label: 'Tenants' },
  { value: 'guard', label: 'Guards' },
  { value: 'allow_list', label: 'Allow-lists of guards' },
  { value: 'policy_group', label: 'Policy groups' },
  { value: 'text_policy', label: 'Text policies' },
  { value: 'calibration', label: 'Calibrations of the language model' },
  { value: 'query', label: 'Labels of logged texts' },
  { value: 'action_policy', label: 'Action policies' },
  { value: 'policy_set', label: 'Policy sets' },
  { value: 'action_approved', label: 'Approved actions' },
  { value: 'action_denied', label: 'Denied actions' },
  { value: 'gateway', label: 'Gateways' },
  { value: 'mcp_server', label: 'MCP servers' },
  { value: 'approval', label: 'Approvals at gateways' },
  { value: 'tool_change', label: 'Accepted changes of tools' },
  { value: 'description', label: 'Approved descriptions' },
  { value: 'oauth', label: 'OAuth clients' },
  { value: 'suppression', label: 'Suppressed findings' },
  { value: 'mcp_scan', label: 'MCP scans' },
  { value: 'alert', label: 'Alerts' },
  { value: 'shadow_ai', label: 'AI on devices' },
  { value: 'video_deployment', label: 'Video moderation' },
  { value: 'red_team', label: 'Red teaming' },
  { value: 'model_scan', label: 'Model safety scans' },
  { value: 'model_data_set', label: 'Data sets of model scans' },
];

/** Those that their own words would not tell plainly. */
const words: Readonly<Record<string, string>> = {
  login: 'Signed in',
  login_failed: 'Sign-in failed',
  logout: 'Signed out',
  register: 'User created',
  refresh_reuse: 'Sign-in ended: its token was used twice',
  user_updated: 'User changed',
  tenant_updated: 'Tenant changed',
  issuer_user_created: 'User of the identity provider created',
  issuer_user_changed: 'User of the identity provider changed',
  admin_password_renewed: 'Password of an administrator renewed by the operator',
  guard_updated: 'Guard changed',
  guard_adaptation_created: 'Guard learned from examples',
  guard_adaptation_activated: 'Guard judges by what it learned',
  guard_adaptation_deactivated: 'Guard no longer judges by what it learned',
  guard_adaptation_deleted: 'What a guard learned was deleted',
  allow_list_entry_added: 'Text allowed past a guard',
  allow_list_entry_deleted: 'Text no longer allowed past a guard',
  policy_group_updated: 'Policy group changed',
  policy_group_restored: 'Earlier version of a policy group restored',
  policy_group_optimized: 'Proposal of the lab applied to a policy group',
  text_policy_created: 'Text policy added',
  text_policy_updated: 'Text policy changed',
  text_policy_deleted: 'Text policy removed',
  calibration_created: 'Language model calibrated for a policy',
  calibration_activated: 'Calibration put in force',
  calibration_deactivated: 'Calibration taken out of force',
  query_labelled: 'Logged text labelled',
  query_label_deleted: 'Label of a logged text removed',
  suppression_created: 'Finding suppressed',
  suppression_deleted: 'Finding counts again',
  mcp_scan_published: 'Scan published on the leaderboard',
  mcp_scan_unpublished: 'Scan taken off the leaderboard',
  mcp_scan_shared: 'Sharing of a scan changed',
  mcp_scan_deleted: 'MCP scan deleted',
  action_policy_updated: 'Action policy changed',
  policy_set_updated: 'Policy set changed',
  policy_set_policies_attached: 'Policies added to a policy set',
  policy_set_policy_detached: 'Policy taken out of a policy set',
  gateway_updated: 'Gateway changed',
  gateway_sign_in: 'Signed in at a gateway',
  gateway_client_allowed: 'Client allowed at a gateway',
  mcp_server_updated: 'MCP server changed',
  mcp_server_attached: 'MCP server added to a gateway',
  mcp_server_detached: 'MCP server taken out of a gateway',
  mcp_server_connected: 'Gateway authorized at an MCP server',
  mcp_server_disconnected: 'Authorization at an MCP server ended',
  tool_change_approved: 'Change of a tool accepted',
  oauth_client_removed: 'Client removed from a gateway',
  oauth_consent_ended: 'Access of a client ended',
  alert_rule_created: 'Alert created',
  alert_rule_changed: 'Alert changed',
  alert_rule_deleted: 'Alert deleted',
  alert_rule_muted: 'Alert muted',
  alert_rule_unmuted: 'Alert no longer muted',
  alert_channel_created: 'Channel of alerts added',
  alert_channel_deleted: 'Channel of alerts removed',
  approval_decided: 'Call at a gateway decided',
  shadow_ai_tool_allowed: 'AI tool sanctioned',
  shadow_ai_tool_disallowed: 'AI tool no longer sanctioned',
  shadow_ai_rules_changed: 'Rules about AI tools changed',
  shadow_ai_connector_changed: 'Source of telemetry changed',
  shadow_ai_saas_changed: 'Connection to a SaaS instance changed',
  shadow_ai_notices_changed: 'Notices about AI tools changed',
  video_deployment_created: 'Deployment for videos created',
  video_deployment_updated: 'Deployment for videos changed',
  video_deployment_deleted: 'Deployment for videos deleted',
  red_team_agent_created: 'Agent registered for red teaming',
  red_team_agent_updated: 'Sharing of a red-team agent changed',
  red_team_evaluation_updated: 'Sharing of a red-team evaluation changed',
  red_team_task_set_created: 'Red-team tasks uploaded',
  red_team_task_set_deleted: 'Own red-team tasks deleted',
  model_scan_shared: 'Sharing of a model scan changed',
  model_scan_verdict_objected: 'Objection to a verdict of a model scan',
  model_scan_objection_withdrawn: 'Objection to a verdict withdrawn',
};

/** Names in quotes, such as of policies, stay as users wrote them. */
const inWords = (name: string): string => {
  const plain = name
    .split(/(".*")/)
    .map((part) => (part.startsWith('"') ? part : unscored(part)))
    .join('');
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
};

const unscored = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/\b(?:api|mcp|ai|saas|id|url|oauth)\b/g, (word) =>
      word === 'oauth' ? 'OAuth' : word.toUpperCase(),
    );

export const whatOf = ({ event }: Pick<AuditEvent, 'event'>): string => words[event] ?? inWords(event);

/** Where a name is told, in this order; without one, the event has no object. */
const nameFields = ['name', 'username', 'tool', 'tenant'];

const textIn = (details: AuditEvent['details'], field: string): string | undefined => {
  const value = details[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const subjectOf = ({ details }: Pick<AuditEvent, 'details'>): string =>
  nameFields.map((field) => textIn(details, field)).find((value) => value !== undefined) ?? '';

export type Place =
  | { readonly label: string; readonly to: '/actions'; readonly search: { session: string; hours: 'all' } }
  | { readonly label: string; readonly to: '/gateways/$gatewayId'; readonly params: { gatewayId: string } }
  | { readonly label: string; readonly to: '/guards/$guardUuid'; readonly params: { guardUuid: string } }
  | { readonly label: string; readonly to: '/policies/$groupUuid'; readonly params: { groupUuid: string } }
  | { readonly label: string; readonly to: '/mcp-scans/$scanId'; readonly params: { scanId: string } };

/** The page of what the entry is about; undefined where it is gone, or has none. */
export function placeOf({ event, details }: Described): Place | undefined {
  if (/^action_(?:approved|denied)$/.test(event)) {
    const session = textIn(details, 'session_id');
    return session === undefined
      ? undefined
      : { label: 'Show the call', to: '/actions', search: { session, hours: 'all' } };
  }
  const gatewayId = gatewayOf({ event, details });
  if (gatewayId !== undefined)
    return { label: 'Show the gateway', to: '/gateways/$gatewayId', params: { gatewayId } };
  return resourceOf({ event, details });
}

/** Where something of a gateway was decided, or the gateway itself while it is there. */
const gatewayOf = ({ event, details }: Described): string | undefined =>
  /^gateway_(?:created|updated|started|stopped)$/.test(event)
    ? textIn(details, 'id')
    : textIn(details, 'gateway_id');

function resourceOf({ event, details }: Described): Place | undefined {
  const isGone = /^(?:guard|policy_group|mcp_scan)_deleted$/.test(event);
  if (isGone) return undefined;
  if (/^(?:guard|allow_list)_/.test(event)) {
    const guardUuid = textIn(details, 'guard_uuid') ?? textIn(details, 'id');
    if (guardUuid === undefined) return undefined;
    return { label: 'Show the guard', to: '/guards/$guardUuid', params: { guardUuid } };
  }
  const id = details['id'];
  if (/^(?:policy_group|text_policy)_/.test(event) && typeof id === 'string')
    return { label: 'Show the policy group', to: '/policies/$groupUuid', params: { groupUuid: id } };
  const scanId = details['scan_id'];
  if (event.startsWith('mcp_scan_') && typeof scanId === 'number')
    return { label: 'Show the scan', to: '/mcp-scans/$scanId', params: { scanId: String(scanId) } };
  return undefined;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? 'none' : value.join('; ');
}

/** What the entry says of itself: changed fields as "old → new", then ids. */
export function factsOf({ details }: Pick<AuditEvent, 'details'>): [string, string][] {
  const { changes = {}, ...rest } = details;
  return [
    ...Object.entries(changes as Record<string, { old?: unknown; new?: unknown }>).map(
      ([field, change]): [string, string] => [inWords(field), `${shown(change.old)} → ${shown(change.new)}`],
    ),
    ...Object.entries(rest).map(([field, value]): [string, string] => [inWords(field), shown(value)]),
  ];
}
