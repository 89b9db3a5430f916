import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Fields } from '#mcp/json-rpc.ts';

export interface Pin {
  readonly serverId: string;
  /** The server's name of the tool. */
  readonly toolName: string;
  readonly hash: string;
  readonly definition: Fields;
  readonly pinnedAt: Date;
  readonly changedHash: string | null;
  readonly changedDefinition: Fields | null;
  readonly changedAt: Date | null;
}

const columns = `server_id as "serverId", tool_name as "toolName", hash, definition, pinned_at as "pinnedAt",
  changed_hash as "changedHash", changed_definition as "changedDefinition", changed_at as "changedAt"`;

export const listPins = (db: Queries, gatewayId: string): Promise<Pin[]> =>
  db.query<Pin & Record<string, unknown>>(
    `select ${columns} from agent_gateway.tool_pins where gateway_id = $1 order by server_id, tool_name`,
    [gatewayId],
  );

export type NewPin = Pick<Pin, 'serverId' | 'toolName' | 'hash' | 'definition' | 'pinnedAt'>;

/** Pins tools that have no pin yet, as long as their servers are attached. */
export async function insertPins(db: Queries, gatewayId: string, pins: readonly NewPin[]): Promise<void> {
  await db.query(
    `insert into agent_gateway.tool_pins (gateway_id, server_id, tool_name, hash, definition, pinned_at)
      select a.gateway_id, a.server_id, e."toolName", e.hash, e.definition, e."pinnedAt"
      from json_to_recordset($2::json) as e ("serverId" text, "toolName" text, hash text, definition json,
        "pinnedAt" timestamptz)
      join agent_gateway.attachments a on a.gateway_id = $1 and a.server_id = e."serverId"
      on conflict do nothing`,
    [gatewayId, json(pins)],
  );
}

/** Records a tool's current definition; null if it equals the pin again. */
export async function noteChange(
  db: Queries,
  gatewayId: string,
  pin: Pick<Pin, 'serverId' | 'toolName' | 'changedHash' | 'changedDefinition' | 'changedAt'>,
): Promise<void> {
  await db.query(
    `update agent_gateway.tool_pins set changed_hash = $4, changed_definition = $5, changed_at = $6
      where gateway_id = $1 and server_id = $2 and tool_name = $3`,
    [
      gatewayId,
      pin.serverId,
      pin.toolName,
      pin.changedHash,
      pin.changedDefinition === null ? null : json(pin.changedDefinition),
      pin.changedAt,
    ],
  );
}

export type ApprovedChange = { before: Fields; after: Fields };

/** Makes the changed definition the pin, if it still has this hash; returns both definitions. */
export async function approveChange(
  tx: Queries,
  gatewayId: string,
  { serverId, toolName, changedHash }: { serverId: string; toolName: string; changedHash: string },
  at: Date,
): Promise<ApprovedChange | undefined> {
  const [row] = await tx.query<ApprovedChange>(
    `with waiting as (
        select gateway_id, server_id, tool_name, definition from agent_gateway.tool_pins
          where gateway_id = $1 and server_id = $2 and tool_name = $3 and changed_hash = $4 for update)
      update agent_gateway.tool_pins p set hash = changed_hash, definition = changed_definition, pinned_at = $5,
        changed_hash = null, changed_definition = null, changed_at = null
      from waiting w
      where p.gateway_id = w.gateway_id and p.server_id = w.server_id and p.tool_name = w.tool_name
      returning w.definition as before, p.definition as after`,
    [gatewayId, serverId, toolName, changedHash, at],
  );
  return row;
}
