/** Reading and writing policies on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import { changeableOrRefused, type OwnerFilter, viewerOf } from '#identity/sharing.ts';
import { readAll, type ReadDraft, type ReadSentence } from '../rules/read-sentence.ts';
import { canonicalOf, confirmed, savedRules, sentencesToRead, upToDate } from '../rules/rule.ts';
import { auditedPolicy } from './audited.ts';
import type { Policy, PolicyFields } from './policy.ts';
import * as store from './store.ts';

export interface PoliciesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** The preset policy of that id. */
  readonly findTemplate: (policyId: string) => Policy | undefined;
  /** Reads sentences of rules when they are saved. */
  readonly readSentence: ReadSentence;
  /** Called with each set that holds a policy, after a write of the policy and before its caller is answered. */
  readonly onChanged: (policySetId: string) => void;
}

export type PolicyChanges = { [K in keyof PolicyFields]?: PolicyFields[K] | undefined };

/** Every method throws AppError 404 for a policy that the caller may not read, and 403 for a change to one that the caller may only read. */
export class Policies {
  readonly #deps: PoliciesDeps;

  constructor(deps: PoliciesDeps) {
    this.#deps = deps;
  }

  async list(
    caller: Caller,
    owner: OwnerFilter,
    page: store.Page,
  ): Promise<{ policies: Policy[]; total: number }> {
    const { policies, total } = await store.listPolicies(this.#deps.db, viewerOf(caller), owner, page);
    return { policies: policies.map(current), total };
  }

  async get(caller: Caller, policyId: string): Promise<Policy> {
    const { findTemplate, db } = this.#deps;
    const preset = findTemplate(policyId);
    if (preset !== undefined) return preset;
    const policy = await store.findPolicy(db, viewerOf(caller), policyId);
    if (policy === undefined) throw notFound(`The policy ${policyId}`);
    return current(policy);
  }

  async create(asking: Asking, { rules, ...fields }: PolicyFields): Promise<Policy> {
    const { caller } = asking;
    const { clock, db, audit } = this.#deps;
    const drafts = await this.#read(rules, []);
    const now = new Date(clock.now());
    const policy = {
      ...fields,
      rules: savedRules(rules, [], { by: caller.userId, at: now, drafts }),
      policyId: newId('pol'),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      createdAt: now,
      updatedAt: now,
    };
    await db.transaction(async (tx) => {
      await store.insertPolicy(tx, policy);
      await audit(auditedPolicy('action_policy_created', asking, { after: policy }), tx);
    });
    return policy;
  }

  /** @throws AppError 403 for a preset. */
  async update(asking: Asking, policyId: string, { rules, ...fields }: PolicyChanges): Promise<Policy> {
    const { caller } = asking;
    const drafts = rules && (await this.#read(rules, (await this.get(caller, policyId)).rules));
    return this.#write(asking, policyId, (before, now) => ({
      ...before,
      ...withoutUndefined(fields),
      ...(rules !== undefined && {
        rules: savedRules(rules, before.rules, { by: caller.userId, at: now, drafts }),
      }),
      updatedAt: now,
    }));
  }

  /**
   * Confirms that the form of a rule is what its sentence means.
   * @param seen the canonical sentence that the caller has read; undefined takes whatever stands there
   * @throws AppError 404 without such a rule, 409 for one that was not understood or whose form is another than was seen.
   */
  async confirmRule(
    asking: Asking,
    policyId: string,
    key: string,
    seen: string | undefined,
  ): Promise<Policy> {
    return this.#write(asking, policyId, (before, at) => {
      const rule = before.rules.find((one) => one.key === key);
      if (rule === undefined) throw notFound(`The rule '${key}' of the policy ${policyId}`);
      if (rule.form === undefined)
        throw conflict(
          'Nothing of the rule was understood, so there is no form to confirm. Write it again, or give it as a form in `rule`.',
        );
      if (seen !== undefined && seen !== canonicalOf(rule))
        throw conflict(`The rule now says: ${canonicalOf(rule)} Read it, and confirm that.`);
      const now = confirmed(rule, { by: asking.caller.userId, at });
      return {
        ...before,
        rules: before.rules.map((one) => (one.key === key ? now : one)),
        updatedAt: at,
      };
    });
  }

  /** Before anything is locked: a language model takes its time. */
  #read(rules: PolicyFields['rules'], before: Policy['rules']): Promise<ReadonlyMap<string, ReadDraft>> {
    return readAll(this.#deps.readSentence, sentencesToRead(rules, before));
  }

  /** One write on a policy, which others wait for. */
  async #write(
    asking: Asking,
    policyId: string,
    change: (before: CurrentPolicy, now: Date) => CurrentPolicy,
  ): Promise<Policy> {
    const { db, clock, audit } = this.#deps;
    this.#refusePreset(policyId);
    const { policy, setIds } = await db.transaction(async (tx) => {
      const before = current(await lockOwn(tx, asking.caller, policyId));
      const after = change(before, new Date(clock.now()));
      await store.updatePolicy(tx, after);
      await audit(auditedPolicy('action_policy_updated', asking, { before, after }), tx);
      return { policy: after, setIds: await store.announceSetsOf(tx, [policyId]) };
    });
    setIds.forEach(this.#deps.onChanged);
    return policy;
  }

  /** @throws AppError 403 for a preset, 409 while sets of other users hold it. */
  async remove(asking: Asking, policyId: string): Promise<void> {
    const { db, clock, audit } = this.#deps;
    this.#refusePreset(policyId);
    const setIds = await db.transaction(async (tx) => {
      const before = current(await lockOwn(tx, asking.caller, policyId));
      const others = await store.countSetsOfOthers(tx, policyId, before.ownerId);
      if (others > 0)
        throw conflict(
          `The policy is held by ${others} policy set${others === 1 ? '' : 's'} of other users, which would lose it unnoticed. Ask them, or an administrator, to detach it first.`,
        );
      await store.deletePolicies(tx, [policyId], new Date(clock.now()));
      await audit(auditedPolicy('action_policy_deleted', asking, { before }), tx);
      return store.announceSetsOf(tx, [policyId]);
    });
    setIds.forEach(this.#deps.onChanged);
  }

  /** @throws AppError 404 that names the first policy that the caller may not attach. */
  async refuseUnattachable(caller: Caller, policyIds: readonly string[]): Promise<void> {
    const { findTemplate, db } = this.#deps;
    const stored = policyIds.filter((id) => findTemplate(id) === undefined);
    if (stored.length === 0) return;
    const found = new Set(await store.findPolicyIds(db, viewerOf(caller), stored));
    const missing = stored.find((id) => !found.has(id));
    if (missing !== undefined) throw notFound(`The policy ${missing}, which 'policy_ids' names,`);
  }

  #refusePreset(policyId: string) {
    if (this.#deps.findTemplate(policyId) !== undefined)
      throw forbidden(
        'This policy is a preset and cannot be changed. Make a policy of your own with its rules.',
      );
  }
}

type CurrentPolicy = Omit<store.StoredPolicy, 'rules'> & Pick<Policy, 'rules'>;

const current = (policy: store.StoredPolicy): CurrentPolicy => ({
  ...policy,
  rules: policy.rules.map(upToDate),
});

/** The policy, locked against other writes until the transaction ends. */
async function lockOwn(tx: Queries, caller: Caller, policyId: string): Promise<store.StoredPolicy> {
  const viewer = viewerOf(caller);
  return changeableOrRefused(viewer, await store.lockPolicy(tx, viewer, policyId), `The policy ${policyId}`);
}

const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
