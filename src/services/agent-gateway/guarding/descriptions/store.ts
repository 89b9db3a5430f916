import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { DescriptionIssue } from '#engine/descriptions/check-tool.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { DescribedKind } from './judge-definition.ts';

/** A definition that speaks to the model. */
export interface DescriptionFinding {
  readonly serverId: string;
  readonly kind: DescribedKind;
  /** The server's name of it. */
  readonly name: string;
  readonly hash: string;
  readonly definition: Fields;
  readonly issues: readonly DescriptionIssue[];
  readonly foundAt: Date;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
}

const columns = `server_id as "serverId", kind, name, hash, definition, issues, found_at as "foundAt",
  approved_by as "approvedBy", approved_at as "approvedAt"`;

/** Newest first. */
export const listFindings = (db: Queries, gatewayId: string, limit: number): Promise<DescriptionFinding[]> =>
  db.query<DescriptionFinding & Record<string, unknown>>(
    `select ${columns} from agent_gateway.description_findings where gateway_id = $1
      order by found_at desc, server_id, kind, name, hash limit $2`,
    [gatewayId, limit],
  );

/** Hashes of the definitions that a person has approved. */
export async function listApprovedHashes(db: Queries, gatewayId: string): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(
    `select server_id || ' ' || kind || ' ' || hash as key from agent_gateway.description_findings
      where gateway_id = $1 and approved_at is not null`,
    [gatewayId],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Adds the finding unless it is known, as long as the server is attached. */
export async function insertFinding(
  db: Queries,
  gatewayId: string,
  finding: Omit<DescriptionFinding, 'approvedBy' | 'approvedAt'>,
): Promise<void> {
  await db.query(
    `insert into agent_gateway.description_findings
        (gateway_id, server_id, kind, name, hash, definition, issues, found_at)
      select gateway_id, server_id, $3, $4, $5, $6, $7, $8 from agent_gateway.attachments
        where gateway_id = $1 and server_id = $2 on conflict do nothing`,
    [
      gatewayId,
      finding.serverId,
      finding.kind,
      finding.name,
      finding.hash,
      json(finding.definition),
      json(finding.issues),
      finding.foundAt,
    ],
  );
}

/** False if there is no such finding, or it is approved already. */
export async function approveFinding(
  db: Queries,
  gatewayId: string,
  { serverId, kind, name, hash }: Pick<DescriptionFinding, 'serverId' | 'kind' | 'name' | 'hash'>,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update agent_gateway.description_findings set approved_by = $6, approved_at = $7
      where gateway_id = $1 and server_id = $2 and kind = $3 and name = $4 and hash = $5 and approved_at is null
      returning 1 as approved`,
    [gatewayId, serverId, kind, name, hash, by, at],
  );
  return rows.length > 0;
}
