import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError, conflict, invalid } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, type OwnerFilter, readableOr404, viewerOf } from '#identity/sharing.ts';
import { needs, type EngineChoice } from './engines.ts';
import type { Guard, GuardContent, GuardSettings } from './guard.ts';
import * as store from './store.ts';

/** The fields of a guard that were sent; settings are given one by one. */
export type GuardChanges = Partial<Omit<GuardContent, 'settings'>> & { settings?: Partial<GuardSettings> };

export interface GuardsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** Which of the policy groups the caller may attach. */
  readonly attachable: (caller: Caller, groupUuids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Prevents groups from being deleted until the transaction ends; returns the first that is already deleted. */
  readonly holdGroups: (tx: Queries, groupUuids: readonly string[]) => Promise<string | undefined>;
  /** Ways of judging that this deployment has. */
  readonly engines: readonly EngineChoice[];
  /** Called after a write, before the response is sent. */
  readonly changed: (guardUuid: string) => Promise<void>;
}

const blank: GuardContent = {
  name: '',
  description: null,
  policyGroupUuids: [],
  policyGroupOverrides: {},
  enabled: true,
  visibility: 'private',
  settings: {
    maxTextLength: null,
    cacheEnabled: null,
    logRequests: null,
    overflow: 'truncate',
    mode: 'enforce',
    logText: 'full',
    engine: null,
    failMode: null,
    redact: null,
  },
};

/**
 * The content with the changes made. Overrides of groups that are no longer attached leave with them.
 * @throws AppError 422 when an override that was sent names a group that is not attached.
 */
function withChanges(content: GuardContent, changes: GuardChanges): GuardContent {
  const policyGroupUuids = [...new Set(changes.policyGroupUuids ?? content.policyGroupUuids)];
  const stray = Object.keys(changes.policyGroupOverrides ?? {}).find(
    (groupUuid) => !policyGroupUuids.includes(groupUuid),
  );
  if (stray !== undefined)
    throw invalid(
      `'policy_group_overrides' names the group ${stray}, which 'policy_group_uuids' does not attach. Attach it, or leave the override out.`,
    );
  const overrides = changes.policyGroupOverrides ?? content.policyGroupOverrides;
  return {
    ...content,
    ...changes,
    policyGroupUuids,
    policyGroupOverrides: Object.fromEntries(
      Object.entries(overrides).filter(([groupUuid]) => policyGroupUuids.includes(groupUuid)),
    ),
    settings: { ...content.settings, ...changes.settings },
  };
}

/** What the audit trail compares. */
const auditedFields = (guard: GuardContent) => ({
  name: guard.name,
  description: guard.description,
  policyGroupUuids: guard.policyGroupUuids,
  policyGroupOverrides: guard.policyGroupOverrides,
  enabled: guard.enabled,
  visibility: guard.visibility,
  ...guard.settings,
});

const notAttachable = (groupUuid: string) =>
  new AppError(
    404,
    'not_found',
    `'policy_group_uuids' names the group ${groupUuid}, which was not found. GET /api/policy_groups lists those that can be attached.`,
  );

/**
 * The rules of making and changing guards. Every method throws AppError 404 for a guard that the caller may not read, and
 * 403 for a change of one that is only shared with them.
 */
export class Guards {
  readonly #deps: GuardsDeps;

  constructor(deps: GuardsDeps) {
    this.#deps = deps;
  }

  #refuseMissingEngine(engine: EngineChoice | null | undefined): void {
    if (engine === undefined || engine === null || this.#deps.engines.includes(engine)) return;
    throw invalid(
      `'settings.engine' is ${engine}, which needs ${needs[engine]}. This deployment has ${this.#deps.engines.join(', ')}.`,
    );
  }

