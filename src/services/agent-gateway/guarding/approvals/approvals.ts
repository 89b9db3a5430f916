/** Approvals of calls: requested, decided here or at the action guard, expired. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError, conflict, forbidden, unavailable } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import { approvalsDecided, readDecided } from '#services/action-guard/contract/approval-news.ts';
import type { Approval, ApprovalsAtGuard, Decision, GuardDecision } from './approval.ts';
import { endHeldOfEndedProcesses } from './ended-processes.ts';
import * as store from './store.ts';
import { Waiting } from './waiting.ts';

export type Wanted = Pick<
  Approval,
  | 'tenantId'
  | 'gatewayId'
  | 'userId'
  | 'apiKeyId'
  | 'principal'
  | 'toolName'
  | 'serverId'
  | 'arguments'
  | 'reasons'
  | 'guardApprovalId'
  | 'sessionId'
  | 'endsWithProcess'
> & {
  /** Until when it can be decided, where the action guard says so; else as long as the call waits. */
  readonly expiresAt: Date | null;
};

export interface Approvals extends AsyncDisposable {
  /**
   * Waits for a decision. Without one in time: `expired`, or `pending` where the same call may be sent again once it is
   * approved.
   * @param caller who made the call, whose right to see the approval at the action guard is used
   */
  ask(
    wanted: Wanted,
    waits: { caller: Caller; signal: AbortSignal; forMs: number },
  ): Promise<{ approvalId: string; decision: Decision }>;
  /** How long a call waits. */
  readonly timeoutMs: number;
  /**
   * The process stops: calls that wait are no longer held, since nobody could tell them the decision.
   * They and later ones are refused with 503; those that cannot be decided any more expire.
   */
  stop(): void;
  list(
    gatewayId: string,
    filter: Parameters<typeof store.listApprovals>[2],
  ): ReturnType<typeof store.listApprovals>;
  /** Notes what time and ended processes have decided. */
  settle(): Promise<void>;
  find(gatewayId: string, approvalId: string): Promise<Approval | undefined>;
  /**
   * @param within done in the same transaction, with the call as it is decided
   * @throws AppError 409 if it was decided or has expired; 403 for the credential that made the call; 403 or 404 for
   *   somebody whom the rule does not want.
   */
  decide(
    caller: Caller,
    approval: Approval,
    decision: 'approved' | 'denied',
    within: (tx: Queries, decided: Approval) => Promise<void>,
  ): Promise<Approval>;
}

export interface ApprovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Names this process, as `processes` does. */
  readonly processId: string;
  readonly onChanged?: (gatewayId: string) => void;
  readonly onError: (error: unknown) => void;
  readonly atGuard: ApprovalsAtGuard;
}

interface Wait {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Listens already. */
  readonly first: Promise<void>;
  /** Of `performance.now()`. */
  readonly untilMs: number;
}

const stopped = () =>
  unavailable(
    'Bulwark is being stopped or restarted, so nobody could decide about this call. Make it again afterwards.',
  );

const settleEveryMs = 10_000;

