import { LRUCache } from 'lru-cache';
import type { Logger } from '#base/log/log.ts';
import type { Head } from '#engine/text/adapted-head.ts';

/** About 2 kB each. */
const maxHeads = 20_000;

/** What policies have learned, as judging sees it. */
export interface LiveHeads extends AsyncDisposable {
  /**
   * What this engine learned. Where another engine did, undefined at first: `relearn` runs in the background, and
   * then `onLearned`.
   * @param key identifies the training data, regardless of the engine
   */
  headOf(
    key: string,
    stored: { readonly head: Head; readonly engineVersion: string },
    relearn: () => Promise<Head | undefined>,
    onLearned: () => void,
  ): Head | undefined;
}

export function createLiveHeads(engineVersion: string, log: Logger): LiveHeads {
  // Kept in memory, and not read back: two engine versions on one database would overwrite each other forever.
  const relearned = new LRUCache<string, Head>({ max: maxHeads });
  const underWay = new Set<string>();
  // One at a time: it is not urgent, and requests need the processor more.
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;

  return {
    headOf(key, stored, relearn, onLearned) {
      if (stored.engineVersion === engineVersion) return stored.head;
      const known = relearned.get(key);
      if (known !== undefined || underWay.has(key) || isClosed) return known;
      underWay.add(key);
      last = last
        .then(async () => {
          const head = isClosed ? undefined : await relearn();
          if (head === undefined) return;
          relearned.set(key, head);
          onLearned();
        })
        .catch((err: unknown) => {
          log.warn({ err, learned_from: key }, 'a policy could not be retrained for this engine');
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
