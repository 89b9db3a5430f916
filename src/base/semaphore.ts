import { unavailable } from './errors.ts';

export interface Semaphore {
  /**
   * Waits for a slot, first come, first served; dispose the returned object to free the slot.
   * @throws AppError 503 where too many wait already; the signal's reason
   */
  acquire(signal?: AbortSignal): Promise<Disposable>;
}

export interface SemaphoreOptions {
  /** How many may wait for a place; unlimited by default. */
  readonly mostWaiting?: number;
  /** The sentence for those who come when too many wait. */
  readonly busyMessage?: string;
}

/** Limits how much of some work runs at a time. */
export function createSemaphore(places: number, options: SemaphoreOptions = {}): Semaphore {
  const { mostWaiting = Infinity, busyMessage = 'Too many requests are waiting. Try again in a moment.' } =
    options;
  let taken = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    // The place stays taken, by the next.
    else next();
  };
  const place = (): Disposable => {
    let isReleased = false;
    return {
      [Symbol.dispose]() {
        if (!isReleased) release();
        isReleased = true;
      },
    };
  };
  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return place();
      }
      if (waiting.length >= mostWaiting) throw unavailable(busyMessage);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => {
        const at = waiting.indexOf(resolve);
        // Where the place was handed over in the same turn, the promise is fulfilled already, and the place is used.
        if (at >= 0) waiting.splice(at, 1);
        reject(signal?.reason as Error);
      };
      waiting.push(resolve);
      signal?.addEventListener('abort', giveUp, { once: true });
      await promise.finally(() => signal?.removeEventListener('abort', giveUp));
      return place();
    },
  };
}
