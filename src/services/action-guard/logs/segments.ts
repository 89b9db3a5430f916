/** A time segment: of single entries (level 0), or of counts by minute (1), hour (2) or day (3). */
export interface Segment {
  readonly level: number;
  /** Unix milliseconds; ±Infinity if unbounded. */
  readonly fromMs: number;
  /** End, exclusive. */
  readonly toMs: number;
}

/** Duration of each level from 1 on. */
const unitsMs = [60_000, 3_600_000, 86_400_000];

/** Splits a time range into as few segments as possible: days in the middle, single entries at the ends. */
export function segmentsOf(fromMs: number, toMs: number, level = unitsMs.length): Segment[] {
  if (fromMs >= toMs) return [];
  const unitMs = unitsMs[level - 1];
  if (unitMs === undefined) return [{ level: 0, fromMs, toMs }];
  const first = Math.ceil(fromMs / unitMs) * unitMs;
  const end = Math.floor(toMs / unitMs) * unitMs;
  if (first >= end) return segmentsOf(fromMs, toMs, level - 1);
  return [
    ...segmentsOf(fromMs, first, level - 1),
    { level, fromMs: first, toMs: end },
    ...segmentsOf(end, toMs, level - 1),
  ];
}
