import { AppError, notFound } from '#base/errors.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Received } from '#base/contract/operation.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Caller } from '#identity/caller.ts';
import { evaluateOperations } from '#services/action-guard/contract/evaluate.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';
import type { TraceStep } from './trace.ts';

export type ActionVerdict = Received<typeof evaluateOperations.guardActions>;

export interface ActionQuestion {
  readonly caller: Caller;
  readonly gateway: Pick<Gateway, 'gatewayId' | 'name'>;
  readonly policySetId: string;
  readonly sessionId: string;
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
/** The call requires approval by a person. */
const checkTimeoutMs = 5000;

export const createAskActionGuard =
  ({ calls, baseUrl, tokenFor }: ActionGuardDeps): AskActionGuard =>
  ({ caller, gateway, policySetId, sessionId, steps, actions }) =>
    calls.call(
      evaluateOperations.guardActions,
      caller,
      {
        body: {
          session_history: {
            session_info: {
              gateway_id: gateway.gatewayId,
              gateway_name: gateway.name,
              metadata: { step_count: steps.length, actions_count: actions, tool_count: actions },
            },
            trace: [...steps],
          },
          session_id: sessionId,
          policy_id: policySetId,
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
