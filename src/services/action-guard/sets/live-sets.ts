import type { Database } from '#base/db/database.ts';
import { loadEach } from '#base/db/live-cache.ts';
import { openNotifiedCache } from '#base/db/notified-cache.ts';
import type { Logger } from '#base/log/log.ts';
import { type Counter, countersOf } from '#engine/rules/matching/counters.ts';
import type { ActionRule } from '#engine/actions/types.ts';
import type { UserRoles } from '../approvals/approvers.ts';
import { changedChannel } from '../policies/store.ts';
import type { Policy } from '../policies/policy.ts';
import { forEngine, type Rule } from '../rules/rule.ts';
import type { Templates } from '../templates/templates.ts';
import { membersOf } from './members.ts';
import { type BlockingConfig, builtInSet, builtInSetId, type PolicySetDetail } from './policy-set.ts';
import * as store from './store.ts';

/** A rule that is judged, with the policy that it stands in. */
export interface LiveRule {
  readonly rule: Rule;
  readonly policy: Policy;
}

/** A policy set as evaluation needs it. */
export interface LiveSet {
  readonly policySetId: string;
  readonly name: string;
  readonly blockingConfig: BlockingConfig;
  readonly notifyEmails: readonly string[];
  readonly ownDomains: readonly string[];
  /** Null for the built-in set. */
  readonly ownerId: string | null;
  readonly userRoles: UserRoles;
  readonly createdAt: Date;
  readonly activePolicies: readonly string[];
  /** Of all enabled policies; what the engine is given. */
  readonly rules: readonly ActionRule[];
  /** What its rules count over all sessions. */
  readonly counters: readonly Counter[];
  readonly byRuleId: ReadonlyMap<string, LiveRule>;
  /** Rules of which nothing was understood: they are only compared with calls, and may warn. */
  readonly notUnderstood: readonly LiveRule[];
}

/** Policy sets in memory: read from the database once, then from memory until they or their policies change. */
export interface LiveSets extends AsyncDisposable {
  /** Undefined where there is none, or only one of another tenant; no promise where that is known. */
  find(tenantId: string, policySetId: string): LiveSet | undefined | Promise<LiveSet | undefined>;
  /** The set or one of its policies was written: what is known of it no longer holds. */
  changed(policySetId: string): void;
}

interface Loaded {
  readonly tenantId: string;
  readonly live: LiveSet;
}

/** How long a set is believed should a notification be lost without the connection breaking. */
const ttlMs = 30_000;
/** The same where no notifications arrive. */
const disconnectedTtlMs = 1_000;
const maxSets = 10_000;

interface Deps {
  readonly db: Database;
  readonly log: Logger;
  readonly templates: Templates;
}

export async function openLiveSets(deps: Deps): Promise<LiveSets> {
  const { db, log } = deps;
  const builtIn = liveSet(builtInSet(deps.templates.byDefault));
  const sets = await openNotifiedCache<Loaded>({
    db,
    log,
    channel: changedChannel,
    maxEntries: maxSets,
    ttlMs,
    disconnectedTtlMs,
    load: loadEach(read),
  });

  async function read(setId: string): Promise<Loaded | undefined> {
    const set = await store.findSetOfAny(db, setId);
    if (set === undefined) return undefined;
    const members = membersOf(await store.listMembers(db, setId), deps);
    return { tenantId: set.tenantId, live: liveSet({ ...set, members }) };
  }

  return {
    find(tenantId, policySetId) {
      if (policySetId === builtInSetId) return builtIn;
      const found = (loaded: Loaded | undefined) => (loaded?.tenantId === tenantId ? loaded.live : undefined);
      const known = sets.get(policySetId);
      return known instanceof Promise ? known.then(found) : found(known);
    },
    changed: (policySetId) => sets.forget(policySetId),
    [Symbol.asyncDispose]: () => sets[Symbol.asyncDispose](),
  };
}

function liveSet({
  policySetId,
  name,
  blockingConfig,
  notifyEmails,
  ownDomains,
  ownerId,
  userRoles,
  createdAt,
  members,
}: PolicySetDetail): LiveSet {
  const enabled = members.filter((member) => member.enabled).map(({ policy }) => policy);
  const rules = enabled.flatMap((policy) => policy.rules.map((rule) => ({ rule, policy })));
  return {
    policySetId,
    name,
    blockingConfig,
    notifyEmails,
    ownDomains,
    ownerId,
    userRoles,
    createdAt,
    activePolicies: enabled.map((policy) => policy.name),
    rules: rules.map(({ rule }) => forEngine(rule)),
    counters: countersOf(rules.flatMap(({ rule }) => rule.form ?? [])),
    byRuleId: new Map(rules.map((each) => [each.rule.ruleId, each])),
    notUnderstood: rules.filter(({ rule }) => rule.form === undefined),
  };
}
