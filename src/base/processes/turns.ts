import { unavailable } from '../errors.ts';

export interface Turns {
  /** Waits for a slot; dispose the result to release it. @throws AppError 503 if the queue is full; the signal's reason */
  take(signal?: AbortSignal): Promise<Disposable>;
}

/**
 * A semaphore with a bounded FIFO queue, for work such as threads or processes that would exhaust the machine.
 * @param busy error message when the queue is full
 */
export function createTurns(places: number, mostWaiting: number, busy: string): Turns {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const handOn = () => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    // The slot passes to the next waiter.
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
