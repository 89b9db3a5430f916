/** Reading and writing policy sets on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import {
  changeableOrRefused,
  mayChange,
  type OwnerFilter,
  viewerOf,
  type Visibility,
} from '#identity/sharing.ts';
import type { UserRoles } from '../approvals/approvers.ts';
import { maxMembers } from '../contract/sets.ts';
import type { Policies } from '../policies/policies.ts';
import { announceSet, announceSetsOf, deletePolicies, type Page } from '../policies/store.ts';
import type { Templates } from '../templates/templates.ts';
import { auditedSet, type AuditedSet } from './audited.ts';
import type { RefuseUsed } from './gateways-of-set.ts';
import { membersOf } from './members.ts';
import {
  type BlockingConfig,
  builtInSet,
  builtInSetId,
  type PolicySet,
  type PolicySetDetail,
} from './policy-set.ts';
import * as store from './store.ts';

export interface SetsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly templates: Templates;
  readonly policies: Pick<Policies, 'refuseUnattachable'>;
  /** Called after each committed write, before its caller is answered. */
  readonly onChanged: (id: string) => void;
  readonly refuseUsed: RefuseUsed;
}

export interface SetFields {
  readonly name: string;
  readonly blockingConfig: BlockingConfig;
  readonly notifyEmails: readonly string[];
  readonly ownDomains: readonly string[];
  readonly userRoles: UserRoles;
  readonly visibility: Visibility;
}

export interface SetChanges {
  readonly name?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Merged into what the set says; a null goes back to the default. */
  readonly blockingConfig?: { readonly [K in keyof BlockingConfig]: BlockingConfig[K] | null } | undefined;
  readonly notifyEmails?: readonly string[] | undefined;
  readonly ownDomains?: readonly string[] | undefined;
  readonly userRoles?: UserRoles | undefined;
  /** Policy id → whether it is judged. */
  readonly enabled?: Readonly<Record<string, boolean>> | undefined;
}

export type CountedSet = PolicySet & { readonly policyCount: number };

/**
 * Every method throws AppError 404 for a set that the caller may not read, and 403 for a change to the built-in set or to
 * one that is only shared with the caller.
 */
export class Sets {
  readonly #deps: SetsDeps;
  readonly #builtIn;

  constructor(deps: SetsDeps) {
    this.#deps = deps;
    this.#builtIn = builtInSet(deps.templates.byDefault);
  }

