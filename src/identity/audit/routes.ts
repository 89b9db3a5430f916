import { toIsoTime } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import { administersAll, requirePermission, tenantFor } from '../access.ts';
import type { Caller } from '../caller.ts';
import type { auditOperations } from '../contract/audit.ts';
import type { UserNames } from '../users/user-names.ts';
import { listAuditEvents } from './store.ts';

const momentOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

export const auditHandlers = ({
  db,
  userNames,
}: {
  db: Queries;
  userNames: UserNames;
}): Handlers<typeof auditOperations, Caller> => ({
  listAuditEvents: async ({ caller, query }) => {
    requirePermission(caller, 'users:manage');
    const tenantId = await tenantFor(db, caller, query.tenant_id);
    const entries = await listAuditEvents(db, {
      tenantId,
      withUnknown: administersAll(caller) && tenantId === caller.tenantId,
      event: query.event,
      userId: query.user_id,
      from: momentOf(query.start),
      to: momentOf(query.end),
      before: query.before,
      limit: query.limit,
    });
    const nameOf = await userNames(entries.map(({ userId }) => userId));
    return {
      events: entries.map(({ id, at, event, userId, address, requestId, details }) => ({
        id,
        at: toIsoTime(at),
        event,
        user_id: userId,
        user_name: nameOf(userId),
        address,
        request_id: requestId,
        details,
      })),
    };
  },
});
