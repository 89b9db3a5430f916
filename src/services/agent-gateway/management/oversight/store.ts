import type { Queries } from '#base/db/database.ts';
import { changeable, viewerParams, type Viewer } from '#identity/sharing.ts';

/** How much waits for a decision about one server at one gateway. */
export type OpenDecisions = {
  gatewayId: string;
  gatewayName: string;
  serverId: string;
  calls: number;
  callsAtGuard: number;
  changedTools: number;
  descriptions: number;
};

/** Of the gateways that the viewer may change; a call whose time is over waits no longer. */
export const listOpenDecisions = (db: Queries, viewer: Viewer, now: Date): Promise<OpenDecisions[]> =>
  db.query<OpenDecisions>(
    `with mine as (select gateway_id, name from agent_gateway.gateways g where ${changeable('g')}),
      waiting as (
        select gateway_id, server_id, 1 as call,
            (guard_approval_id is not null)::int as guarded, 0 as tool, 0 as description from agent_gateway.approvals
          where gateway_id in (select gateway_id from mine) and status = 'pending' and expires_at > $4
        union all
        select gateway_id, server_id, 0, 0, 1, 0 from agent_gateway.tool_pins
          where gateway_id in (select gateway_id from mine) and changed_hash is not null
        union all
        select gateway_id, server_id, 0, 0, 0, 1 from agent_gateway.description_findings
          where gateway_id in (select gateway_id from mine) and approved_at is null)
    select gateway_id as "gatewayId", mine.name as "gatewayName", server_id as "serverId",
        sum(call)::int as calls, sum(guarded)::int as "callsAtGuard", sum(tool)::int as "changedTools", sum(description)::int as descriptions
      from waiting join mine using (gateway_id)
      group by gateway_id, mine.name, server_id order by mine.name, gateway_id, server_id`,
    [...viewerParams(viewer), now],
  );
