import type { Database, Queries } from '#base/db/database.ts';
import {
  changeable,
  listed,
  listParams,
  type OwnerFilter,
  type Viewer,
  viewerParams,
  type Visibility,
} from '#identity/sharing.ts';
import type { EngineChoice, FailMode } from './engines.ts';
import type { GroupOverride, Guard, GuardSettings } from './guard.ts';

type Row = {
  guard_uuid: string;
  tenant_id: string;
  owner_id: string;
  name: string;
  description: string | null;
  policy_group_uuids: string[];
  policy_group_overrides: Record<string, GroupOverride>;
  enabled: boolean;
  max_text_length: number | null;
  cache_enabled: boolean | null;
  log_requests: boolean | null;
  overflow: 'truncate' | 'throw';
  redact: GuardSettings['redact'];
  version: number;
  created_at: Date;
  updated_at: Date;
  active_adaptation_id: string | null;
  mode: 'enforce' | 'observe';
  log_text: 'full' | 'hash';
  engine: EngineChoice | null;
  fail_mode: FailMode | null;
  visibility: Visibility;
};

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const fromRow = (row: Row): Guard => ({
  guardUuid: row.guard_uuid,
  tenantId: row.tenant_id,
  ownerId: row.owner_id,
  name: row.name,
  description: row.description,
  policyGroupUuids: row.policy_group_uuids,
  policyGroupOverrides: row.policy_group_overrides,
  enabled: row.enabled,
  visibility: row.visibility,
  settings: {
    maxTextLength: row.max_text_length,
    cacheEnabled: row.cache_enabled,
    logRequests: row.log_requests,
    overflow: row.overflow,
    mode: row.mode,
    logText: row.log_text,
    engine: row.engine,
    failMode: row.fail_mode,
    redact: row.redact,
  },
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  activeAdaptationId: row.active_adaptation_id,
});

const columns = [
  'guard_uuid',
  'tenant_id',
  'owner_id',
  'name',
  'description',
  'policy_group_uuids',
  'policy_group_overrides',
  'enabled',
  'max_text_length',
  'cache_enabled',
  'log_requests',
  'overflow',
  'version',
  'created_at',
  'updated_at',
  'active_adaptation_id',
  'mode',
  'log_text',
  'engine',
  'fail_mode',
  'redact',
  'visibility',
];

const toValues = (guard: Guard): unknown[] => [
  guard.guardUuid,
  guard.tenantId,
  guard.ownerId,
  guard.name,
  guard.description,
  guard.policyGroupUuids,
  guard.policyGroupOverrides,
  guard.enabled,
  guard.settings.maxTextLength,
  guard.settings.cacheEnabled,
  guard.settings.logRequests,
  guard.settings.overflow,
  guard.version,
  guard.createdAt,
  guard.updatedAt,
  guard.activeAdaptationId,
  guard.settings.mode,
  guard.settings.logText,
  guard.settings.engine,
  guard.settings.failMode,
  guard.settings.redact === null ? null : JSON.stringify(guard.settings.redact),
  guard.visibility,
];

const placeholders = columns.map((_, i) => `$${i + 1}`).join(', ');
const changes = columns
  .map((column, i) => `${column} = $${i + 1}`)
  .slice(3)
  .join(', ');

/** Told with the id of a guard that has changed. */
export const changedChannel = 'policy_guard_guards';

export type GuardStore = ReturnType<typeof createGuardStore>;

