import { LRUCache } from 'lru-cache';
import type { Queries } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import { stacked } from '../../library/heads/layers.ts';
import { learn, type Lesson } from '../../library/heads/learn.ts';
import { listExamples, listHeads, saveHeads, type StoredHead } from './store.ts';

/** Heads in memory, of all adaptations together: about 2 kB each. */
const maxHeads = 20_000;

interface Live {
  /** By {@link keyOf}. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Learned by another engine for policies that were not judged when this was read: retrained once they are. */
  readonly stale: ReadonlySet<string>;
  /** A group is replaced when it changes, and so is what it became here. */
  readonly adapted: WeakMap<JudgedGroup, JudgedGroup>;
}

const keyOf = (groupUuid: string, policyId: string) => `${groupUuid}/${policyId}`;

/** Adaptations for judging: immutable, so cached in memory once read. */
export class LiveAdaptations {
  readonly #db: Queries;
  readonly #engine: Pick<TextEngine, 'analyseInTurns' | 'score' | 'version'>;
  readonly #log: Logger;
  readonly #known = new LRUCache<string, Live>({
    maxSize: maxHeads,
    sizeCalculation: ({ heads }) => Math.max(1, heads.size),
  });
  // Calls at the same moment share one reading, which may be one of learning.
  readonly #loading = new Map<string, Promise<Live>>();

  constructor(db: Queries, engine: Pick<TextEngine, 'analyseInTurns' | 'score' | 'version'>, log: Logger) {
    this.#db = db;
    this.#engine = engine;
    this.#log = log;
  }

  /** The groups with what the guard has learned, where it has. */
  async applied(
    { activeAdaptationId }: Guard,
    groups: readonly JudgedGroup[],
  ): Promise<readonly JudgedGroup[]> {
    if (activeAdaptationId === null) return groups;
    const live = await this.#get(activeAdaptationId, groups);
    return groups.map((group) => {
      const before = live.adapted.get(group);
      if (before !== undefined) return before;
      const after = withHeads(group, live.heads);
      live.adapted.set(group, after);
      return after;
    });
  }

  async #load(adaptationId: string, groups: readonly JudgedGroup[]): Promise<Live> {
    const stored = await listHeads(this.#db, adaptationId);
    const fresh = stored.filter(({ engineVersion }) => engineVersion === this.#engine.version);
    const old = stored.filter(({ engineVersion }) => engineVersion !== this.#engine.version);
    const relearned = old.length === 0 ? [] : await this.#relearn(adaptationId, groups, old);
    const heads = new Map(
      [...fresh, ...relearned].map(({ groupUuid, policyId, head }) => [keyOf(groupUuid, policyId), head]),
    );
    const keys = stored.map(({ groupUuid, policyId }) => keyOf(groupUuid, policyId));
    return { heads, stale: new Set(keys.filter((key) => !heads.has(key))), adapted: new WeakMap() };
  }

  /** What another engine learned uses other features: it is retrained from the same examples. */
  async #relearn(
    adaptationId: string,
    groups: readonly JudgedGroup[],
    stored: readonly StoredHead[],
  ): Promise<StoredHead[]> {
    const compiled = new Map(
      groups.flatMap(({ groupUuid, policies }) =>
        policies.map((policy) => [keyOf(groupUuid, policy.id), policy.compiled] as const),
      ),
    );
    const scales = new Map(
      stored.map(({ groupUuid, policyId, scale }) => [keyOf(groupUuid, policyId), scale]),
    );
    const labelled = await listExamples(this.#db, adaptationId);
    const lessons = labelled.flatMap<Lesson & Pick<StoredHead, 'groupUuid' | 'policyId' | 'scale'>>(
      (policy) => {
        const key = keyOf(policy.groupUuid, policy.policyId);
        const ready = compiled.get(key);
        const scale = scales.get(key);
        return ready === undefined || scale === undefined ? [] : [{ ...policy, compiled: ready, scale }];
      },
    );
    if (lessons.length === 0) return [];
    const learned = await learn(this.#engine, lessons);
    const heads = lessons.flatMap(({ groupUuid, policyId, scale }, i) => {
      const head = learned[i]?.head;
      return head === undefined
        ? []
        : [{ groupUuid, policyId, head, scale, engineVersion: this.#engine.version }];
    });
    // Not awaited: if it fails, the next process to read it learns it once more.
    saveHeads(this.#db, adaptationId, heads).catch((err: unknown) => {
      this.#log.warn({ err, adaptation_id: adaptationId }, 'a retrained adaptation could not be stored');
    });
    return heads;
  }

  #get(adaptationId: string, groups: readonly JudgedGroup[]): Live | Promise<Live> {
    const live = this.#known.get(adaptationId);
    if (live !== undefined && !groups.some((group) => hasStale(group, live))) return live;
    const underWay = this.#loading.get(adaptationId);
    if (underWay !== undefined) return underWay;
    const started = this.#load(adaptationId, groups)
      .then((loaded) => {
        this.#known.set(adaptationId, loaded);
        return loaded;
      })
      .finally(() => this.#loading.delete(adaptationId));
    this.#loading.set(adaptationId, started);
    return started;
  }
}

const hasStale = ({ groupUuid, policies }: JudgedGroup, { stale }: Live): boolean =>
  stale.size > 0 && policies.some(({ id }) => stale.has(keyOf(groupUuid, id)));

const withHeads = (group: JudgedGroup, heads: ReadonlyMap<string, Head>): JudgedGroup => ({
  ...group,
  policies: group.policies.map((policy) => {
    const head = heads.get(keyOf(group.groupUuid, policy.id));
    if (head === undefined) return policy;
    const { compiled } = policy;
    return { ...policy, compiled: { ...compiled, head: stacked(compiled.head, head) } };
  }),
});