  async #refuseUnattachable(caller: Caller, groupUuids: readonly string[]): Promise<void> {
    if (groupUuids.length === 0) return;
    const allowed = await this.#deps.attachable(caller, groupUuids);
    const refused = groupUuids.find((groupUuid) => !allowed.has(groupUuid));
    if (refused !== undefined) throw notAttachable(refused);
  }

  /** Otherwise a group deleted while it is being attached would leave a guard with fewer groups than it lists. */
  async #hold(tx: Queries, groupUuids: readonly string[]) {
    const gone = await this.#deps.holdGroups(tx, groupUuids);
    if (gone !== undefined) throw notAttachable(gone);
  }

  async get(caller: Caller, guardUuid: string): Promise<Guard> {
    return readableOr404(viewerOf(caller), await store.findGuard(this.#deps.db, guardUuid), 'The guard');
  }

  /** One that the caller may change. */
  async getOwn(caller: Caller, guardUuid: string): Promise<Guard> {
    return changeableOrRefused(
      viewerOf(caller),
      await store.findGuard(this.#deps.db, guardUuid),
      'The guard',
    );
  }

  async #tryUpdate(asking: Asking, guardUuid: string, changes: GuardChanges): Promise<Guard | undefined> {
    const { caller } = asking;
    const before = await this.getOwn(caller, guardUuid);
    this.#refuseMissingEngine(changes.settings?.engine);
    const content = withChanges(before, changes);
    // Groups that are already attached are not checked again: they may have been deleted or unshared since.
    const added = content.policyGroupUuids.filter((each) => !before.policyGroupUuids.includes(each));
    await this.#refuseUnattachable(caller, added);
    const after = {
      ...before,
      ...content,
      version: before.version + 1,
      updatedAt: new Date(this.#deps.clock.now()),
    };
    const replaced = await this.#deps.db.transaction(async (tx) => {
      await this.#hold(tx, added);
      const isReplaced = await store.replaceGuard(tx, after);
      if (isReplaced) await this.#record('guard_updated', asking, { before, after }, tx);
      return isReplaced;
    });
    return replaced ? after : undefined;
  }

  async list(
    caller: Caller,
    owner: OwnerFilter,
    page: store.Page,
  ): Promise<{ guards: Guard[]; total: number }> {
    const viewer = viewerOf(caller);
    const [guards, total] = await Promise.all([
      store.listGuards(this.#deps.db, viewer, owner, page),
      store.countGuards(this.#deps.db, viewer, owner),
    ]);
    return { guards, total };
  }

  async create(asking: Asking, changes: GuardChanges): Promise<Guard> {
    const { caller } = asking;
    this.#refuseMissingEngine(changes.settings?.engine);
    const content = withChanges(blank, changes);
    await this.#refuseUnattachable(caller, content.policyGroupUuids);
    const now = new Date(this.#deps.clock.now());
    const guard: Guard = {
      ...content,
      guardUuid: newId('gd'),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      version: 1,
      activeAdaptationId: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.#deps.db.transaction(async (tx) => {
      await this.#hold(tx, guard.policyGroupUuids);
      await store.insertGuard(tx, guard);
      await this.#record('guard_created', asking, { after: guard }, tx);
    });
    return guard;
  }

  async update(asking: Asking, guardUuid: string, changes: GuardChanges): Promise<Guard> {
    // Optimistic locking: after a concurrent write the changes are applied again to its result.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const guard = await this.#tryUpdate(asking, guardUuid, changes);
      if (guard === undefined) continue;
      await this.#deps.changed(guardUuid);
      return guard;
    }
    throw conflict('The guard is being changed by others at this moment. Send the request again.');
  }

  async remove(asking: Asking, guardUuid: string): Promise<void> {
    const before = await this.getOwn(asking.caller, guardUuid);
    await this.#deps.db.transaction(async (tx) => {
      if (await store.deleteGuard(tx, guardUuid, new Date(this.#deps.clock.now())))
        await this.#record('guard_deleted', asking, { before }, tx);
    });
    await this.#deps.changed(guardUuid);
  }

  async #record(
    event: `guard_${'created' | 'updated' | 'deleted'}`,
    asking: Asking,
    { before, after }: { readonly before?: Guard; readonly after?: Guard },
    tx: Queries,
  ): Promise<void> {
    const guard = after ?? before;
    if (guard === undefined) return;
    const changes = changesBetween(before && auditedFields(before), after && auditedFields(after));
    const details = { id: guard.guardUuid, name: guard.name, version: guard.version, changes };
    await this.#deps.audit({ event, ...asking, details }, tx);
  }
}
