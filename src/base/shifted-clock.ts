import type { Clock } from './clock.ts';

/** A clock that runs, and that a test can move on. */
export interface ShiftedClock extends Clock {
  advance(ms: number): void;
}

export function shiftedClock(): ShiftedClock {
  let shiftMs = 0;
  return {
    now: () => Date.now() + shiftMs,
    advance(ms) {
      shiftMs += ms;
    },
  };
}
