import { setImmediate as othersFirst } from 'node:timers/promises';

const sliceMs = 10;
let sliceEndsMs = 0;
let next: Promise<void> | undefined;

/**
 * To await between the pieces of work that may be long because of what a caller sent: all such work in this process takes
 * a slice of time together, then everything else has its turn.
 */
export async function takeTurns(): Promise<void> {
  while (performance.now() >= sliceEndsMs) {
    next ??= othersFirst().then(() => {
      next = undefined;
      sliceEndsMs = performance.now() + sliceMs;
    });
    await next;
  }
}
