import { LRUCache } from 'lru-cache';
import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import type { Head } from '#engine/text/adapted-head.ts';
import type { StoredHead } from './exemplar.ts';
import { learnExemplars, type Learner } from './learn-exemplars.ts';
import { findReady, saveRelearned } from './store.ts';

/** About 2 kB each. */
const maxHeads = 20_000;

/** What policies have learned from exemplars, as judging sees it. */
export interface LiveHeads extends AsyncDisposable {
  /**
   * What this engine learned. Where another engine did, undefined at first: the policy learns anew from the same
   * exemplars in the background, and `onLearned` is called.
   */
  headOf(policyId: string, stored: StoredHead, onLearned: () => void): Head | undefined;
}

export function createLiveHeads(db: Database, engine: Learner, log: Logger): LiveHeads {
  // Kept here too, and not read back: two versions of the engine on one database would overwrite each other for ever.
  const relearned = new LRUCache<string, Head>({ max: maxHeads });
  const underWay = new Set<string>();
  // One after the other: nobody waits for it, and calls need the processor more.
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;

  const relearn = async (key: string, policyId: string): Promise<boolean> => {
    const ready = isClosed ? undefined : await findReady(db, policyId);
    if (ready === undefined) return false;
    const head = await learnExemplars(engine, engine.compile(ready.policy), ready.exemplars);
    relearned.set(key, head);
    await saveRelearned(db, ready, head, engine.version);
    return true;
  };

  return {
    headOf(policyId, { head, engineVersion, writtenAt }, onLearned) {
      if (engineVersion === engine.version) return head;
      const key = `${policyId}/${writtenAt}`;
      const known = relearned.get(key);
      if (known !== undefined || underWay.has(key) || isClosed) return known;
      underWay.add(key);
      last = last
        .then(async () => {
          if (await relearn(key, policyId)) onLearned();
        })
        .catch((err: unknown) => {
          log.warn({ err, policy_id: policyId }, 'a policy could not learn anew from its exemplars');
        })
        .finally(() => underWay.delete(key));
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await last;
    },
  };
}
