/** Policy groups in memory, ready for the judge: no query while they are warm. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { openNotifiedCache, type NotifiedCache } from '#base/db/notified-cache.ts';
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
import { listCompiledGroupsOfAny, saveRecompiled, type StoredGroup } from './store.ts';

export interface JudgedGroups extends AsyncDisposable {
  get(tenantId: string, groupUuids: readonly string[]): Promise<JudgedGroup[]>;
  /** Invalidates a group after it was written. */
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
  /** While the database is unavailable, cached groups stay valid for this long, unless a notification invalidated them. */
  readonly staleMs?: number;
}

/** Time to live of a cached group: long while notifications of changes are being received, else short. */
const listeningTtlMs = 30_000;
const disconnectedTtlMs = 1_000;
/** Of all groups in the cache together: about 100 MB compiled. */
const maxCharacters = 10_000_000;
const maxGroups = 10_000;

interface Entry {
  readonly tenantId: string;
  readonly group: JudgedGroup;
  readonly size: number;
}

/** A cache in front of the stored groups. */
export async function openJudgedGroups(deps: Deps): Promise<JudgedGroups> {
  const { db, clock, engine, shipped, log } = deps;
  const shippedReady = new Map(shipped.all.map((group) => [group.groupUuid, judgedShipped(group, engine)]));
  const groups: NotifiedCache<Entry> = await openNotifiedCache<Entry>({
    db,
    log,
    clock,
    channel: changedChannel,
    maxEntries: maxGroups,
    maxSize: maxCharacters,
    sizeOf: ({ size }) => size,
    ttlMs: listeningTtlMs,
    disconnectedTtlMs,
    staleWhileUnavailableMs: deps.staleMs ?? 0,
    async load(groupUuids) {
      const rows = await listCompiledGroupsOfAny(db, groupUuids.filter(isUuid));
      return new Map(rows.map((row) => [row.groupUuid, entryOf(row)]));
    },
  });

  const entryOf = (row: StoredGroup): Entry => {
    const ready = withHeads(recompiled(row, deps), deps, () => groups.forget(row.groupUuid));
    return {
      tenantId: row.tenantId,
      group: judged(ready, ready.compiledPolicies, ready.bases),
      size: sizeOf(row),
    };
  };

  return {
    forget: (groupUuid) => groups.forget(groupUuid),
    async get(tenantId, groupUuids) {
      const wanted = groupUuids.map((groupUuid) => groupUuid.toLowerCase());
      const stored = wanted.filter((groupUuid) => !shippedReady.has(groupUuid));
      const found = groups.getMany(stored);
      const entries = found instanceof Promise ? await found : found;
      const own = new Map(
        stored.map((groupUuid, i) => {
          const entry = entries[i];
          return [groupUuid, entry?.tenantId === tenantId ? entry.group : undefined];
        }),
      );
      return wanted
        .map((groupUuid) => shippedReady.get(groupUuid) ?? own.get(groupUuid))
        .filter((group) => group !== undefined);
    },
    [Symbol.asyncDispose]: () => groups[Symbol.asyncDispose](),
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
    // Not awaited: if it fails, the next process to load the group compiles it once more.
    saveRecompiled(db, row, stale).catch((err: unknown) => {
      log.warn({ err, group_uuid: row.groupUuid }, 'recompiled policies could not be kept');
    });
  return { ...row, compiledPolicies };
}

/**
 * Policies judge by what they learned too, in layers: exemplars upon the text, the lab's tuning upon both. A tuning
 * is tied to the exemplars that it was measured with: later ones are used only after the lab has run again. What
 * has to be retrained for this engine is used as soon as that is done.
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
