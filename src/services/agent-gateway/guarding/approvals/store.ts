import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Approval, Decision } from './approval.ts';

/** Notification channel; the payload is the id of a decided approval. */
export const decidedChannel = 'agent_gateway_decided';

const columns = `approval_id as "approvalId", tenant_id as "tenantId", gateway_id as "gatewayId", user_id as "userId",
  api_key_id as "apiKeyId", principal, tool_name as "toolName", server_id as "serverId", arguments, reasons,
  guard_approval_id as "guardApprovalId", status,
  created_at as "createdAt", expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt"`;

type Row = Approval & Record<string, unknown>;

export async function insertApproval(db: Queries, approval: Approval): Promise<void> {
  await db.query(
    `insert into agent_gateway.approvals (approval_id, tenant_id, gateway_id, user_id, api_key_id, principal, tool_name,
      server_id, arguments, reasons, status, created_at, expires_at, guard_approval_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      approval.approvalId,
      approval.tenantId,
      approval.gatewayId,
      approval.userId,
      approval.apiKeyId,
      approval.principal,
      approval.toolName,
      approval.serverId,
      approval.arguments,
      json(approval.reasons),
      approval.status,
      approval.createdAt,
      approval.expiresAt,
      approval.guardApprovalId,
    ],
  );
}

/** Deletes at most `limit` of the oldest entries before a time; returns how many. */
export async function deleteApprovalsBefore(db: Queries, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    `delete from agent_gateway.approvals where approval_id in (
        select approval_id from agent_gateway.approvals where created_at < $1 order by created_at limit $2)
      returning 1 as gone`,
    [before, limit],
  );
  return gone.length;
}

export async function findApproval(
  db: Queries,
  gatewayId: string,
  approvalId: string,
): Promise<Approval | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from agent_gateway.approvals where gateway_id = $1 and approval_id = $2`,
    [gatewayId, approvalId],
  );
  return row;
}

/** Newest first. */
export async function listApprovals(
  db: Queries,
  gatewayId: string,
  filter: { status: string | undefined; limit: number; offset: number },
): Promise<{ approvals: Approval[]; total: number }> {
  const where = 'gateway_id = $1 and ($2::text is null or status = $2)';
  const params = [gatewayId, filter.status ?? null];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.approvals where ${where}`,
    params,
  );
  const approvals = await db.query<Row>(
    `select ${columns} from agent_gateway.approvals where ${where}
      order by created_at desc, approval_id desc limit $3 offset $4`,
    [...params, filter.limit, filter.offset],
  );
  return { approvals, total: counted?.total ?? 0 };
}

/** True if the approval was still open and is now decided. */
export async function decideApproval(
  db: Queries,
  approvalId: string,
  { status, by, at }: { status: Decision; by: string | null; at: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update agent_gateway.approvals set status = $2, decided_by = $3, decided_at = $4
      where approval_id = $1 and status = 'pending' and (expires_at > $4 or $2 = 'expired') returning 1 as decided`,
    [approvalId, status, by, at],
  );
  return rows.length > 0;
}

/** Expires approvals whose calls ended with their process. */
export async function expireOld(db: Queries, at: Date): Promise<void> {
  await db.query(
    `update agent_gateway.approvals set status = 'expired', decided_at = $1 where status = 'pending' and expires_at <= $1`,
    [at],
  );
}
