/** Policy groups in memory, ready for the judge: no query while they are warm. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { isUnavailable } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import { isUuid } from '#base/ids.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { CompiledPolicy } from '#engine/text/types.ts';
import { stacked } from '../heads/layers.ts';
import type { StoredHead } from '../exemplars/exemplar.ts';
import type { PolicyExemplars } from '../exemplars/exemplars.ts';
import type { LiveTunings } from '../tunings/live-tunings.ts';
import { changedChannel } from '../policies/changes.ts';
import type { ShippedTemplates } from '../templates/shipped-templates.ts';
import type { Basis, JudgedGroup } from './judged-group.ts';
import type { PolicyGroup } from '../policies/policy-group.ts';
import { listCompiledGroups, saveRecompiled, type StoredGroup } from './store.ts';

export interface JudgedGroups extends AsyncDisposable {
  get(tenantId: string, groupUuids: readonly string[]): Promise<JudgedGroup[]>;
  /** The group was written: what is known of it no longer holds. */
  forget(groupUuid: string): void;
}

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Pick<TextEngine, 'compile' | 'version'>;
  readonly shipped: ShippedTemplates;
  readonly headOf: PolicyExemplars['headOf'];
  readonly tuningOf: LiveTunings['headOf'];
  readonly log: Logger;
  /** While the database does not answer, a group is as it was read for so long, unless it was heard to have changed. */
  readonly staleMs?: number;
}

/** How long a group is believed without news: other processes tell us of their writes, if we can hear them. */
const listeningTtlMs = 30_000;
const deafTtlMs = 1_000;
const retryListeningMs = 5_000;
/** Of all groups in the cache together: about 100 MB compiled. */
const maxCharacters = 10_000_000;
const maxGroups = 10_000;

interface Entry {
  tenantId: string;
  /** Undefined where there is no such group. */
  group: JudgedGroup | undefined;
  loadedAtMs: number;
  size: number;
}

/** A cache in front of the stored groups, which starts to listen for changes at once. */
export function createJudgedGroups(deps: Deps): JudgedGroups {
  const { db, clock, engine, shipped, log, staleMs = 0 } = deps;
  const shippedReady = new Map(shipped.all.map((group) => [group.groupUuid, judgedShipped(group, engine)]));
  const entries = new LRUCache<string, Entry>({
    max: maxGroups,
    maxSize: maxCharacters,
    sizeCalculation: ({ size }) => size,
  });
  // Rises with each forgotten group: what was read before a write must not enter the cache after it.
  let epoch = 0;

  const forget = (groupUuid: string) => {
    epoch += 1;
    entries.delete(groupUuid);
  };
  const forgetAll = () => {
    epoch += 1;
    entries.clear();
  };
  const ear = createEar(db, log, { onChange: forget, onGap: forgetAll });

  /** Undefined where it must be asked for; null where it is known that the tenant has no such group. */
  const known = (groupUuid: string, tenantId: string): JudgedGroup | null | undefined => {
    const own = shippedReady.get(groupUuid);
    if (own !== undefined) return own;
    const entry = entries.get(groupUuid);
    const ttlMs = ear.listening() ? listeningTtlMs : deafTtlMs;
    if (entry === undefined || clock.now() - entry.loadedAtMs >= ttlMs) return undefined;
    if (entry.tenantId === tenantId) return entry.group ?? null;
    // A group has one tenant; that another tenant has none of that id says nothing about this one.
    return entry.group === undefined ? undefined : null;
  };

  const load = async (tenantId: string, groupUuids: readonly string[]) => {
    const startedAt = { epoch, ms: clock.now() };
    const rows = await listCompiledGroups(db, tenantId, groupUuids);
    const found = new Map(
      rows.map((row) => [row.groupUuid, withHeads(recompiled(row, deps), deps, () => forget(row.groupUuid))]),
    );
    const loaded = new Map<string, JudgedGroup>();
    for (const groupUuid of groupUuids) {
      const row = found.get(groupUuid);
      const group = row && judged(row, row.compiledPolicies, row.bases);
      if (group !== undefined) loaded.set(groupUuid, group);
      const entry = { tenantId, group, loadedAtMs: startedAt.ms, size: row ? sizeOf(row) : 1 };
      if (epoch === startedAt.epoch) entries.set(groupUuid, entry);
    }
    return loaded;
  };

  /** What was read before of all of them, where the database does not answer. */
  const stale = (error: unknown, tenantId: string, groupUuids: readonly string[]) => {
    if (!isUnavailable(error)) throw error;
    const found = new Map<string, JudgedGroup>();
    for (const groupUuid of groupUuids) {
      const entry = entries.get(groupUuid);
      if (entry?.tenantId !== tenantId || clock.now() - entry.loadedAtMs >= staleMs) throw error;
      if (entry.group !== undefined) found.set(groupUuid, entry.group);
    }
    return found;
  };

  return {
    forget,
    async get(tenantId, groupUuids) {
      const wanted = groupUuids.map((groupUuid) => groupUuid.toLowerCase());
      const ready = new Map(wanted.map((groupUuid) => [groupUuid, known(groupUuid, tenantId)]));
      const missing = [...ready.keys()].filter((each) => ready.get(each) === undefined && isUuid(each));
      const loaded =
        missing.length === 0
          ? undefined
          : await load(tenantId, missing).catch((error: unknown) => stale(error, tenantId, missing));
      return wanted
        .map((groupUuid) => ready.get(groupUuid) ?? loaded?.get(groupUuid))
        .filter((group) => group !== undefined);
    },
    async [Symbol.asyncDispose]() {
      await ear[Symbol.asyncDispose]();
    },
  };
}

