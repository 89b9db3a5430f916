/** Custom policies learn from examples that a language model writes when they are saved; calls stay embedded. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { ExemplarEvents } from './events.ts';
import type { Policy } from '../policies/policy-group.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import { type ExemplarState, type StoredHead, textHash } from './exemplar.ts';
import { learnExemplars, type Learner } from './learn-exemplars.ts';
import { createLiveHeads } from '../heads/live-heads.ts';
import * as store from './store.ts';
import { createWriter } from './write-exemplars.ts';

export interface ExemplarsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly engine: Learner;
  readonly log: Logger;
  readonly events: ExemplarEvents;
  /** Without one nothing is written, and what was written before is used. */
  readonly writing?: { readonly model: LanguageModel; readonly jobs: Jobs } | undefined;
}

export interface PolicyExemplars extends AsyncDisposable {
  /**
   * What this engine learned from the exemplars of a policy; undefined at first where another engine did, and
   * `onLearned` is called later.
   */
  readonly headOf: (policyId: string, stored: StoredHead, onLearned: () => void) => Head | undefined;
  /**
   * To be called in the transaction that writes policies, with those that it changes.
   * @returns those for which {@link write} is to be called after the commit.
   */
  noteSaved(tx: Queries, tenantId: string, policies: readonly Policy[]): Promise<string[]>;
  /** Has exemplars written in the background; never fails. */
  write(policyIds: readonly string[]): void;
  /** By policy; undefined where no language model is configured. */
  states(groupUuids: readonly string[]): Promise<ReadonlyMap<string, ExemplarState> | undefined>;
}

const writeJob = 'policy_guard_exemplars';
const sweepJob = 'policy_guard_exemplars_sweep';
/** Retries of a model that is unavailable, for about an hour; then one in each {@link forgottenAfterSeconds}. */
const retries = 7;
const retryDelaySeconds = 20;
const forgottenAfterSeconds = 2 * 3600;
const sweepSeconds = 1800;

export async function createExemplars(deps: ExemplarsDeps): Promise<PolicyExemplars> {
  const { db, clock, engine, log, writing } = deps;
  const heads = createLiveHeads(engine.version, log);
  const relearn = async (policyId: string): Promise<Head | undefined> => {
    const ready = await store.findReady(db, policyId);
    if (ready === undefined) return undefined;
    const head = await learnExemplars(engine, engine.compile(ready.policy), ready.exemplars);
    await store.saveRelearned(db, ready, head, engine.version);
    return head;
  };
  const writer = writing && createWriter({ ...deps, model: writing.model });
  const closing = new AbortController();

  if (writing !== undefined && writer !== undefined) {
    const { jobs } = writing;
    await jobs.define<{ policyId: string }>(
      writeJob,
      { timeoutSeconds: 3600, retries, retryDelaySeconds },
      ({ data, signal }) => writer.write(data.policyId, AbortSignal.any([signal, closing.signal])),
    );
    await jobs.define(sweepJob, { retries: 0, keepSeconds: 3600 }, async () => {
      const since = new Date(clock.now() - forgottenAfterSeconds * 1000);
      const once = { everySeconds: forgottenAfterSeconds };
      for (const policyId of await store.listForgotten(db, since))
        await jobs.send(writeJob, { policyId }, { ...once, key: policyId });
    });
    await jobs.schedule(sweepJob, { everySeconds: sweepSeconds });
  }

  return {
    headOf: (policyId, stored, onLearned) =>
      heads.headOf(`${policyId}/${stored.writtenAt}`, stored, () => relearn(policyId), onLearned),
    async noteSaved(tx, tenantId, policies) {
      const custom = policies.filter(({ detector }) => detector === undefined);
      if (custom.length === 0) return [];
      const saved = new Map(custom.map((policy) => [policy, { id: policy.id, hash: textHash(policy) }]));
      const all = [...saved.values()];
      await store.deleteOutdated(tx, all);
      await store.copyExemplars(tx, tenantId, all, writer?.by);
      if (writer === undefined) return [];
      const running = custom.filter(({ enabled }) => enabled).flatMap((policy) => saved.get(policy) ?? []);
      return store.requestExemplars(tx, tenantId, running, { ...writer.by, now: new Date(clock.now()) });
    },
    write(policyIds) {
      for (const policyId of policyIds)
        writing?.jobs.send(writeJob, { policyId }).catch((err: unknown) => {
          log.warn({ err, policy_id: policyId }, 'exemplars of a policy are written later: no job was made');
        });
    },
    states: async (groupUuids) => (writing === undefined ? undefined : store.listStates(db, groupUuids)),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await heads[Symbol.asyncDispose]();
    },
  };
}
