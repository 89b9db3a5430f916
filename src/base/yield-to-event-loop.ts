import { setImmediate as immediate } from 'node:timers/promises';

const sliceMs = 10;
let sliceEndsMs = 0;
let next: Promise<void> | undefined;

/** Whether the time slice lasts: short work need not wait for {@link yieldToEventLoop} then. */
export const hasTimeLeft = (): boolean => performance.now() < sliceEndsMs;

/**
 * Yields to the event loop; await it between pieces of work whose length a caller controls. All such work in this process
 * shares one time slice, then everything else runs.
 */
export async function yieldToEventLoop(): Promise<void> {
  while (performance.now() >= sliceEndsMs) {
    next ??= immediate().then(() => {
      next = undefined;
      sliceEndsMs = performance.now() + sliceMs;
    });
    await next;
  }
}
