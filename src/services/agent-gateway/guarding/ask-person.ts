/** A call that a rule wants a person for: who is asked, and when the answer counts. */
import { redacted } from '../audit/redact.ts';
import { fieldsOf } from '#mcp/json-rpc.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { Decision } from './approvals/approval.ts';
import type { ActionVerdict } from './action-guard.ts';
import { principalOf } from './ask.ts';
import type { GuardedCall } from './guarded-call.ts';

type Held = NonNullable<ActionVerdict['approval']>;

export interface Answer {
  readonly isApproved: boolean;
  /** Until when it can still be approved, so that the same call passes when it is sent again. */
  readonly openUntil?: string;
}

/** Asks the user at the client for approval, if the client supports elicitation. */
async function askAtClient({ ask, offer }: GuardedCall, reasons: readonly string[]): Promise<boolean> {
  const answer = await ask.onRequest(
    {
      jsonrpc: '2.0',
      id: 'approval',
      method: 'elicitation/create',
      params: {
        message: `The call of ${offer.name} needs your approval: ${reasons.join(' ')}`,
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Approve this call', default: false } },
          required: ['approve'],
        },
      },
    },
    ask.signal,
  );
  return answer['action'] === 'accept' && fieldsOf(answer['content'])['approve'] === true;
}

/** Keeps the call until somebody decides about it here. */
async function isApprovedHere(
  approvals: Approvals,
  { client, gateway, offer, args, ask, onHeld }: GuardedCall,
  { reasons, atGuard, forMs }: { reasons: readonly string[]; atGuard: Held | undefined; forMs: number },
): Promise<Decision> {
  const { caller, sessionId, era } = client;
  const { approvalId, decision } = await approvals.ask(
    {
      tenantId: caller.tenantId,
      gatewayId: gateway.gatewayId,
      userId: caller.userId,
      apiKeyId: caller.apiKeyId ?? null,
      principal: principalOf(caller),
      toolName: offer.name,
      serverId: offer.attachment.server.serverId,
      arguments: redacted(args),
      reasons,
      guardApprovalId: atGuard?.id ?? null,
      expiresAt: atGuard === undefined ? null : new Date(atGuard.expires_at),
      sessionId,
      endsWithProcess: era === 'legacy',
    },
    { caller, signal: ask.signal, forMs },
  );
  onHeld(approvalId);
  return decision;
}

/** The verdict of the action guard on a call that a rule wants a checked identity for, once somebody has decided. */
async function isApprovedAtGuard(
  approvals: Approvals,
  call: GuardedCall,
  verdict: ActionVerdict,
  askAgain: () => Promise<ActionVerdict>,
): Promise<Answer> {
  const untilMs = performance.now() + approvals.timeoutMs;
  for (let { violations: reasons, approval: atGuard } = verdict; atGuard !== undefined;) {
    if (atGuard.status !== 'pending') return { isApproved: false };
    const forMs = untilMs - performance.now();
    const decision =
      forMs <= 0 ? 'pending' : await isApprovedHere(approvals, call, { reasons, atGuard, forMs });
    if (decision === 'pending') return { isApproved: false, openUntil: atGuard.expires_at };
    if (decision !== 'approved') return { isApproved: false };
    const again = await askAgain();
    if (again.allowed) return { isApproved: true };
    // The same call was sent twice, and the other one has used the approval.
    ({ violations: reasons, approval: atGuard } = again);
  }
  return { isApproved: false };
}

/**
 * Whether a person lets the call pass. Where a rule wants a checked identity, the client is not asked: whoever decides
 * here also approves at the action guard, in their own name, which is then asked again.
 * @param askAgain the verdict of the action guard on the same call
 */
export async function isApproved(
  approvals: Approvals,
  call: GuardedCall,
  verdict: ActionVerdict,
  askAgain: () => Promise<ActionVerdict>,
): Promise<Answer> {
  call.onHeld(null);
  if (verdict.approval !== undefined) return isApprovedAtGuard(approvals, call, verdict, askAgain);
  const { violations: reasons } = verdict;
  if (call.client.capabilities['elicitation'] !== undefined)
    return { isApproved: await askAtClient(call, reasons) };
  const waits = { reasons, atGuard: undefined, forMs: approvals.timeoutMs };
  return { isApproved: (await isApprovedHere(approvals, call, waits)) === 'approved' };
}
