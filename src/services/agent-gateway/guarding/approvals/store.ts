import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Approval, Decision, GuardDecision } from './approval.ts';

/** Notification channel; the payload is the id of a decided approval. */
export const decidedChannel = 'agent_gateway_decided';

const columns = `approval_id as "approvalId", tenant_id as "tenantId", gateway_id as "gatewayId", user_id as "userId",
  api_key_id as "apiKeyId", principal, tool_name as "toolName", server_id as "serverId", arguments, reasons,
  guard_approval_id as "guardApprovalId", status,
  created_at as "createdAt", expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt",
  process_id as "processId", session_id as "sessionId", ends_with_process as "endsWithProcess", note`;

type Row = Approval & Record<string, unknown>;

export async function insertApproval(db: Queries, approval: Approval): Promise<void> {
  await db.query(
    `insert into agent_gateway.approvals (approval_id, tenant_id, gateway_id, user_id, api_key_id, principal, tool_name,
      server_id, arguments, reasons, status, created_at, expires_at, guard_approval_id, process_id, session_id,
      ends_with_process)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
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
      approval.processId,
      approval.sessionId,
      approval.endsWithProcess,
    ],
  );
}

/**
 * The same call waits again, now in this process: it was sent again, or one person’s approval was not enough for its rule.
 * Undefined if it was never held.
 */
export async function holdAgain(
  db: Queries,
  { gatewayId, guardApprovalId, processId, expiresAt }: Approval,
): Promise<string | undefined> {
  const [row] = await db.query<{ approvalId: string }>(
    `update agent_gateway.approvals set process_id = $3, expires_at = $4, status = 'pending', decided_by = null,
        decided_at = null
      where guard_approval_id = $2 and gateway_id = $1 and status in ('pending', 'approved')
      returning approval_id as "approvalId"`,
    [gatewayId, guardApprovalId, processId, expiresAt],
  );
  return row?.approvalId;
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
      where approval_id = $1 and status = 'pending' and expires_at > $4 returning 1 as decided`,
    [approvalId, status, by, at],
  );
  return rows.length > 0;
}

/** What was decided at the action guard; a decision stands, whoever hears of it first. */
export async function followGuard(db: Queries, decision: GuardDecision): Promise<void> {
  const { guardApprovalId, status, decidedBy, decidedAt, expiresAt } = decision;
  await db.query(
    `update agent_gateway.approvals set status = $2, decided_by = $3, decided_at = $4, expires_at = $5
      where guard_approval_id = $1 and status = 'pending'`,
    [guardApprovalId, status, decidedBy, decidedAt, expiresAt],
  );
}

/**
 * The call waits in this process no longer. Nobody can decide afterwards, unless it can be sent again.
 * @returns what was decided
 */
export async function endWait(
  db: Queries,
  approvalId: string,
  { processId, at }: { processId: string; at: Date },
): Promise<Decision | undefined> {
  const [row] = await db.query<{ status: Decision }>(
    `update agent_gateway.approvals set process_id = nullif(process_id, $2),
      status = case when ${isOver} then 'expired' else status end,
      decided_at = case when ${isOver} then $3 else decided_at end
      where approval_id = $1 returning status`,
    [approvalId, processId, at],
  );
  return row?.status;
}

const isOver = `status = 'pending' and guard_approval_id is null`;

/** Whom nobody decided about in time. */
export async function expireOld(db: Queries, at: Date): Promise<void> {
  await db.query(
    `update agent_gateway.approvals set status = 'expired', decided_at = $1 where status = 'pending' and expires_at <= $1`,
    [at],
  );
}

const cannotReturn = `status = 'pending' and (guard_approval_id is null or ends_with_process)`;

/**
 * Calls that waited in processes that have ended. What nobody can send again cannot be decided any more.
 * @returns them, as they are now
 */
export const endThoseOfEndedProcesses = (
  tx: Queries,
  {
    processId,
    at,
    note,
    deadAfterSeconds,
  }: { processId: string; at: Date; note: string; deadAfterSeconds: number },
): Promise<Approval[]> =>
  tx.query<Row>(
    `update agent_gateway.approvals a set process_id = null,
      status = case when ${cannotReturn} then 'expired' else status end,
      decided_at = case when ${cannotReturn} then $2 else decided_at end,
      note = case when ${cannotReturn} then $3 else note end
      where process_id is not null and process_id <> $1 and not exists (
        select from agent_gateway.processes p
          where p.process_id = a.process_id and p.seen_at > now() - make_interval(secs => $4))
      returning ${columns}`,
    [processId, at, note, deadAfterSeconds],
  );
