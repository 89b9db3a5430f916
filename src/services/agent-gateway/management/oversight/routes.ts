import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError, conflict, forbidden, notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Audit } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approval } from '../../guarding/approvals/approval.ts';
import type { Approvals } from '../../guarding/approvals/approvals.ts';
import type { oversightOperations } from '../../contract/oversight.ts';
import type { LiveGateways } from '../../endpoint/live-gateways.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { Gateway } from '../../registry/gateways/gateway.ts';
import type { Gateways } from '../../registry/gateways/gateways.ts';
import { listGatewayNames } from '../../registry/gateways/store.ts';
import { listServerNames } from '../../registry/servers/store.ts';
import { findApproval } from '../../guarding/approvals/store.ts';
import { approveFinding, listFindings } from '../../guarding/descriptions/store.ts';
import { approveChange, listPins } from '../../guarding/pins/store.ts';
import type { CallLog } from '../../audit/call-log.ts';
import type { CallEntry } from '../../audit/entry.ts';
import { countCalls, findCall, listCalls } from '../../audit/store.ts';
import { filterOf, scopeOf } from './asked-calls.ts';
import { asCsv, asLines, exportCalls } from './export.ts';

import { listOpenDecisions } from './store.ts';
import { type Names, viewApproval, viewCall, viewFinding, viewPin } from './view.ts';

export interface OversightDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly gateways: Gateways;
  readonly approvals: Approvals;
  readonly callLog: Pick<CallLog, 'flush'>;
  readonly live: LiveGateways;
  readonly audit: Audit;
  readonly userNames: UserNames;
}

/** To whom the list shows the call, the action guard's refusal would be a riddle. */
function throwRefusal(caller: Caller, gateway: Gateway, error: unknown): never {
  if (error instanceof AppError && error.status === 404 && mayChange(viewerOf(caller), gateway))
    throw forbidden(
      'A rule of the action guard says who approves this call: the owner of the policy set, users who have a role in it and administrators may decide.',
    );
  throw error;
}

/** More than a person reads; the oldest are left out. */
const mostFindings = 5000;

