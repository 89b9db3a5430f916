/** Approvals of calls that rules held: asked for, given by people whose identity was checked, used once. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import {
  type Approval,
  approvedRules,
  isAsker,
  isOverseer,
  refusalOf,
  rolesOfNobody,
  statusAt,
  type Wanted,
} from './approval.ts';
import { type Approvers, rolesIn } from './approvers.ts';
import { type ApprovalDecided, approvalsDecided } from '../contract/approval-news.ts';
import { auditedDecision } from './audited.ts';
import * as store from './store.ts';

/** A call that is held, or was approved. */
export interface HeldCall extends store.CallOf {
  /** The caller's id of the call, else ours: an approval is used by one. */
  readonly callId: string;
}

/** What is kept of a held call for the person who decides. */
export type Shown = Pick<Approval, 'gatewayId' | 'apiKeyId' | 'toolName' | 'toolParams'>;

export interface ApprovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** How long a call waits, and how long it may be sent again once it was approved. */
  readonly minutes: number;
  /** Called when a call begins to wait, and when it was decided. */
  readonly onChanged?: (tenantId: string) => void;
  /** Of a policy set of the tenant, deleted ones without anybody. */
  readonly approversOf: (tenantId: string, policySetId: string) => Promise<Approvers>;
}

export class Approvals {
  readonly #deps: ApprovalsDeps;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  /** What has been said about the call; undefined where nobody was asked yet, or the answer is used or too old. */
  async find(call: HeldCall): Promise<Approval | undefined> {
    const { db } = this.#deps;
    return store.findOpen(db, call, { now: this.#now(), usedBy: call.callId });
  }

  /** Uses the approval for this call; false where another call was faster. */
  use({ approvalId }: Approval, callId: string): Promise<boolean> {
    return store.markUsed(this.#deps.db, approvalId, { by: callId, at: this.#now() });
  }

  giveBack({ approvalId }: Approval, callId: string): Promise<void> {
    return store.markUnused(this.#deps.db, approvalId, callId);
  }

  /** Keeps the call for a person to decide; one that is open already is asked of once, and a denial stands. */
  async hold(call: HeldCall, shown: Shown, wanted: readonly Wanted[]): Promise<Approval> {
    const now = this.#now();
    const held = await this.#deps.db.transaction(async (tx) => {
      await store.lockCall(tx, call);
      const open = await store.findOpen(tx, call, { now, usedBy: '' });
      if (open?.status === 'denied') return open;
      if (open !== undefined) {
        // What was given stays, and what it was given for: a rule may want one person more.
        const named = new Set(wanted.map(({ ruleId }) => ruleId));
        const after: Approval = {
          ...open,
          wanted: [...wanted, ...open.wanted.filter(({ ruleId }) => !named.has(ruleId))],
          status: 'pending',
          decidedBy: null,
          decidedAt: null,
        };
        await store.updateApproval(tx, after);
        return after;
      }
      const { callId: _, ...of } = call;
      const approval: Approval = {
        ...of,
        ...shown,
        approvalId: newUuid(now.getTime()),
        wanted,
        grants: [],
        status: 'pending',
        decidedBy: null,
        decidedAt: null,
        note: null,
        createdAt: now,
        expiresAt: this.#expiry(now),
        usedBy: null,
        usedAt: null,
      };
      await store.insertApproval(tx, approval);
      return approval;
    });
    this.#deps.onChanged?.(held.tenantId);
    return held;
  }

  list(caller: Caller, filter: store.ApprovalFilter): ReturnType<typeof store.listVisible> {
    return store.listVisible(this.#deps.db, caller, this.#now(), filter);
  }

  /** @throws AppError 404 */
  async get(caller: Caller, approvalId: string): Promise<Approval> {
    const { db } = this.#deps;
    const found = isUuid(approvalId) ? await store.findVisible(db, caller, approvalId) : undefined;
    if (found === undefined) throw notFound(`The approval ${approvalId}`);
    return found;
  }

  /** Roles that it waits for and that nobody has. */
  async rolesOfNobody(approval: Approval): Promise<string[]> {
    const { tenantId, policySetId } = approval;
    return rolesOfNobody(approval, await this.#deps.approversOf(tenantId, policySetId));
  }

  /** Why the caller cannot approve it; undefined where they can. */
  async refusal(caller: Caller, approval: Approval): Promise<string | undefined> {
    const { tenantId, policySetId } = approval;
    return whyNot(caller, approval, await this.#deps.approversOf(tenantId, policySetId));
  }

  /**
   * Approves or denies a call in the name of the caller.
   * @param within done in the same transaction, with what the approval is afterwards
   * @throws AppError 404; 403 for somebody who may not; 409 where it is decided, used or too old
   */
  async decide(
    asking: Asking,
    approvalId: string,
    { approve, note }: { approve: boolean; note: string | null },
  ): Promise<Approval> {
    const { caller } = asking;
    const { db, approversOf, audit } = this.#deps;
    const save = async (tx: Queries, after: Approval) => {
      await store.updateApproval(tx, after);
      await audit(auditedDecision(asking, approve, after), tx);
      return after;
    };
    const { tenantId, policySetId } = await this.get(caller, approvalId);
    // Before the transaction: on the embedded database no other query runs beside one.
    const approvers = await approversOf(tenantId, policySetId);
    const after = await db.transaction(async (tx) => {
      const approval = await store.findVisible(tx, caller, approvalId, { lock: true });
      if (approval === undefined) throw notFound(`The approval ${approvalId}`);
      const now = this.#now();
      const status = statusAt(approval, now);
      if (status !== 'pending') {
        const why = approval.decidedBy === null && approval.note !== null ? ` ${approval.note}` : '';
        throw conflict(`The call is not waiting any more: it is ${status}.${why}`);
      }
      const asker = isAsker(approval, caller);
      const decided = { decidedBy: caller.userId, decidedAt: now, note };
      if (!approve) {
        if (!asker && !isOverseer(approvers, caller)) throw forbidden('You may not decide about this call.');
        return save(tx, { ...approval, ...decided, status: 'denied' });
      }
      const refusal = whyNot(caller, approval, approvers);
      if (refusal !== undefined) throw forbidden(refusal);
      const { userId: by, username } = caller;
      const grant = {
        by,
        username,
        roles: rolesIn(approvers, caller),
        isAsker: asker,
        at: now.toISOString(),
      };
      const grants = [...approval.grants.filter((one) => one.by !== by), grant];
      const met = approvedRules({ ...approval, grants });
      const isWhole = approval.wanted.every(({ ruleId }) => met.has(ruleId));
      return save(tx, {
        ...approval,
        grants,
        expiresAt: this.#expiry(now),
        ...(isWhole && { ...decided, status: 'approved' }),
      });
    });
    this.#deps.onChanged?.(tenantId);
    const told: ApprovalDecided = {
      approval_id: after.approvalId,
      status: after.status,
      decided_by: after.decidedBy,
      decided_at: after.decidedAt?.toISOString() ?? null,
      expires_at: after.expiresAt.toISOString(),
    };
    await db.notify(approvalsDecided, JSON.stringify(told));
    return after;
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }

  #expiry(from: Date): Date {
    return new Date(from.getTime() + this.#deps.minutes * 60_000);
  }
}

/** Not a program that acts for somebody. */
const isInPerson = ({ apiKeyId, oauth }: Caller) => apiKeyId === undefined && oauth === undefined;

/** Why the caller cannot approve the call; undefined where they can. */
function whyNot(caller: Caller, approval: Approval, approvers: Approvers): string | undefined {
  if (isAsker(approval, caller) && !isInPerson(caller))
    return 'A key or client of the user who asked cannot approve the call: whatever asked could approve itself. Sign in as a person.';
  const met = approvedRules(approval);
  const open = approval.wanted.filter(({ ruleId }) => !met.has(ruleId));
  const reasons = (open.length === 0 ? approval.wanted : open).map((wanted) =>
    refusalOf(wanted, approval, caller, approvers),
  );
  return reasons.includes(undefined) ? undefined : reasons[0];
}
