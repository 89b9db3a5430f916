/** Reading and writing policy groups on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import type { PolicyExemplars } from '../exemplars/exemplars.ts';
import { announceChange } from '../policies/changes.ts';
import type { ShippedTemplates } from '../templates/shipped-templates.ts';
import {
  type Change,
  type GroupContent,
  type HistoryEntry,
  type Policy,
  type PolicyGroup,
  restored,
  type Snapshot,
} from '../policies/policy-group.ts';
import { auditedChange, auditedDeletion } from './audited.ts';
import { findHistoryEntry, insertHistory, listHistory, type Page } from './history-store.ts';
import * as store from './store.ts';

/** A guard that has a group attached. */
export interface AttachedGuard {
  readonly name: string;
  readonly ownerId: string;
}

export interface GroupsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly engine: Pick<TextEngine, 'compile' | 'version'>;
  readonly shipped: ShippedTemplates;
  readonly exemplars: Pick<PolicyExemplars, 'noteSaved' | 'write'>;
  /** The guards of a tenant that have the group attached; while there are any, it cannot be deleted. */
  readonly guardsUsing: (
    tx: Queries,
    tenantId: string,
    groupUuid: string,
  ) => Promise<readonly AttachedGuard[]>;
  /** Takes part in the transaction that deletes a group. */
  readonly removing: (tx: Queries, groupUuid: string) => Promise<void>;
  /** Called after each committed write, before the response is sent. */
  readonly onChanged: (groupUuid: string) => void;
}