  async list(caller: Caller, owner: OwnerFilter, page: Page): Promise<{ sets: CountedSet[]; total: number }> {
    const { templates, db } = this.#deps;
    const presetIds = templates.all.map(({ policyId }) => policyId);
    const { sets, total } = await store.listSets(db, { viewer: viewerOf(caller), owner, presetIds }, page);
    const last = page.offset <= total && page.offset + page.limit > total;
    const own = last ? [{ ...this.#builtIn, policyCount: this.#builtIn.members.length }] : [];
    return { sets: [...sets, ...own], total: total + 1 };
  }

  async get(caller: Caller, setId: string): Promise<PolicySetDetail> {
    const { db } = this.#deps;
    if (setId === builtInSetId) return this.#builtIn;
    const set = await store.findSet(db, viewerOf(caller), setId);
    if (set === undefined) throw notFound(`The policy set ${setId}`);
    return this.#detail(db, set);
  }

  /** The names of sets, deleted ones included; for ids that this service wrote. */
  async names(setIds: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const names = await store.listSetNames(this.#deps.db, [...new Set(setIds)]);
    return names.set(builtInSetId, this.#builtIn.name);
  }

  async create(asking: Asking, fields: SetFields, policyIds: readonly string[]): Promise<CountedSet> {
    const { caller } = asking;
    const { policies, clock, db, audit } = this.#deps;
    const wanted = [...new Set(policyIds)];
    await policies.refuseUnattachable(caller, wanted);
    const now = new Date(clock.now());
    const set = {
      ...fields,
      policySetId: newId('agp'),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      createdAt: now,
      updatedAt: now,
    };
    await db.transaction(async (tx) => {
      await store.insertSet(tx, set);
      await store.insertMembers(tx, set.policySetId, wanted);
      const after = await this.#audited(tx, set);
      await audit(auditedSet('policy_set_created', asking, { after }), tx);
    });
    return { ...set, policyCount: wanted.length };
  }

  update(asking: Asking, setId: string, changes: SetChanges): Promise<PolicySetDetail> {
    return this.#write(asking, setId, async (tx, set) => {
      const before = await this.#audited(tx, set);
      const enabled = changes.enabled ?? {};
      const held = new Set(before.members.map(({ policyId }) => policyId));
      const stray = Object.keys(enabled).find((policyId) => !held.has(policyId));
      if (stray !== undefined)
        throw notFound(`The policy ${stray}, which 'policies' names, is not attached to the set; it`);
      const after = {
        ...set,
        name: changes.name ?? set.name,
        notifyEmails: changes.notifyEmails ?? set.notifyEmails,
        ownDomains: changes.ownDomains ?? set.ownDomains,
        userRoles: changes.userRoles ?? set.userRoles,
        visibility: changes.visibility ?? set.visibility,
        blockingConfig: mergedConfig(set.blockingConfig, changes.blockingConfig),
        updatedAt: new Date(this.#deps.clock.now()),
      };
      await store.updateSet(tx, after);
      await store.enableMembers(tx, setId, enabled);
      await this.#record('policy_set_updated', asking, { before, set: after }, tx);
      return this.#detail(tx, after);
    });
  }

  /** Whether calls of the tenant can be judged by it. */
  async exists({ tenantId }: Pick<Caller, 'tenantId'>, setId: string): Promise<boolean> {
    if (setId === builtInSetId) return true;
    return (await store.findSetOfAny(this.#deps.db, setId))?.tenantId === tenantId;
  }

  /** Answers the policies that went with it. @throws AppError 409 while a gateway uses it */
  async remove(asking: Asking, setId: string): Promise<string[]> {
    const { caller } = asking;
    const { ownerId, tenantId } = await this.get(caller, setId);
    if (ownerId !== null && mayChange(viewerOf(caller), { ownerId, tenantId }))
      await this.#deps.refuseUsed(caller, setId);
    const { policyIds, others } = await this.#write(asking, setId, async (tx, set) => {
      const now = new Date(this.#deps.clock.now());
      const before = await this.#audited(tx, set);
      const held = await store.listMembersToDelete(tx, viewerOf(asking.caller), set);
      await deletePolicies(tx, held, now);
      await store.deleteSet(tx, setId, now);
      const gone = before.members.filter(({ policyId }) => held.includes(policyId));
      const more = { deleted_policies: gone.map(({ name }) => name) };
      await this.#deps.audit(auditedSet('policy_set_deleted', asking, { before, more }), tx);
      return { policyIds: held, others: await announceSetsOf(tx, held) };
    });
    others.forEach(this.#deps.onChanged);
    return policyIds;
  }

  /** @throws AppError 404 for a policy that the caller may not attach, 409 when the set would hold too many. */
  async attach(asking: Asking, setId: string, policyIds: readonly string[]): Promise<string[]> {
    const { policies, clock } = this.#deps;
    const wanted = [...new Set(policyIds)];
    await policies.refuseUnattachable(asking.caller, wanted);
    return this.#write(asking, setId, async (tx, set) => {
      const before = await this.#audited(tx, set);
      const added = await store.insertMembers(tx, setId, wanted);
      const members = await store.listMembers(tx, setId);
      if (members.length > maxMembers)
        throw conflict(`A policy set holds at most ${maxMembers} policies. Detach some first.`);
      await store.updateSet(tx, { ...set, updatedAt: new Date(clock.now()) });
      await this.#record('policy_set_policies_attached', asking, { before, set }, tx);
      return added;
    });
  }

  detach(asking: Asking, setId: string, policyId: string): Promise<void> {
    return this.#write(asking, setId, async (tx, set) => {
      const before = await this.#audited(tx, set);
      if (!(await store.deleteMember(tx, setId, policyId)))
        throw notFound(`The policy ${policyId} is not attached to the set; it`);
      await store.updateSet(tx, { ...set, updatedAt: new Date(this.#deps.clock.now()) });
      await this.#record('policy_set_policy_detached', asking, { before, set }, tx);
    });
  }

  async #detail(queries: Queries, set: store.StoredSet): Promise<PolicySetDetail> {
    return {
      ...set,
      members: membersOf(await store.listMembers(queries, set.policySetId), this.#deps),
    };
  }

  /** The set with the names of its policies, as it is now. */
  async #audited(tx: Queries, set: store.StoredSet): Promise<AuditedSet> {
    const members = (await store.listMembers(tx, set.policySetId)).map(({ policyId, enabled, policy }) => {
      const { name = policyId } = policy ?? this.#deps.templates.find(policyId) ?? {};
      return { policyId, enabled, name };
    });
    return { set, members };
  }

  /** Of a set that stays, once it is written. */
  async #record(
    event: Exclude<Parameters<typeof auditedSet>[0], `${string}_deleted`>,
    asking: Asking,
    { before, set }: { readonly before: AuditedSet; readonly set: store.StoredSet },
    tx: Queries,
  ): Promise<void> {
    const after = await this.#audited(tx, set);
    await this.#deps.audit(auditedSet(event, asking, { before, after }), tx);
  }

  /** One write on a set, which others wait for. */
  async #write<T>(
    { caller }: Asking,
    setId: string,
    run: (tx: Queries, set: store.StoredSet) => Promise<T>,
  ): Promise<T> {
    if (setId === builtInSetId)
      throw forbidden(
        'The built-in set cannot be changed. Make a set of your own: POST /api/v1/policies/sets takes the ids of its presets.',
      );
    const result = await this.#deps.db.transaction(async (tx) => {
      const viewer = viewerOf(caller);
      const found = await store.lockSet(tx, viewer, setId);
      const set = changeableOrRefused(viewer, found, `The policy set ${setId}`);
      const done = await run(tx, set);
      await announceSet(tx, setId);
      return done;
    });
    this.#deps.onChanged(setId);
    return result;
  }
}

function mergedConfig(before: BlockingConfig, changes: SetChanges['blockingConfig']): BlockingConfig {
  const sent = Object.entries(changes ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(sent) }).filter(([, value]) => value !== null),
  );
}
