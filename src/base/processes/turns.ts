import { unavailable } from '../errors.ts';

export interface Turns {
  /** Waits for a place; disposing the answer hands it on. @throws AppError 503 where too many wait; the signal's reason */
  take(signal?: AbortSignal): Promise<Disposable>;
}

/**
 * Places for work that would fill the machine if more of it ran at once: threads or processes, in order of their coming.
 * @param busy the sentence for those who come when too many wait
 */
export function createTurns(places: number, mostWaiting: number, busy: string): Turns {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const handOn = () => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    // The place stays taken, by the next.
    else next();
  };
  const turn = (): Disposable => {
    let isOver = false;
    return {
      [Symbol.dispose]() {
        if (!isOver) handOn();
        isOver = true;
      },
    };
  };
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (taken < places) {
        taken += 1;
        return turn();
      }
      if (waiting.length >= mostWaiting) throw unavailable(busy);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const gone = () => {
        const at = waiting.indexOf(resolve);
        if (at >= 0) waiting.splice(at, 1);
        reject(signal?.reason as Error);
      };
      waiting.push(resolve);
      signal?.addEventListener('abort', gone, { once: true });
      await promise.finally(() => signal?.removeEventListener('abort', gone));
      return turn();
    },
  };
}
