/** What the audit trail says of a gateway. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { AccessRule, Gateway } from './gateway.ts';

export function auditedGateway(
  event: `gateway_${'created' | 'updated' | 'deleted' | 'started' | 'stopped'}`,
  asking: Asking,
  { before, after }: { readonly before?: Gateway; readonly after?: Gateway },
): AuditEvent {
  const { gatewayId: id = '', name = '' } = after ?? before ?? {};
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fieldsOf(before, after),
    after: after && fieldsOf(after, before),
  });
}

/** Of the rules of access those that the other has not: their order decides nothing. */
function fieldsOf(gateway: Gateway, other: Gateway | undefined): Record<string, unknown> {
  const { default: accessDefault, rules } = gateway.accessControl;
  const same = new Set(other?.accessControl.rules.map(inWords));
  const accessRules = rules.map(inWords).filter((rule) => !same.has(rule));
  return {
    name: gateway.name,
    visibility: gateway.visibility,
    actionGuardPolicyId: gateway.actionGuardPolicyId,
    actionGuardPolicyName: gateway.actionGuardPolicyName,
    guardMode: gateway.guardMode,
    guardFailure: gateway.guardFailure,
    outputGuard: gateway.outputGuard,
    callsPerMinute: gateway.callsPerMinute,
    pinTools: gateway.pinTools,
    descriptionGuard: gateway.descriptionGuard,
    resultRedaction: gateway.resultRedaction,
    scanGateMode: gateway.scanGate.mode,
    scanGateLevel: gateway.scanGate.level,
    accessDefault,
    ...(accessRules.length > 0 && { accessRules }),
    running: gateway.running,
  };
}

const inWords = ({ effect, principals, servers, tools }: AccessRule): string =>
  `${effect} ${principals.join(', ')}: tools ${tools.join(', ')} of servers ${servers.join(', ')}`;