const judged = (
  group: PolicyGroup,
  compiled: ReadonlyMap<string, CompiledPolicy>,
  bases?: ReadonlyMap<string, Basis>,
): JudgedGroup => ({
  groupUuid: group.groupUuid,
  name: group.name,
  threshold: group.threshold,
  strictnessLevel: group.strictnessLevel,
  version: group.version,
  policies: group.policies.flatMap((source) => {
    const { id, name, enabled } = source;
    const ready = compiled.get(id);
    if (!enabled || ready === undefined) return [];
    const basis = bases?.get(id);
    return [{ id, name, source, compiled: ready, ...(basis !== undefined && { basis }) }];
  }),
});

const judgedShipped = (group: PolicyGroup, engine: Pick<TextEngine, 'compile'>) =>
  judged(group, new Map(group.policies.map((policy) => [policy.id, engine.compile(policy)])));

/** What another version of the engine compiled is compiled again, and kept for the next time. */
function recompiled(row: StoredGroup, { db, engine, log }: Deps) {
  const stale: { id: string; compiled: CompiledPolicy }[] = [];
  const compiledPolicies = new Map<string, CompiledPolicy>();
  for (const policy of row.policies) {
    const kept = row.compiled[policy.id];
    const upToDate = kept?.engineVersion === engine.version;
    const compiled = upToDate ? kept.policy : engine.compile(policy);
    compiledPolicies.set(policy.id, compiled);
    if (!upToDate) stale.push({ id: policy.id, compiled });
  }
  if (stale.length > 0)
    // Nobody waits: the next process to load the group would only compile it once more.
    saveRecompiled(db, row, stale).catch((err: unknown) => {
      log.warn({ err, group_uuid: row.groupUuid }, 'recompiled policies could not be kept');
    });
  return { ...row, compiledPolicies };
}

/**
 * Policies judge by what they learned too, in layers: exemplars upon the text, the lab's tuning upon both. A tuning
 * stands on the exemplars that it was measured with: others, written later, wait until the lab is run again. What
 * has to be learned anew for this engine is used once it is.
 */
function withHeads(
  row: StoredGroup & { compiledPolicies: ReadonlyMap<string, CompiledPolicy> },
  { headOf, tuningOf }: Pick<Deps, 'headOf' | 'tuningOf'>,
  onLearned: () => void,
) {
  const compiledPolicies = new Map<string, CompiledPolicy>();
  const bases = new Map<string, Basis>();
  for (const [id, compiled] of row.compiledPolicies) {
    const { learned, tuning } = row.compiled[id] ?? {};
    const exemplars = tuning && tuning.exemplarsAt !== learned?.writtenAt ? null : learned;
    const head = exemplars ? headOf(id, exemplars, onLearned) : undefined;
    const untuned = head === undefined ? compiled : { ...compiled, head };
    const isReady = !exemplars || head !== undefined;
    const tuned = tuning && isReady ? tuningOf(row.groupUuid, tuning, untuned, onLearned) : undefined;
    bases.set(id, { untuned, exemplarsAt: exemplarsAt(head, exemplars), tuning: tuned });
    compiledPolicies.set(id, withTuning(untuned, tuned));
  }
  return { ...row, compiledPolicies, bases };
}

const exemplarsAt = (head: Head | undefined, exemplars: StoredHead | null | undefined): string | null =>
  head === undefined ? null : (exemplars?.writtenAt ?? null);

const withTuning = (untuned: CompiledPolicy, tuned: Head | undefined): CompiledPolicy =>
  tuned === undefined ? untuned : { ...untuned, head: stacked(untuned.head, tuned) };

const sizeOf = ({ policies }: PolicyGroup): number =>
  policies.reduce(
    (sum, { name, description, blockActivities, safeActivities }) =>
      [name, description, ...blockActivities, ...safeActivities].reduce(
        (all, each) => all + each.length,
        sum,
      ),
    1000,
  );

interface Ear extends AsyncDisposable {
  /** Whether news from other processes arrives. */
  listening(): boolean;
}

/** Listens for the writes of other processes; tries again while it cannot. */
function createEar(
  db: Database,
  log: Logger,
  { onChange, onGap }: { onChange: (groupUuid: string) => void; onGap: () => void },
): Ear {
  let subscription: AsyncDisposable | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  const listen = async (): Promise<void> => {
    try {
      subscription = await db.listen(changedChannel, onChange, onGap);
      onGap();
    } catch (err) {
      if (closed) return;
      log.warn(
        { err },
        'changes of policy groups by other processes are noticed late: no database notifications',
      );
      retry = setTimeout(() => {
        attempt = listen();
      }, retryListeningMs);
      retry.unref();
    }
  };
  let attempt = listen();
  return {
    listening: () => subscription !== undefined,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(retry);
      await attempt;
      await subscription?.[Symbol.asyncDispose]();
    },
  };
}