export function createGuardStore(db: Database) {
  const one = async (where: string, params: readonly unknown[]): Promise<Guard | undefined> => {
    const [row] = await db.query<Row>(`select * from policy_guard.guards where ${where}`, params);
    return row && fromRow(row);
  };
  return {
    /** Of any tenant: whoever asks compares the tenant. */
    findGuard: (guardUuid: string) => one('guard_uuid = $1', [guardUuid]),

    /** Raises the version as part of a write to what belongs to the guard; false where the viewer may not change it. */
    async touchGuard(tx: Queries, viewer: Viewer, guardUuid: string, now: Date): Promise<boolean> {
      const rows = await tx.query(
        `update policy_guard.guards g set version = version + 1, updated_at = $5
         where guard_uuid = $4 and ${changeable('g')} returning 1 as done`,
        [...viewerParams(viewer), guardUuid, now],
      );
      return rows.length > 0;
    },

    /** Newest first. */
    async listGuards(viewer: Viewer, owner: OwnerFilter, { limit, offset }: Page): Promise<Guard[]> {
      const rows = await db.query<Row>(
        `select * from policy_guard.guards g where ${listed('g')}
         order by created_at desc, guard_uuid limit $5 offset $6`,
        [...listParams(viewer, owner), limit, offset],
      );
      return rows.map(fromRow);
    },

    /** The names of guards, those that were deleted too; for ids that we wrote. */
    async listGuardNames(guardUuids: Iterable<string>): Promise<Map<string, string>> {
      const wanted = [...new Set(guardUuids)];
      if (wanted.length === 0) return new Map();
      const rows = await db.query<{ id: string; name: string }>(
        `select guard_uuid as id, name from policy_guard.guards where guard_uuid = any($1)
         union all
         select id, name from policy_guard.former_names where id = any($1)`,
        [wanted],
      );
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    /**
     * The guard that a name stands for when it is no guard's UUID: the owner's oldest enabled one of that name, else
     * that of `otherwise` where it is of the tenant, else the owner's oldest enabled one.
     */
    async findNamedGuard(
      { tenantId, userId }: Pick<Viewer, 'tenantId' | 'userId'>,
      name: string,
      otherwise: string | undefined,
    ): Promise<string | undefined> {
      const [row] = await db.query<{ guard_uuid: string }>(
        `select guard_uuid from policy_guard.guards
         where tenant_id = $1 and (guard_uuid = $4 or owner_id = $2 and enabled)
         order by owner_id = $2 and enabled and name = $3 desc, guard_uuid is not distinct from $4 desc,
           created_at, guard_uuid
         limit 1`,
        [tenantId, userId, name, otherwise ?? null],
      );
      return row?.guard_uuid;
    },

    async countGuards(viewer: Viewer, owner: OwnerFilter): Promise<number> {
      const [row] = await db.query<{ total: number }>(
        `select count(*) as total from policy_guard.guards g where ${listed('g')}`,
        listParams(viewer, owner),
      );
      return row?.total ?? 0;
    },

    /** @param before in the same transaction; the guard is not written where it throws. */
    insertGuard: (guard: Guard, before: (tx: Queries) => Promise<void>): Promise<void> =>
      db.transaction(async (tx) => {
        await before(tx);
        await tx.query(
          `insert into policy_guard.guards (${columns.join(', ')}) values (${placeholders})`,
          toValues(guard),
        );
      }),

    /**
     * Writes the guard over the version before it; false when another write came between.
     * @param before as with insertGuard
     */
    replaceGuard: (guard: Guard, before: (tx: Queries) => Promise<void>): Promise<boolean> =>
      db.transaction(async (tx) => {
        await before(tx);
        const rows = await tx.query(
          `update policy_guard.guards set ${changes}
           where guard_uuid = $1 and tenant_id = $2 and owner_id = $3 and version = $13 - 1 returning 1 as done`,
          toValues(guard),
        );
        return rows.length > 0;
      }),

    /** Its name is kept: log and counts outlive it. */
    async deleteGuard(guardUuid: string, at: Date): Promise<void> {
      await db.query(
        `with gone as (delete from policy_guard.guards where guard_uuid = $1 returning guard_uuid, tenant_id, name)
         insert into policy_guard.former_names (id, tenant_id, name, deleted_at)
           select guard_uuid, tenant_id, name, $2::timestamptz from gone on conflict do nothing`,
        [guardUuid, at],
      );
    },

    /** The tenant's guards that judge by the group. */
    async listGuardsUsing(
      tx: Queries,
      tenantId: string,
      groupUuid: string,
    ): Promise<{ name: string; ownerId: string }[]> {
      const rows = await tx.query<{ name: string; owner_id: string }>(
        `select name, owner_id from policy_guard.guards where tenant_id = $1 and $2 = any(policy_group_uuids)
         order by name`,
        [tenantId, groupUuid],
      );
      return rows.map(({ name, owner_id: ownerId }) => ({ name, ownerId }));
    },
  };
}
