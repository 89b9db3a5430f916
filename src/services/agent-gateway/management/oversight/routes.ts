import { threeDecimals } from '#base/three-decimals.ts';
import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approval } from '../../guarding/approvals/approval.ts';
import type { Approvals } from '../../guarding/approvals/approvals.ts';
import type { oversightOperations } from '../../contract/oversight.ts';
import type { LiveGateways } from '../../endpoint/live-gateways.ts';
import type { AgentGatewayEvents } from '../../events.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { NameOf, UserNames } from '#identity/users/user-names.ts';
import type { Gateway } from '../../registry/gateways/gateway.ts';
import type { Gateways } from '../../registry/gateways/gateways.ts';
import { listGatewayNames } from '../../registry/gateways/store.ts';
import { listServerNames } from '../../registry/servers/store.ts';
import { lineDifference } from '../../guarding/descriptions/line-difference.ts';
import { approveFinding, listFindings, type DescriptionFinding } from '../../guarding/descriptions/store.ts';
import { differences, pinnedPart } from '../../guarding/pins/pin.ts';
import { approveChange, listPins, type Pin } from '../../guarding/pins/store.ts';
import type { CallEntry } from '../../audit/entry.ts';
import { findCall, listCalls, listTenantCalls, type CallScope } from '../../audit/store.ts';

export interface OversightDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly gateways: Gateways;
  readonly approvals: Approvals;
  readonly live: LiveGateways;
  readonly events: AgentGatewayEvents;
  readonly userNames: UserNames;
}

const scopeOf = (caller: Caller): CallScope => {
  const { tenantId, userId, isAdmin } = viewerOf(caller);
  return { tenantId, ownerId: isAdmin ? undefined : userId };
};

const momentOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

interface Names {
  readonly gateway: ReadonlyMap<string, string>;
  readonly server: ReadonlyMap<string, string>;
  readonly user: NameOf;
}

const viewCall = (entry: CallEntry, names: Names) => ({
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
  reason: entry.reason,
  rule_ids: [...entry.ruleIds],
  latency_ms: threeDecimals(entry.latencyMs),
  guard_latency_ms: threeDecimals(entry.guardLatencyMs),
  trace_id: entry.traceId,
  redactions: entry.redactions === null ? null : { ...entry.redactions },
  timestamp: toIsoTime(entry.at),
});

const viewApproval = (approval: Approval, gateway: Gateway, names: Names) => ({
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
});

const viewPin = (pin: Pin, serverNames: Names['server']) => ({
  server_id: pin.serverId,
  server_name: serverNames.get(pin.serverId) ?? null,
  tool_name: pin.toolName,
  hash: pin.hash,
  pinned_at: toIsoTime(pin.pinnedAt),
  definition: pin.definition,
  changed_hash: pin.changedHash,
  changed_at: pin.changedAt === null ? null : toIsoTime(pin.changedAt),
  differences: pin.changedDefinition === null ? [] : differences(pin.definition, pin.changedDefinition),
});

/** More than a person reads; the oldest are left out. */
const mostFindings = 5000;

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

