/** Calls that waited in a process which has ended: nobody would be told the decision, and the audit log has no entry. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import type { CallEntry } from '../../audit/entry.ts';
import { insertCalls } from '../../audit/store.ts';
import { heldCallsEnded } from '#services/action-guard/contract/approval-news.ts';
import { type Approval, processEnded } from './approval.ts';
import * as store from './store.ts';

/** After three missed heartbeats a process is considered ended. */
export const deadAfterSeconds = 35;

/** The call was never answered, so nothing else wrote its entry. */
const entryOf = (held: Approval, at: Date): CallEntry => ({
  callId: newUuid(at.getTime()),
  tenantId: held.tenantId,
  gatewayId: held.gatewayId,
  at,
  method: 'tools/call',
  toolName: held.toolName,
  serverId: held.serverId,
  userId: held.userId,
  principal: held.principal,
  sessionId: held.sessionId,
  arguments: held.arguments,
  // An approved one may have been on its way to the server.
  allowed: held.status === 'approved',
  outcome: held.status === 'approved' ? 'failed' : 'approval_denied',
  reason: `${processEnded} ${held.status === 'approved' ? 'It was approved; whether it reached its server is not known.' : 'It did not reach its server.'}`,
  ruleIds: [],
  latencyMs: Math.max(0, at.getTime() - held.createdAt.getTime()),
  guardLatencyMs: 0,
  traceId: null,
  redactions: null,
  held: true,
  approvalId: held.approvalId,
});

/** Ends them, each once over all processes, and tells the action guard of those that cannot be sent again. */
export async function endHeldOfEndedProcesses(
  { db, clock, processId }: { db: Database; clock: Clock; processId: string },
  onChanged: (gatewayId: string) => void,
): Promise<void> {
  const at = new Date(clock.now());
  const ended = await db.transaction(async (tx) => {
    const held = await store.endThoseOfEndedProcesses(tx, {
      processId,
      at,
      note: processEnded,
      deadAfterSeconds,
    });
    if (held.length > 0)
      await insertCalls(
        tx,
        held.map((one) => entryOf(one, at)),
      );
    return held;
  });
  for (const { gatewayId, guardApprovalId, status } of ended) {
    onChanged(gatewayId);
    if (guardApprovalId !== null && status === 'expired')
      await db.notify(heldCallsEnded, `${guardApprovalId} ${gatewayId}`);
  }
}
