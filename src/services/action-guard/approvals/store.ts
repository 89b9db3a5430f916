import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approval, ShownStatus } from './approval.ts';

const columns = `a.approval_id as "approvalId", a.tenant_id as "tenantId", a.policy_set_id as "policySetId",
  a.session_id as "sessionId", a.gateway_id as "gatewayId", a.user_id as "userId", a.api_key_id as "apiKeyId",
  a.acting_user as "actingUser", a.tool_name as "toolName", a.tool_params as "toolParams", a.call_hash as "callHash",
  a.wanted, a.grants, a.status, a.decided_by as "decidedBy", a.decided_at as "decidedAt", a.note,
  a.created_at as "createdAt", a.expires_at as "expiresAt", a.used_by as "usedBy", a.used_at as "usedAt"`;

type Row = Approval & Record<string, unknown>;

/** Which call, in which session, of whom. */
export type CallOf = Pick<
  Approval,
  'tenantId' | 'policySetId' | 'sessionId' | 'userId' | 'actingUser' | 'callHash'
>;

/** One call is held, approved and used by one transaction at a time, in all processes. */
export async function lockCall(tx: Queries, { tenantId, sessionId, callHash }: CallOf): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `action_guard.approval ${tenantId} ${sessionId} ${callHash}`,
  ]);
}

/**
 * The newest approval of the call that is neither used nor expired.
 * @param usedBy one that this call has used itself counts too
 */
export async function findOpen(
  db: Queries,
  call: CallOf,
  { now, usedBy }: { now: Date; usedBy: string },
): Promise<Approval | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from action_guard.approvals a
      where tenant_id = $1 and policy_set_id = $2 and session_id = $3 and user_id = $4 and acting_user = $5
        and call_hash = $6 and (used_at is null or used_by = $8) and expires_at > $7
      order by created_at desc limit 1`,
    [
      call.tenantId,
      call.policySetId,
      call.sessionId,
      call.userId,
      call.actingUser,
      call.callHash,
      now,
      usedBy,
    ],
  );
  return row;
}

export async function insertApproval(tx: Queries, one: Approval): Promise<void> {
  await tx.query(
    `insert into action_guard.approvals (approval_id, tenant_id, policy_set_id, session_id, gateway_id, user_id,
      api_key_id, acting_user, tool_name, tool_params, call_hash, wanted, grants, status, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '[]', 'pending', $13, $14)`,
    [
      one.approvalId,
      one.tenantId,
      one.policySetId,
      one.sessionId,
      one.gatewayId,
      one.userId,
      one.apiKeyId,
      one.actingUser,
      one.toolName,
      one.toolParams,
      one.callHash,
      json(one.wanted),
      one.createdAt,
      one.expiresAt,
    ],
  );
}

/** What changes of an approval while it is open. */
export async function updateApproval(tx: Queries, one: Approval): Promise<void> {
  await tx.query(
    `update action_guard.approvals set wanted = $2, grants = $3, status = $4, decided_by = $5, decided_at = $6,
      note = $7, expires_at = $8 where approval_id = $1`,
    [
      one.approvalId,
      json(one.wanted),
      json(one.grants),
      one.status,
      one.decidedBy,
      one.decidedAt,
      one.note,
      one.expiresAt,
    ],
  );
}

/** Whether this call is the one that uses it: an approval is used once. */
export async function markUsed(
  db: Queries,
  approvalId: string,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update action_guard.approvals set used_by = $2, used_at = coalesce(used_at, $3)
      where approval_id = $1 and status = 'approved' and (used_at is null or used_by = $2) and expires_at > $3
      returning 1 as used`,
    [approvalId, by, at],
  );
  return rows.length > 0;
}

/** The call that used it was not let pass after all. */
export async function markUnused(db: Queries, approvalId: string, by: string): Promise<void> {
  await db.query(
    'update action_guard.approvals set used_by = null, used_at = null where approval_id = $1 and used_by = $2',
    [approvalId, by],
  );
}

/** Who asked, under any name, the owner of the set, those with a role in it, and administrators: $1 to $5. */
const visible = `a.tenant_id = $1 and ($2::boolean or a.user_id = $3 or lower(a.acting_user) = any($4)
  or exists (select from action_guard.policy_sets s where s.policy_set_id = a.policy_set_id and s.deleted_at is null
    and (s.owner_id = $3 or exists (select from json_each(s.user_roles) r, json_array_elements_text(r.value) n
      where lower(n) = lower($5)))))`;

const visibleParams = ({ tenantId, roles, userId, username, email }: Caller): unknown[] => [
  tenantId,
  roles.includes('admin'),
  userId,
  [userId, username, email ?? username].map((name) => name.toLowerCase()),
  username,
];

export async function findVisible(
  db: Queries,
  caller: Caller,
  approvalId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Approval | undefined> {
  if (lock)
    await db.query('select from action_guard.approvals where approval_id = $1 for update', [approvalId]);
  const [row] = await db.query<Row>(
    `select ${columns} from action_guard.approvals a where ${visible} and a.approval_id = $6`,
    [...visibleParams(caller), approvalId],
  );
  return row;
}

export interface ApprovalFilter {
  readonly status: ShownStatus | undefined;
  readonly sessionId: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

const shownStatus = `case when a.used_at is not null then 'used'
  when a.status <> 'denied' and a.expires_at <= $6 then 'expired' else a.status end`;

/** Newest first. */
export async function listVisible(
  db: Queries,
  caller: Caller,
  now: Date,
  { status, sessionId, limit, offset }: ApprovalFilter,
): Promise<{ approvals: Approval[]; total: number }> {
  const where = `${visible} and ($7::text is null or ${shownStatus} = $7) and ($8::text is null or a.session_id = $8)`;
  const params = [...visibleParams(caller), now, status ?? null, sessionId ?? null];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from action_guard.approvals a where ${where}`,
    params,
  );
  const approvals = await db.query<Row>(
    `select ${columns} from action_guard.approvals a where ${where}
      order by a.created_at desc, a.approval_id desc limit $9 offset $10`,
    [...params, limit, offset],
  );
  return { approvals, total: counted?.total ?? 0 };
}

/** Nobody can send the call again, so nobody can decide about it: it has expired. Answers whose it was, if it waited. */
export async function expireUnsendable(
  db: Queries,
  { approvalId, gatewayId }: Pick<Approval, 'approvalId' | 'gatewayId'>,
  { at, note }: { at: Date; note: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ tenantId: string }>(
    `update action_guard.approvals set expires_at = $3, note = $4
      where approval_id = $1 and gateway_id = $2 and status = 'pending' and expires_at > $3
      returning tenant_id as "tenantId"`,
    [approvalId, gatewayId, at, note],
  );
  return row?.tenantId;
}

/** Deletes up to `limit` of the oldest from before the moment; answers how many. */
export async function deleteApprovalsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from action_guard.approvals where approval_id in (
      select approval_id from action_guard.approvals where created_at < $1 order by created_at limit $2)
      returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}
