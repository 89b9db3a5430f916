/** The gateways with their policy sets, and what other services ask about them. */
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { setUserOperations } from '#services/action-guard/contract/set-users.ts';
import {
  createCheckPolicySet,
  createHasPolicySet,
  type ActionGuardDeps,
} from '../../guarding/action-guard.ts';
import { Gateways, type GatewaysDeps } from '../../registry/gateways/gateways.ts';

/** Where alerts about gateways ask whether there is one. */
interface Watched {
  hasSubjects(source: 'calls', has: (tenantId: string, gatewayId: string) => Promise<boolean>): void;
}

async function gatewaysOfSet(gateways: Gateways, caller: Caller, policySetId: string) {
  const { readable, others } = await gateways.ofPolicySet(caller, policySetId);
  return { gateways: readable.map(({ gatewayId, name }) => ({ id: gatewayId, name })), others };
}

/** Asked by the action guard before it deletes a policy set. */
export const setUserHandlers = (gateways: Gateways): Handlers<typeof setUserOperations, Caller> => ({
  listGatewaysOfPolicySet: ({ caller, params }) => gatewaysOfSet(gateways, caller, params.policy_set_id),
});

export function openGateways(
  deps: Pick<GatewaysDeps, 'db' | 'clock' | 'audit' | 'live'>,
  actionGuard: ActionGuardDeps,
  calls: ServiceCalls<Caller>,
  alerts: Watched | undefined,
): Gateways {
  const gateways = new Gateways({
    ...deps,
    checkPolicySet: createCheckPolicySet(actionGuard),
    hasPolicySet: createHasPolicySet(actionGuard),
  });
  calls.provide(setUserOperations.listGatewaysOfPolicySet, (caller, { params }) =>
    gatewaysOfSet(gateways, caller, params.policy_set_id),
  );
  alerts?.hasSubjects('calls', (tenantId, gatewayId) => gateways.exists(tenantId, gatewayId));
  return gateways;
}
