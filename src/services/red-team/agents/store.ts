import type { Queries } from '#base/db/database.ts';
import {
  changeable,
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
  type Visibility,
} from '#identity/sharing.ts';
import type { AgentOptions, Protocol } from './connection.ts';

export interface StoredAgent {
  readonly agentId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly name: string;
  readonly endpoint: string;
  readonly protocol: Protocol;
  readonly options: AgentOptions;
  readonly secrets: Buffer | null;
  readonly createdAt: Date;
}

type Row = StoredAgent & Record<string, unknown>;

const columns = `a.agent_id as "agentId", a.tenant_id as "tenantId", a.owner_id as "ownerId", a.visibility, a.name,
  a.endpoint, a.protocol, a.options, a.secrets, a.created_at as "createdAt"`;
const from = 'red_team.agents a';

/** False if the tenant has one of this name. */
export async function insertAgent(db: Queries, agent: StoredAgent): Promise<boolean> {
  const rows = await db.query(
    `insert into red_team.agents (agent_id, tenant_id, owner_id, visibility, name, endpoint, protocol, options, secrets,
        created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (tenant_id, name) do nothing returning agent_id`,
    [
      agent.agentId,
      agent.tenantId,
      agent.ownerId,
      agent.visibility,
      agent.name,
      agent.endpoint,
      agent.protocol,
      agent.options,
      agent.secrets,
      agent.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function findAgent(
  db: Queries,
  viewer: Viewer,
  agentId: string,
): Promise<StoredAgent | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${readable('a')} and a.agent_id = $4`,
    [...viewerParams(viewer), agentId],
  );
  return row;
}

/** The newest that the viewer may use at this address. */
export async function findByEndpoint(
  db: Queries,
  viewer: Viewer,
  endpoint: string,
): Promise<StoredAgent | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${readable('a')} and a.endpoint = $4 order by a.created_at desc limit 1`,
    [...viewerParams(viewer), endpoint],
  );
  return row;
}

/** For the execution of a run, which was allowed when it was started. */
export async function getAgent(
  db: Queries,
  tenantId: string,
  agentId: string,
): Promise<StoredAgent | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where a.tenant_id = $1 and a.agent_id = $2`,
    [tenantId, agentId],
  );
  return row;
}

/** The oldest first, with the number of all. */
export async function listAgents(
  db: Queries,
  viewer: Viewer,
  { owner, limit, offset }: { owner: OwnerFilter; limit: number; offset: number },
): Promise<{ agents: StoredAgent[]; total: number }> {
  const params = listParams(viewer, owner);
  const agents = await db.query<Row>(
    `select ${columns} from ${from} where ${listed('a')} order by a.created_at, a.agent_id limit $5 offset $6`,
    [...params, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${from} where ${listed('a')}`,
    params,
  );
  return { agents, total: counted?.total ?? 0 };
}

export async function setVisibility(db: Queries, agentId: string, visibility: Visibility): Promise<void> {
  await db.query(`update red_team.agents set visibility = $2 where agent_id = $1`, [agentId, visibility]);
}

export async function deleteAgent(db: Queries, viewer: Viewer, agentId: string): Promise<void> {
  await db.query(`delete from ${from} where ${changeable('a')} and a.agent_id = $4`, [
    ...viewerParams(viewer),
    agentId,
  ]);
}
