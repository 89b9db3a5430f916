/** A call that a rule wants a person for: who is asked, and when the answer counts. */
import { redacted } from '../audit/redact.ts';
import { fieldsOf } from '#mcp/json-rpc.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { ActionVerdict } from './action-guard.ts';
import { principalOf } from './ask.ts';
import type { GuardedCall } from './guarded-call.ts';

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
  { reasons, guardApprovalId }: { reasons: readonly string[]; guardApprovalId: string | null },
): Promise<boolean> {
  const { caller } = client;
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
      guardApprovalId,
    },
    ask.signal,
  );
  onHeld(approvalId);
  return decision === 'approved';
}

/**
 * Whether a person lets the call pass. Where a rule wants a checked identity, the client is not asked: whoever decides
 * here also approves at the action guard, in their own name, which is then asked again.
 * @param askAgain the verdict of the action guard on the same call
 */
export async function isApproved(
  approvals: Approvals,
  call: GuardedCall,
  { violations, approval }: ActionVerdict,
  askAgain: () => Promise<ActionVerdict>,
): Promise<boolean> {
  call.onHeld(null);
  const of = { reasons: violations, guardApprovalId: approval?.id ?? null };
  if (approval !== undefined)
    return (
      approval.status === 'pending' &&
      (await isApprovedHere(approvals, call, of)) &&
      (await askAgain()).allowed
    );
  return call.client.capabilities['elicitation'] === undefined
    ? isApprovedHere(approvals, call, of)
    : askAtClient(call, violations);
}
