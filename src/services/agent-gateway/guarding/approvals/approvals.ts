/** Approvals of calls: requested, decided, expired. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound, unavailable } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approval, Decision } from './approval.ts';
import * as store from './store.ts';

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
>;

export interface Approvals extends AsyncDisposable {
  /** Waits for a decision; `expired` if there was none in time. */
  ask(wanted: Wanted, signal: AbortSignal): Promise<{ approvalId: string; decision: Decision }>;
  /**
   * The process stops: calls that wait are no longer held, since nobody could tell them the decision.
   * They and later ones are refused with 503, and their approvals expire.
   */
  stop(): void;
  list(
    gatewayId: string,
    filter: Parameters<typeof store.listApprovals>[2],
  ): ReturnType<typeof store.listApprovals>;
  /**
   * @param within done in the same transaction, with the call as it is decided
   * @throws AppError 404; 409 if it was decided or has expired; 403 for the credential that made the call.
   */
  decide(
    caller: Caller,
    { gatewayId, approvalId }: Pick<Approval, 'gatewayId' | 'approvalId'>,
    decision: 'approved' | 'denied',
    within: (tx: Queries, decided: Approval) => Promise<void>,
  ): Promise<Approval>;
}

interface ApprovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Decides at the action guard too, where a rule wants a checked identity. */
  readonly onChanged?: (gatewayId: string) => void;
  readonly decideAtGuard: (caller: Caller, approvalId: string, approve: boolean) => Promise<void>;
}

const stopped = () =>
  unavailable(
    'Bulwark is being stopped or restarted, so nobody could decide about this call. Make it again afterwards.',
  );

const decidedAlready = () => conflict('The call was decided already, or waited too long.');

export async function openApprovals({
  db,
  clock,
  timeoutMs,
  decideAtGuard,
  onChanged = () => undefined,
}: ApprovalsDeps): Promise<Approvals> {
  await store.expireOld(db, new Date(clock.now()));
  const waiting = new Map<string, () => void>();
  let isStopping = false;
  const wake = (approvalId: string) => waiting.get(approvalId)?.();
  // After a lost database connection, all waiting calls check their state.
  const listening = await db.listen(store.decidedChannel, wake, () => waiting.forEach((each) => each()));

  /** Waits until it is decided or expired, or the caller has disconnected. */
  const decided = (approvalId: string, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        waiting.delete(approvalId);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      waiting.set(approvalId, done);
    });

  return {
    async ask(wanted, signal) {
      if (isStopping) throw stopped();
      const now = clock.now();
      const approval: Approval = {
        ...wanted,
        approvalId: newUuid(now),
        status: 'pending',
        createdAt: new Date(now),
        expiresAt: new Date(now + timeoutMs),
        decidedBy: null,
        decidedAt: null,
      };
      const { approvalId } = approval;
      const decision = decided(approvalId, signal);
      await store.insertApproval(db, approval);
      onChanged(approval.gatewayId);
      await decision;
      await store.decideApproval(db, approvalId, { status: 'expired', by: null, at: new Date(clock.now()) });
      onChanged(approval.gatewayId);
      const after = await store.findApproval(db, approval.gatewayId, approvalId);
      if (isStopping && after?.status === 'expired') throw stopped();
      const isOpen = after === undefined || after.status === 'pending';
      return { approvalId, decision: isOpen ? 'expired' : after.status };
    },
    stop() {
      isStopping = true;
      for (const done of waiting.values()) done();
    },
    list: (gatewayId, filter) => store.listApprovals(db, gatewayId, filter),
    async decide(caller, { gatewayId, approvalId }, decision, within) {
      const approval = isUuid(approvalId) ? await store.findApproval(db, gatewayId, approvalId) : undefined;
      if (approval === undefined) throw notFound(`The approval ${approvalId}`);
      if (approval.apiKeyId !== null && caller.apiKeyId === approval.apiKeyId)
        throw forbidden(
          'The key that made the call cannot approve it. Sign in as a person, or use another key.',
        );
      const { guardApprovalId } = approval;
      if (guardApprovalId !== null) {
        if (approval.status !== 'pending') throw decidedAlready();
        if (caller.apiKeyId !== undefined && caller.userId === approval.userId)
          throw forbidden(
            'A rule wants a person: a key of the user who made the call cannot approve it. Sign in.',
          );
        await decideAtGuard(caller, guardApprovalId, decision === 'approved');
      }
      const at = new Date(clock.now());
      const decided = { ...approval, status: decision, decidedBy: caller.userId, decidedAt: at };
      await db.transaction(async (tx) => {
        if (!(await store.decideApproval(tx, approvalId, { status: decision, by: caller.userId, at })))
          throw decidedAlready();
        await within(tx, decided);
      });
      wake(approvalId);
      await db.notify(store.decidedChannel, approvalId);
      return decided;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
