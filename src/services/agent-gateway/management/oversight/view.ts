/** What people see of calls, approvals, pins and descriptions, in the wire format. */
import { toIsoTime } from '#base/clock.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { CallEntry } from '../../audit/entry.ts';
import type { Approval } from '../../guarding/approvals/approval.ts';
import { lineDifference } from '../../guarding/descriptions/line-difference.ts';
import type { DescriptionFinding } from '../../guarding/descriptions/store.ts';
import { differences, pinnedPart, type PinDifference } from '../../guarding/pins/pin.ts';
import type { Pin } from '../../guarding/pins/store.ts';
import type { Gateway } from '../../registry/gateways/gateway.ts';

export interface Names {
  readonly gateway: ReadonlyMap<string, string>;
  readonly server: ReadonlyMap<string, string>;
  readonly user: NameOf;
}

export const viewCall = (entry: CallEntry, names: Names) => ({
  id: entry.callId,
  gateway_id: entry.gatewayId,
  gateway_name: names.gateway.get(entry.gatewayId) ?? null,
  tool_name: entry.toolName,
  method: entry.method,
  server_id: entry.serverId,
  server_name: entry.serverId === null ? null : (names.server.get(entry.serverId) ?? null),
  user_id: entry.userId,
  user_name: names.user(entry.userId),
  principal: entry.principal,
  session_id: entry.sessionId,
  arguments: entry.arguments,
  allowed: entry.allowed,
  outcome: entry.outcome,
  held: entry.held === true,
  approval_id: entry.approvalId ?? null,
  reason: entry.reason,
  rule_ids: [...entry.ruleIds],
  latency_ms: threeDecimals(entry.latencyMs),
  guard_latency_ms: threeDecimals(entry.guardLatencyMs),
  trace_id: entry.traceId,
  redactions: entry.redactions === null ? null : { ...entry.redactions },
  timestamp: toIsoTime(entry.at),
});

export const viewApproval = (approval: Approval, gateway: Pick<Gateway, 'name'>, names: Names) => ({
  id: approval.approvalId,
  gateway_id: approval.gatewayId,
  gateway_name: gateway.name,
  tool_name: approval.toolName,
  server_id: approval.serverId,
  server_name: names.server.get(approval.serverId) ?? null,
  user_id: approval.userId,
  user_name: names.user(approval.userId),
  principal: approval.principal,
  arguments: approval.arguments,
  reasons: [...approval.reasons],
  status: approval.status,
  created_at: toIsoTime(approval.createdAt),
  expires_at: toIsoTime(approval.expiresAt),
  decided_by: approval.decidedBy,
  decided_by_name: names.user(approval.decidedBy),
  decided_at: approval.decidedAt === null ? null : toIsoTime(approval.decidedAt),
  waiting: approval.processId !== null,
  action_approval_id: approval.guardApprovalId,
  note: approval.note,
});

/** A field as lines: text as it stands, everything else as JSON; nothing for a field that was not there. */
const fieldText = (value: unknown): string => {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

const viewDifference = ({ field, before, after }: PinDifference) => ({
  field,
  before,
  after,
  lines: lineDifference(fieldText(before), fieldText(after)),
});

export const viewPin = (pin: Pin, serverNames: Names['server']) => ({
  server_id: pin.serverId,
  server_name: serverNames.get(pin.serverId) ?? null,
  tool_name: pin.toolName,
  hash: pin.hash,
  pinned_at: toIsoTime(pin.pinnedAt),
  definition: pin.definition,
  changed_hash: pin.changedHash,
  changed_at: pin.changedAt === null ? null : toIsoTime(pin.changedAt),
  differences:
    pin.changedDefinition === null
      ? []
      : differences(pin.definition, pin.changedDefinition).map(viewDifference),
});

const linesOf = (definition: Record<string, unknown>): string => {
  const { description, ...rest } = definition;
  return `${typeof description === 'string' ? description : ''}\n${JSON.stringify(rest, null, 2)}`;
};

function differenceOf({ serverId, kind, name, definition }: DescriptionFinding, pins: readonly Pin[]) {
  const pin =
    kind === 'tools' ? pins.find((each) => each.serverId === serverId && each.toolName === name) : undefined;
  const before = pin === undefined ? undefined : linesOf(pin.definition);
  const after = linesOf(pinnedPart(definition));
  return before === undefined || before === after ? [] : lineDifference(before, after);
}

export const viewFinding = (finding: DescriptionFinding, pins: readonly Pin[], names: Names) => ({
  server_id: finding.serverId,
  server_name: names.server.get(finding.serverId) ?? null,
  kind: finding.kind,
  name: finding.name,
  hash: finding.hash,
  definition: finding.definition,
  issues: finding.issues.map((issue) => ({ ...issue })),
  found_at: toIsoTime(finding.foundAt),
  status: finding.approvedAt === null ? ('waiting' as const) : ('approved' as const),
  approved_by: finding.approvedBy,
  approved_by_name: names.user(finding.approvedBy),
  approved_at: finding.approvedAt === null ? null : toIsoTime(finding.approvedAt),
  difference: differenceOf(finding, pins),
});
