import type { Queries } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import { administersAll, requirePermission, tenantFor } from '../access.ts';
import type { Caller } from '../caller.ts';
import type { auditOperations } from '../contract/audit.ts';
import type { UserNames } from '../users/user-names.ts';
import { asCsv, asLines, exportEvents, viewEvent } from './export.ts';
import { type AuditFilter, listAuditEvents } from './store.ts';

const momentOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

interface Asked {
  readonly tenant_id?: string | undefined;
  readonly event?: string | undefined;
  readonly user_id?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

export function auditHandlers(deps: {
  readonly db: Queries;
  readonly userNames: UserNames;
}): Handlers<typeof auditOperations, Caller> {
  const { db, userNames } = deps;
  async function filterOf(caller: Caller, query: Asked): Promise<Omit<AuditFilter, 'before' | 'limit'>> {
    requirePermission(caller, 'users:manage');
    const tenantId = await tenantFor(db, caller, query.tenant_id);
    return {
      tenantId,
      withUnknown: administersAll(caller) && tenantId === caller.tenantId,
      event: query.event,
      userId: query.user_id,
      from: momentOf(query.start),
      to: momentOf(query.end),
    };
  }
  return {
    listAuditEvents: async ({ caller, query }) => {
      const { before, limit } = query;
      const entries = await listAuditEvents(db, { ...(await filterOf(caller, query)), before, limit });
      const nameOf = await userNames(entries.map(({ userId }) => userId));
      return { events: entries.map((entry) => viewEvent(entry, nameOf)) };
    },
    exportAuditEventsAsCsv: async ({ caller, query }) =>
      exportEvents(deps, await filterOf(caller, query), asCsv),
    exportAuditEventsAsLines: async ({ caller, query }) =>
      exportEvents(deps, await filterOf(caller, query), asLines),
  };
}
