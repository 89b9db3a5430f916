/** Source of the current time; tests pass their own. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601, UTC, milliseconds and `Z`: the one time format on the wire. */
export const toIsoTime = (at: Date | number): string => new Date(at).toISOString();
