/** Which calls are asked for, and which of them a caller may read. */
import type { z } from 'zod';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { CallFilter, CallScope } from '../../audit/store.ts';
import type { oversightOperations } from '../../contract/oversight.ts';

export const scopeOf = (caller: Caller): CallScope => {
  const { tenantId, userId, isAdmin } = viewerOf(caller);
  return { tenantId, ownerId: isAdmin ? undefined : userId };
};

type Queried = z.output<typeof oversightOperations.exportCallsAsCsv.query>;

const momentOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

export const filterOf = (query: Queried): CallFilter => ({
  from: momentOf(query.start),
  to: momentOf(query.end),
  allowed: query.allowed,
  outcome: query.outcome,
  held: query.held,
  toolName: query.tool_name,
  serverId: query.server_id,
  gatewayId: query.gateway_id,
  sessionId: query.session_id,
  userId: query.user_id,
  principal: query.principal,
});