/** Reading and writing policy groups; every method throws AppError 404 for a group that the caller may not read. */
export class Groups {
  readonly #deps: GroupsDeps;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
  }

  async #find(caller: Caller, groupUuid: string): Promise<PolicyGroup | undefined> {
    if (!isUuid(groupUuid)) return undefined;
    return (
      this.#deps.shipped.find(groupUuid) ??
      store.findReadableGroup(this.#deps.db, viewerOf(caller), groupUuid)
    );
  }
  async get(caller: Caller, groupUuid: string): Promise<PolicyGroup> {
    const group = await this.#find(caller, groupUuid);
    if (group === undefined) throw notFound('The policy group');
    return group;
  }

  async create({ caller, request }: Asking, change: Change): Promise<PolicyGroup> {
    const now = new Date(this.#deps.clock.now());
    const group = {
      ...change.content,
      groupUuid: newUuid(now.getTime()),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const compiled = compileAll(this.#deps.engine, group.policies);
    const unwritten = await this.#deps.db.transaction(async (tx) => {
      await store.insertGroup(tx, group);
      await store.savePolicies(tx, group, compiled);
      await store.copyTunings(tx, group);
      await insertHistory(tx, group.groupUuid, entryOf(group, change, caller));
      await this.#deps.audit({ ...auditedChange(change, undefined, group), caller, request }, tx);
      return this.#deps.exemplars.noteSaved(tx, caller.tenantId, group.policies);
    });
    this.#deps.onChanged(group.groupUuid);
    this.#deps.exemplars.write(unwritten);
    return group;
  }

  /**
   * Writes take turns on one group, so that each builds on the one before it and versions are unique.
   * @param alongside what else is written if, and only if, the change is
   */
  async change<C extends Change>(
    { caller, request }: Asking,
    groupUuid: string,
    decide: (before: GroupContent) => C,
    alongside?: (tx: Queries, group: PolicyGroup) => Promise<void>,
  ): Promise<{ group: PolicyGroup; change: C }> {
    const { unwritten, ...result } = await this.#deps.db.transaction(async (tx) => {
      const before = await lockOwn(tx, caller, groupUuid, this.#deps.shipped);
      const decided = decide(before);
      const group = {
        ...before,
        ...decided.content,
        version: before.version + 1,
        updatedAt: new Date(this.#deps.clock.now()),
      };
      const known = new Set(before.policies);
      const changed = group.policies.filter((policy) => !known.has(policy));
      await store.updateGroup(tx, group);
      if (group.policies !== before.policies)
        await store.savePolicies(tx, group, compileAll(this.#deps.engine, changed));
      await insertHistory(tx, group.groupUuid, entryOf(group, decided, caller));
      await this.#deps.audit({ ...auditedChange(decided, before, group), caller, request }, tx);
      await alongside?.(tx, group);
      await announceChange(tx, group.groupUuid);
      const toWrite = await this.#deps.exemplars.noteSaved(tx, caller.tenantId, changed);
      return { group, change: decided, unwritten: toWrite };
    });
    this.#deps.onChanged(result.group.groupUuid);
    this.#deps.exemplars.write(unwritten);
    return result;
  }

  /** @throws AppError 404 for a group that the caller may not read, 403 for one that it may only read. */
  async own(caller: Caller, groupUuid: string): Promise<PolicyGroup> {
    const group = await this.get(caller, groupUuid);
    refuseForeign(group, caller);
    return group;
  }

  /** @throws AppError 404 where the group has no such version. */
  async restore(asking: Asking, groupUuid: string, version: number): Promise<PolicyGroup> {
    const own = await this.own(asking.caller, groupUuid);
    const entry = await findHistoryEntry(this.#deps.db, own.groupUuid, version);
    if (entry === undefined) throw notFound(`Version ${version} of the policy group`);
    return (await this.change(asking, groupUuid, (before) => restored(before, entry))).group;
  }

  /** Own groups, then those of others, then those that ship with the product. */
  async list(caller: Caller, page: store.Page, listed: store.Listed) {
    const { groups, total } = await store.listGroups(this.#deps.db, viewerOf(caller), { ...page, listed });
    const rest = this.#deps.shipped.all.slice(
      Math.max(0, page.offset - total),
      Math.max(0, page.offset + page.limit - total),
    );
    return { groups: [...groups, ...rest], total: total + this.#deps.shipped.all.length };
  }

  /** @throws AppError 409 while a guard uses it. */
  async remove({ caller, request }: Asking, groupUuid: string): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      const group = await lockOwn(tx, caller, groupUuid, this.#deps.shipped);
      // After locking: a guard that attaches the group concurrently has either done so, or finds it deleted.
      const guards = await this.#deps.guardsUsing(tx, caller.tenantId, group.groupUuid);
      if (guards.length > 0) throw conflict(describeUse(guards, caller));
      await this.#deps.removing(tx, group.groupUuid);
      await store.deleteGroup(tx, group.groupUuid, new Date(this.#deps.clock.now()));
      await this.#deps.audit({ ...auditedDeletion(group), caller, request }, tx);
      await announceChange(tx, group.groupUuid);
    });
    this.#deps.onChanged(groupUuid.toLowerCase());
  }

  async history(
    caller: Caller,
    groupUuid: string,
    page: Page,
  ): Promise<{ entries: HistoryEntry[]; total: number }> {
    const group = await this.get(caller, groupUuid);
    if (group.ownerId === null) return { entries: page.offset === 0 ? [shippedEntry(group)] : [], total: 1 };
    if (!isChangeable(group, caller))
      throw forbidden('The history of a shared policy group is for its owner and for administrators.');
    return listHistory(this.#deps.db, group.groupUuid, page);
  }

  /** Which of the groups the caller may attach to a guard: those that it may read. */
  async attachable(caller: Caller, groupUuids: readonly string[]): Promise<Set<string>> {
    const wanted = groupUuids.filter(isUuid);
    const stored = wanted.filter((uuid) => this.#deps.shipped.find(uuid) === undefined);
    const found = new Set(
      stored.length === 0 ? [] : await store.findReadableUuids(this.#deps.db, viewerOf(caller), stored),
    );
    return new Set(wanted.filter((uuid) => this.#deps.shipped.find(uuid) ?? found.has(uuid.toLowerCase())));
  }

  /** Names of the tenant's groups, readable by the caller or not, including templates and deleted groups. */
  async names(tenantId: string, groupUuids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(groupUuids)].filter(isUuid);
    const stored = wanted.filter((uuid) => this.#deps.shipped.find(uuid) === undefined);
    const rows = stored.length === 0 ? [] : await store.listGroupNames(this.#deps.db, tenantId, stored);
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    for (const uuid of wanted) {
      const group = this.#deps.shipped.find(uuid);
      if (group !== undefined) names.set(uuid, group.name);
    }
    return names;
  }

  /** Prevents groups from being deleted until the transaction ends; returns the first that is already deleted. */
  async hold(tx: Queries, groupUuids: readonly string[]): Promise<string | undefined> {
    const stored = groupUuids.filter((uuid) => this.#deps.shipped.find(uuid) === undefined);
    if (stored.length === 0) return undefined;
    const held = new Set(await store.holdGroups(tx, stored));
    return stored.find((uuid) => !held.has(uuid));
  }
}

/** @throws AppError 404 for a group that the caller may not read, 403 for one that it may only read. */
async function lockOwn(tx: Queries, caller: Caller, groupUuid: string, shipped: ShippedTemplates) {
  if (!isUuid(groupUuid)) throw notFound('The policy group');
  const group = shipped.find(groupUuid) ?? (await store.lockReadableGroup(tx, viewerOf(caller), groupUuid));
  if (group === undefined) throw notFound('The policy group');
  refuseForeign(group, caller);
  return group;
}

/** Whether the caller may change a group that they may read. */
const isChangeable = ({ tenantId, ownerId }: PolicyGroup, caller: Caller): boolean =>
  tenantId !== null && ownerId !== null && mayChange(viewerOf(caller), { tenantId, ownerId });

function refuseForeign(group: PolicyGroup, caller: Caller): void {
  if (group.ownerId === null)
    throw forbidden(
      'This policy group ships with the product and cannot be changed. Copy it and change the copy.',
    );
  if (!isChangeable(group, caller))
    throw forbidden(
      'This policy group belongs to another user: only they and administrators change it. Copy it and change the copy.',
    );
}

/** Each policy with what the engine makes of it. */
const compileAll = (engine: Pick<TextEngine, 'compile'>, policies: readonly Policy[]): store.CompiledRow[] =>
  policies.map((policy) => ({ policy, compiled: engine.compile(policy) }));

const contentOf = ({ name, description, threshold, strictnessLevel, isTemplate, policies }: Snapshot) => ({
  name,
  description,
  threshold,
  strictnessLevel,
  isTemplate,
  policies,
});

const entryOf = (group: PolicyGroup, { action, summary }: Change, caller: Caller) => ({
  version: group.version,
  action,
  changedBy: caller.userId,
  changedAt: group.updatedAt,
  summary,
  snapshot: contentOf(group),
});

const shippedEntry = (group: PolicyGroup): HistoryEntry => ({
  version: group.version,
  action: 'created',
  changedBy: null,
  changedAt: group.createdAt,
  summary: 'Shipped with the product.',
  snapshot: contentOf(group),
});

/** Names the caller's own guards, and those of others to administrators; else only how many there are. */
function describeUse(guards: readonly AttachedGuard[], caller: Caller): string {
  const own = guards.filter(({ ownerId }) => ownerId === caller.userId);
  const others = guards.length - own.length;
  const ofOthers = viewerOf(caller).isAdmin
    ? ` (${named(guards.filter((guard) => !own.includes(guard)))})`
    : '';
  const who = [
    ...(own.length > 0 ? [`your guard${own.length === 1 ? '' : 's'} ${named(own)}`] : []),
    ...(others > 0 ? [`${others} guard${others === 1 ? '' : 's'} of other users${ofOthers}`] : []),
  ].join(' and ');
  return `The policy group is used by ${who}. Detach it there first, then delete it.`;
}

const named = (guards: readonly AttachedGuard[]): string =>
  guards
    .slice(0, 5)
    .map(({ name }) => `"${name}"`)
    .join(', ') + (guards.length > 5 ? ` and ${guards.length - 5} more` : '');