export const oversightHandlers = ({
  db,
  clock,
  gateways,
  approvals,
  callLog,
  live,
  audit,
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
  /** The log outlives its gateway: administrators read that of a deleted one. */
  const mayRead = async (caller: Caller, gatewayId: string | undefined) => {
    if (gatewayId === undefined) return;
    const isKnown = await gateways.exists(caller.tenantId, gatewayId);
    const scope = scopeOf(caller);
    if (!isKnown && scope.ownerId === undefined) {
      const [call] = await listCalls(db, scope, { gatewayId }, { limit: 1 });
      if (call !== undefined) return;
    }
    await gateways.getOwn(caller, gatewayId);
  };
  const exported = async (
    caller: Caller,
    query: Parameters<typeof filterOf>[0],
    form: Parameters<typeof exportCalls>[2],
  ) => {
    await mayRead(caller, query.gateway_id);
    await callLog.flush();
    return exportCalls(
      { db, viewed: viewedCalls },
      { scope: scopeOf(caller), filter: filterOf(query) },
      form,
    );
  };
  const callOr404 = async (caller: Caller, callId: string) => {
    const call = isUuid(callId) ? await findCall(db, scopeOf(caller), callId) : undefined;
    if (call === undefined) throw notFound(`The call ${callId}`);
    return call;
  };
  const olderThan = async (caller: Caller, callId: string | undefined) =>
    callId === undefined ? undefined : callOr404(caller, callId);
  const viewedApprovals = async (gateway: Gateway, found: readonly Approval[]) => {
    const names = await namesOf(
      found.map(({ serverId }) => serverId),
      found.flatMap(({ userId, decidedBy }) => [userId, decidedBy]),
    );
    return found.map((approval) => viewApproval(approval, gateway, names));
  };
  /** What the call was held for; approvals go before the calls that waited for them. */
  const approvalOf = async ({ gatewayId, approvalId }: CallEntry, name: string | null) => {
    const found = typeof approvalId === 'string' ? await findApproval(db, gatewayId, approvalId) : undefined;
    if (found === undefined) return null;
    return viewApproval(
      found,
      { name: name ?? 'a deleted gateway' },
      await namesOf([found.serverId], [found.userId, found.decidedBy]),
    );
  };
  /**
   * What the caller may try to decide: the owner's and administrators' of a gateway, and what a rule of the action guard says
   * who approves, which decides who they are.
   */
  const decidable = async (caller: Caller, gatewayId: string, approvalId: string) => {
    const gateway = await gateways.ofTenant(caller, gatewayId);
    const approval = await approvals.find(gatewayId, approvalId);
    if (approval === undefined || approval.guardApprovalId === null) await gateways.getOwn(caller, gatewayId);
    if (approval === undefined) throw notFound(`The approval ${approvalId}`);
    return { gateway, approval };
  };
  return {
    async listCalls({ caller, params, query }) {
      const { gateway_id: gatewayId } = params;
      const { tenantId } = caller;
      await mayRead(caller, gatewayId);
      // Answered calls may not be in the database yet.
      await callLog.flush();
      const filter = { ...filterOf(query), gatewayId };
      const { limit, offset } = query;
      const page = { limit, offset, before: await olderThan(caller, query.before) };
      return {
        calls: await viewedCalls(await listCalls(db, { tenantId }, filter, page)),
        total: await countCalls(db, { tenantId }, filter),
      };
    },
    async listAllCalls({ caller, query }) {
      await mayRead(caller, query.gateway_id);
      await callLog.flush();
      const filter = filterOf(query);
      const page = { limit: query.limit, before: await olderThan(caller, query.before) };
      return { calls: await viewedCalls(await listCalls(db, scopeOf(caller), filter, page)) };
    },
    exportCallsAsCsv: ({ caller, query }) => exported(caller, query, asCsv),
    exportCallsAsLines: ({ caller, query }) => exported(caller, query, asLines),
    async getCall({ caller, params }) {
      await callLog.flush();
      const entry = await callOr404(caller, params.call_id);
      const [call] = await viewedCalls([entry]);
      if (call === undefined) throw notFound(`The call ${params.call_id}`);
      return { ...call, approval: await approvalOf(entry, call.gateway_name) };
    },
    async listDecisions({ caller }) {
      await approvals.settle();
      const open = await listOpenDecisions(db, viewerOf(caller), new Date(clock.now()));
      const names = await listServerNames(
        db,
        open.map(({ serverId }) => serverId),
      );
      return {
        decisions: open.map(
          ({ gatewayId, gatewayName, serverId, calls, callsAtGuard, changedTools, descriptions }) => ({
            gateway_id: gatewayId,
            gateway_name: gatewayName,
            server_id: serverId,
            server_name: names.get(serverId) ?? null,
            calls,
            calls_at_action_guard: callsAtGuard,
            changed_tools: changedTools,
            descriptions,
          }),
        ),
      };
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
      const { gateway, approval } = await decidable(caller, params.gateway_id, params.approval_id);
      const { gatewayId } = gateway;
      const decision = body.decision === 'approve' ? 'approved' : 'denied';
      const noted = (tx: Queries, after: Approval) => {
        const { approvalId: id, toolName: tool, principal, status } = after;
        const details = {
          id,
          tool,
          gateway_id: gatewayId,
          gateway: gateway.name,
          asked_by: principal,
          decision,
          changes: changesBetween({ status: 'pending' }, { status }),
        };
        return audit({ event: 'approval_decided', caller, request, details }, tx);
      };
      const decided = await approvals
        .decide(caller, approval, decision, noted)
        .catch((error: unknown) => throwRefusal(caller, gateway, error));
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
      const { gatewayId, name: gateway } = await gateways.getOwn(caller, params.gateway_id);
      const { server_id: serverId, kind, name, hash } = body;
      const by = { by: caller.userId, at: new Date(clock.now()) };
      await db.transaction(async (tx) => {
        if (!(await approveFinding(tx, gatewayId, { serverId, kind, name, hash }, by)))
          throw conflict('There is no such description that waits: it was approved, or reads otherwise now.');
        const changes = changesBetween({ approved: false }, { approved: true });
        const of = { gateway_id: gatewayId, gateway, server_id: serverId };
        const details = { name, kind, ...of, hash, changes };
        await audit({ event: 'description_approved', caller, request, details }, tx);
      });
      await live.changed(gatewayId);
      return { message: `The description of "${name.slice(0, 200)}" was approved.` };
    },
    async approveToolChange({ caller, params, body, request }) {
      const { gatewayId, name: gateway } = await gateways.getOwn(caller, params.gateway_id);
      const change = { serverId: body.server_id, toolName: body.tool_name, changedHash: body.changed_hash };
      await db.transaction(async (tx) => {
        const approved = await approveChange(tx, gatewayId, change, new Date(clock.now()));
        if (approved === undefined)
          throw conflict(
            'The tool has no such change that waits: it has changed again, or back. Look at it once more.',
          );
        // What the server says of its tool, now and before.
        const changes = changesBetween(approved.before, approved.after);
        const of = { gateway_id: gatewayId, gateway, server_id: change.serverId };
        const details = { tool: change.toolName, ...of, changes };
        await audit({ event: 'tool_change_approved', caller, request, details }, tx);
      });
      await live.changed(gatewayId);
      return { message: `The change of the tool "${change.toolName}" was approved.` };
    },
  };
};
