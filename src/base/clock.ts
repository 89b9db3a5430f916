/** Source of the current time; tests pass their own. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The last time that was written: what happens in one millisecond is written several times. */
const last = { ms: Number.NaN, text: '' };

/** ISO 8601, UTC, milliseconds and `Z`: the one time format on the wire. */
export function toIsoTime(at: Date | number): string {
  const ms = typeof at === 'number' ? at : at.getTime();
  if (ms !== last.ms) {
    last.text = new Date(ms).toISOString();
    last.ms = ms;
  }
  return last.text;
}