export async function openApprovals(deps: ApprovalsDeps): Promise<Approvals> {
  const { db, clock, timeoutMs, processId, onError, atGuard, onChanged = () => undefined } = deps;
  const waiting = new Waiting();
  let isStopping = false;

  const settle = async () => {
    await store.expireOld(db, new Date(clock.now()));
    await endHeldOfEndedProcesses(deps, onChanged);
  };
  const follow = async (decision: GuardDecision) => {
    await store.followGuard(db, decision);
    if (decision.status !== 'pending') waiting.wake(decision.guardApprovalId);
  };
  /** Asks the action guard what was decided; what it cannot say now is heard later. */
  const look = async (caller: Caller, guardApprovalId: string) => {
    try {
      await follow(await atGuard.see(caller, guardApprovalId));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  };
  const hear = (payload: string) => {
    const decision = readDecided(payload);
    if (decision === undefined) return;
    const { approval_id: guardApprovalId, status, decided_by: decidedBy } = decision;
    const decidedAt = decision.decided_at === null ? null : new Date(decision.decided_at);
    const expiresAt = new Date(decision.expires_at);
    follow({ guardApprovalId, status, decidedBy, decidedAt, expiresAt }).catch(onError);
  };

  await settle();
  await using stack = new AsyncDisposableStack();
  // After a lost database connection, all waiting calls check their state.
  stack.use(
    await db.listen(
      store.decidedChannel,
      (id) => waiting.wake(id),
      () => waiting.wakeAll(),
    ),
  );
  stack.use(await db.listen(approvalsDecided, hear, () => waiting.wakeAll()));
  const settling = setInterval(() => void settle().catch(onError), settleEveryMs).unref();
  stack.defer(() => clearInterval(settling));
  const owned = stack.move();

  const hold = async (approval: Approval): Promise<string> => {
    const again = approval.guardApprovalId === null ? undefined : await store.holdAgain(db, approval);
    if (again === undefined) await store.insertApproval(db, approval);
    onChanged(approval.gatewayId);
    return again ?? approval.approvalId;
  };

  /** Whoever may decide does so at the action guard; here it is only noted. */
  const decideAtGuard = async (caller: Caller, approval: Approval, decision: 'approved' | 'denied') => {
    const guardApprovalId = approval.guardApprovalId ?? '';
    try {
      return await atGuard.decide(caller, guardApprovalId, decision === 'approved');
    } catch (error) {
      // It was decided there, and this process has not heard of it.
      if (error instanceof AppError && error.status === 409) await look(caller, guardApprovalId);
      throw error;
    }
  };

  /** Waits until it is decided or nobody waits for it any more. A notification may be lost, or say nothing new. */
  const waitFor = async (
    { gatewayId, guardApprovalId, approvalId }: Approval,
    { caller, signal, first, untilMs }: Wait,
  ) => {
    const key = guardApprovalId ?? approvalId;
    // It may have been decided before anybody listened.
    if (guardApprovalId !== null) await look(caller, guardApprovalId);
    for (let next = first; ;) {
      await next;
      if (guardApprovalId !== null && !signal.aborted) await look(caller, guardApprovalId);
      const forMs = untilMs - performance.now();
      if (isStopping || signal.aborted || forMs <= 0) return;
      next = waiting.until(key, { signal, forMs });
      if ((await store.findApproval(db, gatewayId, approvalId))?.status === 'pending') continue;
      waiting.wake(key);
      return;
    }
  };

  return {
    timeoutMs,
    settle,
    async ask({ expiresAt, ...wanted }, { caller, signal, forMs }) {
      if (isStopping) throw stopped();
      const now = clock.now();
      const untilMs = performance.now() + forMs;
      const wantedNow: Approval = {
        ...wanted,
        approvalId: newUuid(now),
        status: 'pending',
        createdAt: new Date(now),
        expiresAt: expiresAt ?? new Date(now + forMs),
        decidedBy: null,
        decidedAt: null,
        processId,
        note: null,
      };
      const first = waiting.until(wanted.guardApprovalId ?? wantedNow.approvalId, { signal, forMs });
      const approvalId = await hold(wantedNow);
      await waitFor({ ...wantedNow, approvalId }, { caller, signal, first, untilMs });
      const after = await store.endWait(db, approvalId, { processId, at: new Date(clock.now()) });
      onChanged(wanted.gatewayId);
      if (isStopping && after !== 'approved' && after !== 'denied') throw stopped();
      return { approvalId, decision: after ?? 'expired' };
    },
    stop() {
      isStopping = true;
      waiting.wakeAll();
    },
    async list(gatewayId, filter) {
      await settle();
      return store.listApprovals(db, gatewayId, filter);
    },
    async find(gatewayId, approvalId) {
      await settle();
      return isUuid(approvalId) ? store.findApproval(db, gatewayId, approvalId) : undefined;
    },
    async decide(caller, approval, decision, within) {
      const { approvalId, guardApprovalId } = approval;
      const isAskersKey = approval.apiKeyId !== null && caller.apiKeyId === approval.apiKeyId;
      if (guardApprovalId === null && isAskersKey)
        throw forbidden(
          'The key that made the call cannot approve it. Sign in as a person, or use another key.',
        );
      if (approval.status !== 'pending') throw decidedAlready(approval);
      const at = new Date(clock.now());
      const guarded = guardApprovalId === null ? undefined : await decideAtGuard(caller, approval, decision);
      const decided: Approval =
        guarded === undefined
          ? { ...approval, status: decision, decidedBy: caller.userId, decidedAt: at }
          : { ...approval, ...guarded };
      await db.transaction(async (tx) => {
        if (guarded !== undefined) await store.followGuard(tx, guarded);
        else if (!(await store.decideApproval(tx, approvalId, { status: decision, by: caller.userId, at })))
          throw decidedAlready(approval);
        await within(tx, decided);
      });
      onChanged(approval.gatewayId);
      if (decided.status !== 'pending') {
        waiting.wake(guardApprovalId ?? approvalId);
        await db.notify(store.decidedChannel, guardApprovalId ?? approvalId);
      }
      return decided;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Why nobody can decide about it. */
const decidedAlready = ({ status, note }: Approval): AppError => {
  if (note !== null)
    return conflict(`${note} Nobody waits for the decision: the client has to make the call again.`);
  return conflict(
    status === 'pending' || status === 'expired'
      ? 'The call was decided already, or waited too long.'
      : `The call was ${status} already.`,
  );
};