const viewFinding = (finding: DescriptionFinding, pins: readonly Pin[], names: Names) => ({
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

export const oversightHandlers = ({
  db,
  clock,
  gateways,
  approvals,
  live,
  events,
  userNames,
}: OversightDeps): Handlers<typeof oversightOperations, Caller> => {
  const namesOf = async (
    servers: readonly (string | null)[],
    users: readonly (string | null)[],
    gatewayIds: readonly string[] = [],
  ): Promise<Names> => {
    const [server, user, gateway] = await Promise.all([
      listServerNames(db, servers),
      userNames(users),
      listGatewayNames(db, gatewayIds),
    ]);
    return { server, user, gateway };
  };
  const viewedCalls = async (calls: readonly CallEntry[]) => {
    const names = await namesOf(
      calls.map(({ serverId }) => serverId),
      calls.map(({ userId }) => userId),
      calls.map(({ gatewayId }) => gatewayId),
    );
    return calls.map((entry) => viewCall(entry, names));
  };
  const callOr404 = async (caller: Caller, callId: string) => {
    const call = isUuid(callId) ? await findCall(db, scopeOf(caller), callId) : undefined;
    if (call === undefined) throw notFound(`The call ${callId}`);
    return call;
  };
  const viewedApprovals = async (gateway: Gateway, found: readonly Approval[]) => {
    const names = await namesOf(
      found.map(({ serverId }) => serverId),
      found.flatMap(({ userId, decidedBy }) => [userId, decidedBy]),
    );
    return found.map((approval) => viewApproval(approval, gateway, names));
  };
  return {
    async listCalls({ caller, params, query }) {
      const { tenantId, gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const filter = { ...query, toolName: query.tool_name };
      const { calls, total } = await listCalls(db, { tenantId, gatewayId }, filter);
      return { calls: await viewedCalls(calls), total };
    },
    async listAllCalls({ caller, query }) {
      const calls = await listTenantCalls(db, scopeOf(caller), {
        from: momentOf(query.start),
        to: momentOf(query.end),
        allowed: query.allowed,
        outcome: query.outcome,
        toolName: query.tool_name,
        gatewayId: query.gateway_id,
        sessionId: query.session_id,
        before: query.before === undefined ? undefined : await callOr404(caller, query.before),
        limit: query.limit,
      });
      return { calls: await viewedCalls(calls) };
    },
    async getCall({ caller, params }) {
      const [call] = await viewedCalls([await callOr404(caller, params.call_id)]);
      if (call === undefined) throw notFound(`The call ${params.call_id}`);
      return call;
    },
    async listApprovals({ caller, params, query }) {
      const gateway = await gateways.getOwn(caller, params.gateway_id);
      const { approvals: found, total } = await approvals.list(gateway.gatewayId, {
        ...query,
        status: query.status,
      });
      return { approvals: await viewedApprovals(gateway, found), total };
    },
    async decideApproval({ caller, params, body, request }) {
      const gateway = await gateways.getOwn(caller, params.gateway_id);
      const { gatewayId } = gateway;
      const decision = body.decision === 'approve' ? 'approved' : 'denied';
      const decided = await approvals.decide(caller, gatewayId, params.approval_id, decision);
      const details = { id: decided.approvalId, gateway_id: gatewayId, decision };
      await events.changed('approval_decided', { caller, request, details });
      const names = await namesOf([decided.serverId], [decided.userId, decided.decidedBy]);
      return viewApproval(decided, gateway, names);
    },
    async listToolPins({ caller, params, query }) {
      const { gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const pins = (await listPins(db, gatewayId)).filter(
        ({ changedHash }) => query.changed === 'false' || changedHash !== null,
      );
      const names = await listServerNames(
        db,
        pins.map(({ serverId }) => serverId),
      );
      return { pins: pins.map((pin) => viewPin(pin, names)), total: pins.length };
    },
    async listDescriptionFindings({ caller, params, query }) {
      const { gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const all = await listFindings(db, gatewayId, mostFindings);
      const found = all
        .filter(
          ({ approvedAt }) =>
            query.status === undefined || (approvedAt !== null) === (query.status === 'approved'),
        )
        .slice(0, query.limit);
      const pins = await listPins(db, gatewayId);
      const names = await namesOf(
        found.map(({ serverId }) => serverId),
        found.map(({ approvedBy }) => approvedBy),
      );
      return { findings: found.map((finding) => viewFinding(finding, pins, names)) };
    },
    async approveDescription({ caller, params, body, request }) {
      const { gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const { server_id: serverId, kind, name, hash } = body;
      const by = { by: caller.userId, at: new Date(clock.now()) };
      if (!(await approveFinding(db, gatewayId, { serverId, kind, name, hash }, by)))
        throw conflict('There is no such description that waits: it was approved, or reads otherwise now.');
      await live.changed(gatewayId);
      const details = { gateway_id: gatewayId, server_id: serverId, kind, name: name.slice(0, 200), hash };
      await events.changed('description_approved', { caller, request, details });
      return { message: `The description of "${name.slice(0, 200)}" was approved.` };
    },
    async approveToolChange({ caller, params, body, request }) {
      const { gatewayId } = await gateways.getOwn(caller, params.gateway_id);
      const change = { serverId: body.server_id, toolName: body.tool_name, changedHash: body.changed_hash };
      if (!(await approveChange(db, gatewayId, change, new Date(clock.now()))))
        throw conflict(
          'The tool has no such change that waits: it has changed again, or back. Look at it once more.',
        );
      await live.changed(gatewayId);
      const details = {
        gateway_id: gatewayId,
        server_id: change.serverId,
        tool: change.toolName.slice(0, 200),
      };
      await events.changed('tool_change_approved', { caller, request, details });
      return { message: `The change of the tool "${change.toolName}" was approved.` };
    },
  };
};
