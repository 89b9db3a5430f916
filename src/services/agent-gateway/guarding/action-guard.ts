import { AppError, notFound } from '#base/errors.ts';
import type { ApprovalsAtGuard, GuardDecision } from './approvals/approval.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Received } from '#base/contract/operation.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Caller } from '#identity/caller.ts';
import { approvalOperations } from '#services/action-guard/contract/approvals.ts';
import { evaluateOperations } from '#services/action-guard/contract/evaluate.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';
import type { TraceStep } from './trace.ts';

export type ActionVerdict = Received<typeof evaluateOperations.guardActions>;

export interface ActionQuestion {
  readonly caller: Caller;
  readonly gateway: Pick<Gateway, 'gatewayId' | 'name'>;
  readonly policySetId: string;
  readonly sessionId: string;
  /** The same for every question about one call. */
  readonly callId: string;
  /** Whether the guard keeps a call that lacks an approval. */
  readonly hold: 'checked' | 'never';
  readonly steps: readonly TraceStep[];
  /** How many of the steps are agent steps. */
  readonly actions: number;
}

/** Evaluates the trace with the action guard. Throws AppError if the action guard is unavailable. */
export type AskActionGuard = (question: ActionQuestion) => Promise<ActionVerdict>;

export interface ActionGuardDeps {
  readonly calls: ServiceCalls<Caller>;
  /** URL of the action guard if it runs in another process. */
  readonly baseUrl: string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
}

const timeoutMs = 20_000;
const checkTimeoutMs = 5000;

/** Whom the agent acts for: the identity that the gateway has checked, for rules about roles and attributes. */
const userOf = ({ userId, username, email, roles, oauth, apiKeyId }: Caller) => ({
  id: userId,
  roles: [...roles],
  attributes: {
    username,
    ...(email !== undefined && { email }),
    ...(oauth !== undefined && { client_id: oauth.clientId }),
    ...(apiKeyId !== undefined && { api_key_id: apiKeyId }),
  },
});

const readDecision = (one: Received<typeof approvalOperations.getActionApproval>): GuardDecision => ({
  guardApprovalId: one.id,
  // One that has expired is not decided: its time says so.
  status: one.status === 'used' ? 'approved' : one.status === 'expired' ? 'pending' : one.status,
  decidedBy: one.decided_by,
  decidedAt: one.decided_at === null ? null : new Date(one.decided_at),
  expiresAt: new Date(one.expires_at),
});

export function createApprovalsAtGuard({ calls, baseUrl, tokenFor }: ActionGuardDeps): ApprovalsAtGuard {
  const elsewhere = { baseUrl, tokenFor, timeoutMs };
  const { decideActionApproval, getActionApproval } = approvalOperations;
  return {
    async decide(caller, approvalId, approve) {
      const params = { approval_id: approvalId };
      const body = { decision: approve ? ('approve' as const) : ('deny' as const) };
      return readDecision(await calls.call(decideActionApproval, caller, { params, body }, elsewhere));
    },
    async see(caller, approvalId) {
      const params = { approval_id: approvalId };
      return readDecision(await calls.call(getActionApproval, caller, { params }, elsewhere));
    },
  };
}

export const createAskActionGuard =
  ({ calls, baseUrl, tokenFor }: ActionGuardDeps): AskActionGuard =>
  ({ caller, gateway, policySetId, sessionId, callId, hold, steps, actions }) =>
    calls.call(
      evaluateOperations.guardActions,
      caller,
      {
        body: {
          session_history: {
            session_info: {
              gateway_id: gateway.gatewayId,
              gateway_name: gateway.name,
              user: userOf(caller),
              metadata: { step_count: steps.length, actions_count: actions, tool_count: actions },
            },
            // Nobody changes it: the type of what is sent only does not say so.
            trace: steps as TraceStep[],
          },
          session_id: sessionId,
          policy_id: policySetId,
          call_id: callId,
          hold,
        },
      },
      { baseUrl, tokenFor, timeoutMs },
    );

/**
 * Checks that the caller may use the policy set.
 * @throws AppError 404 if the action guard has no such set for the caller. An unreachable action guard is not an error
 * here, since each verdict reports it again.
 */
export type CheckPolicySet = (caller: Caller, policySetId: string) => Promise<string | undefined>;

export const createHasPolicySet =
  ({ calls, baseUrl, tokenFor }: ActionGuardDeps) =>
  async (caller: Caller, policySetId: string): Promise<boolean | undefined> => {
    try {
      const { exists } = await calls.call(
        setOperations.getPolicySetState,
        caller,
        { params: { policy_set_id: policySetId } },
        { baseUrl, tokenFor, timeoutMs: checkTimeoutMs },
      );
      return exists;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  };

export const createCheckPolicySet =
  ({ calls, baseUrl, tokenFor }: ActionGuardDeps): CheckPolicySet =>
  async (caller, policySetId) => {
    try {
      const { name } = await calls.call(
        setOperations.getPolicySet,
        caller,
        { params: { policy_set_id: policySetId } },
        { baseUrl, tokenFor, timeoutMs: checkTimeoutMs },
      );
      return name;
    } catch (error) {
      if (error instanceof AppError && error.status === 404)
        throw notFound(`The policy set ${policySetId}, which 'action_guard_policy_id' names,`);
      if (!(error instanceof AppError) || error.status < 500) throw error;
      return undefined;
    }
  };
