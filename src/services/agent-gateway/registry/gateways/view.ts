import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { gatewayOperations } from '../../contract/gateways.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { principalsOf, type AccessControl, type Gateway, type GatewaySettings } from './gateway.ts';

/** Ids of users whose names an answer about the gateway tells. */
export const usersNamedBy = ({ ownerId, accessControl }: Gateway): string[] => [
  ownerId,
  ...principalsOf(accessControl),
];

/** The names of those principals that are users. */
export const viewPrincipalNames = (control: AccessControl, nameOf: NameOf): Record<string, string> =>
  Object.fromEntries(
    principalsOf(control).flatMap((principal) => {
      const name = nameOf(principal);
      return name === null ? [] : [[principal, name]];
    }),
  );

export const viewGateway = (gateway: Gateway, nameOf: NameOf, sameNameIds: string[]) => ({
  id: gateway.gatewayId,
  name: gateway.name,
  same_name_ids: sameNameIds,
  created_by: gateway.ownerId,
  created_by_name: nameOf(gateway.ownerId),
  visibility: gateway.visibility,
  created_at: toIsoTime(gateway.createdAt),
  updated_at: toIsoTime(gateway.updatedAt),
  action_guard_policy_id: gateway.actionGuardPolicyId,
  action_guard_policy_name: gateway.actionGuardPolicyName,
  access_control: {
    default: gateway.accessControl.default,
    rules: gateway.accessControl.rules.map(({ principals, servers, tools, effect }) => ({
      principals: [...principals],
      servers: [...servers],
      tools: [...tools],
      effect,
    })),
  },
  principal_names: viewPrincipalNames(gateway.accessControl, nameOf),
  guard_mode: gateway.guardMode,
  guard_failure: gateway.guardFailure,
  output_guard: gateway.outputGuard,
  rate_limit: gateway.callsPerMinute === null ? null : { calls_per_minute: gateway.callsPerMinute },
  pin_tools: gateway.pinTools,
  scan_gate: { ...gateway.scanGate },
  description_guard: gateway.descriptionGuard,
  result_redaction: gateway.resultRedaction,
});

type Sent = z.output<typeof gatewayOperations.updateGateway.body>;

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The submitted settings. */
export const readSettings = (sent: Sent): Partial<GatewaySettings> =>
  defined({
    name: sent.name,
    actionGuardPolicyId: sent.action_guard_policy_id,
    accessControl: sent.access_control,
    guardMode: sent.guard_mode,
    guardFailure: sent.guard_failure,
    outputGuard: sent.output_guard,
    callsPerMinute: sent.rate_limit === undefined ? undefined : (sent.rate_limit?.calls_per_minute ?? null),
    pinTools: sent.pin_tools,
    scanGate: sent.scan_gate,
    descriptionGuard: sent.description_guard,
    resultRedaction: sent.result_redaction,
    visibility: sent.visibility,
  });
