import type { Queries } from '#base/db/database.ts';
import { listed, listParams, type OwnerFilter, type Viewer } from '#identity/sharing.ts';
import type { Gateway } from './gateway.ts';

/** Notification channel; the payload is the id of a gateway that was saved or whose attachments changed. */
export const changedChannel = 'agent_gateway_changed';

type Row = Gateway & Record<string, unknown>;

const columns = `
  g.gateway_id as "gatewayId", g.tenant_id as "tenantId", g.owner_id as "ownerId", g.name,
  g.action_guard_policy_id as "actionGuardPolicyId", g.access_control as "accessControl",
  g.guard_mode as "guardMode", g.guard_failure as "guardFailure", g.output_guard as "outputGuard",
  g.action_guard_policy_name as "actionGuardPolicyName", g.visibility,
  g.calls_per_minute as "callsPerMinute", g.pin_tools as "pinTools", g.scan_gate as "scanGate",
  g.description_guard as "descriptionGuard", g.result_redaction as "resultRedaction", g.running, g.started_at as "startedAt",
  g.created_at as "createdAt", g.updated_at as "updatedAt"`;

export async function findGateway(db: Queries, gatewayId: string): Promise<Gateway | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from agent_gateway.gateways g where g.gateway_id = $1`,
    [gatewayId],
  );
  return row;
}

/** Names of the gateways that still exist, by id. */
export async function listGatewayNames(
  db: Queries,
  gatewayIds: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(gatewayIds)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(
    'select gateway_id as id, name from agent_gateway.gateways where gateway_id = any($1)',
    [wanted],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface GatewayOwner {
  readonly gatewayId: string;
  readonly tenantId: string;
  readonly ownerId: string;
}

export const listGatewayOwners = (db: Queries, gatewayIds: readonly string[]): Promise<GatewayOwner[]> =>
  db.query<GatewayOwner & Record<string, unknown>>(
    `select gateway_id as "gatewayId", tenant_id as "tenantId", owner_id as "ownerId"
      from agent_gateway.gateways where gateway_id = any($1)`,
    [gatewayIds],
  );

/** Newest first. */
export async function listGateways(
  db: Queries,
  { viewer, owner }: { viewer: Viewer; owner: OwnerFilter },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ gateways: Gateway[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.gateways g where ${listed('g')}`,
    listParams(viewer, owner),
  );
  const gateways = await db.query<Row>(
    `select ${columns} from agent_gateway.gateways g where ${listed('g')}
      order by g.created_at desc, g.gateway_id limit $5 offset $6`,
    [...listParams(viewer, owner), limit, offset],
  );
  return { gateways, total: counted?.total ?? 0 };
}

/** Gateways of these names that the viewer may read, the oldest first. */
export async function listSameNamed(
  db: Queries,
  viewer: Viewer,
  names: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (names.length === 0) return [];
  return db.query<{ id: string; name: string }>(
    `select g.gateway_id as id, g.name from agent_gateway.gateways g
      where ${listed('g')} and g.name = any($5)
      order by g.created_at, g.gateway_id`,
    [...listParams(viewer, 'all'), [...new Set(names)]],
  );
}

const settingValues = (gateway: Gateway) => [
  gateway.name,
  gateway.actionGuardPolicyId,
  gateway.accessControl,
  gateway.guardMode,
  gateway.guardFailure,
  gateway.outputGuard,
  gateway.callsPerMinute,
  gateway.pinTools,
  gateway.updatedAt,
  gateway.visibility,
  gateway.actionGuardPolicyName,
  gateway.scanGate,
  gateway.descriptionGuard,
  gateway.resultRedaction,
];

export async function insertGateway(db: Queries, gateway: Gateway): Promise<void> {
  await db.query(
    `insert into agent_gateway.gateways (name, action_guard_policy_id, access_control, guard_mode, guard_failure,
      output_guard, calls_per_minute, pin_tools, updated_at, visibility, action_guard_policy_name, scan_gate,
      description_guard, result_redaction, gateway_id, tenant_id, owner_id, running, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, false, $18)`,
    [...settingValues(gateway), gateway.gatewayId, gateway.tenantId, gateway.ownerId, gateway.createdAt],
  );
}

/** Settings only. */
export async function updateGateway(tx: Queries, gateway: Gateway): Promise<void> {
  await tx.query(
    `update agent_gateway.gateways set name = $1, action_guard_policy_id = $2, access_control = $3, guard_mode = $4,
      guard_failure = $5, output_guard = $6, calls_per_minute = $7, pin_tools = $8, updated_at = $9,
      visibility = $10, action_guard_policy_name = $11, scan_gate = $12, description_guard = $13,
      result_redaction = $14 where gateway_id = $15`,
    [...settingValues(gateway), gateway.gatewayId],
  );
}

/** Locks the gateway's row until the transaction ends. */
export async function lockGateway(tx: Queries, gatewayId: string): Promise<Gateway | undefined> {
  await tx.query('select from agent_gateway.gateways where gateway_id = $1 for update', [gatewayId]);
  return findGateway(tx, gatewayId);
}

/** True for the one call that changed the status, if several do so concurrently. */
export async function setRunning(db: Queries, gatewayId: string, startedAt: Date | null): Promise<boolean> {
  const rows = await db.query(
    `update agent_gateway.gateways set running = $2, started_at = $3
      where gateway_id = $1 and running <> $2 returning 1 as changed`,
    [gatewayId, startedAt !== null, startedAt],
  );
  return rows.length > 0;
}

/** Gateways of the tenant that have their calls judged by this policy set, oldest first. */
export function listGatewaysOfSet(db: Queries, tenantId: string, policySetId: string): Promise<Gateway[]> {
  return db.query<Gateway & Record<string, unknown>>(
    `select ${columns} from agent_gateway.gateways g
      where g.tenant_id = $1 and g.action_guard_policy_id = $2 order by g.created_at, g.gateway_id`,
    [tenantId, policySetId],
  );
}

export async function deleteGateway(db: Queries, gatewayId: string): Promise<void> {
  await db.query('delete from agent_gateway.gateways where gateway_id = $1', [gatewayId]);
}
