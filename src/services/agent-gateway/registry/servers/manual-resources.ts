/** Resources of servers that people add by hand, since the servers do not list them. */
import type { Queries } from '#base/db/database.ts';
import type { ManualResource } from './server.ts';

export async function listManualResources(db: Queries, serverId: string): Promise<ManualResource[]> {
  return db.query<ManualResource & Record<string, unknown>>(
    `select name, description, mime_type as "mimeType" from agent_gateway.manual_resources
      where server_id = $1 order by name`,
    [serverId],
  );
}

/** False if the name is taken. */
export async function insertManualResource(
  db: Queries,
  serverId: string,
  { name, description, mimeType }: ManualResource,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `insert into agent_gateway.manual_resources (server_id, name, description, mime_type, created_at)
      values ($1, $2, $3, $4, $5) on conflict do nothing returning 1 as made`,
    [serverId, name, description, mimeType, at],
  );
  return rows.length > 0;
}

/** What it was; undefined where there was none. */
export async function deleteManualResource(
  db: Queries,
  serverId: string,
  name: string,
): Promise<Pick<ManualResource, 'description'> | undefined> {
  const [row] = await db.query<{ description: string }>(
    'delete from agent_gateway.manual_resources where server_id = $1 and name = $2 returning description',
    [serverId, name],
  );
  return row;
}
