import type { Clock } from './clock.ts';

/** A running clock that tests can move forward. */
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
