/** How many scans were finished in a period. */
import type { Clock } from '#base/clock.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { badRequest } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { countFinished } from '../records/store.ts';

export interface UsageAsked {
  readonly mode: 'current_billing_cycle' | 'all_time' | 'custom';
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** @throws AppError 400 for a custom period without bounds, or one that ends before it begins */
export async function usageOf(
  { db, clock }: { db: Queries; clock: Clock },
  caller: Caller,
  asked: UsageAsked,
) {
  const now = new Date(clock.now());
  const { start, end } = boundsOf(asked, now);
  const { total, first, last } = await countFinished(db, viewerOf(caller), { start, end });
  // The first and last scan are the bounds where none was given; without scans there is no period.
  const from = start ?? first;
  const to = end ?? last;
  const isKnown = from !== null && to !== null && total > 0;
  return {
    user_id: caller.userId,
    mode: asked.mode,
    period: isKnown ? { start: toIsoTime(from), end: toIsoTime(to) } : null,
    total_scans: total,
    as_of: toIsoTime(now),
  };
}

function boundsOf(
  { mode, start, end }: UsageAsked,
  now: Date,
): { start: Date | undefined; end: Date | undefined } {
  if (mode === 'all_time') return { start: undefined, end: undefined };
  if (mode === 'current_billing_cycle') {
    const year = now.getUTCFullYear();
    const month = now.getUTCMonth();
    return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1) - 1) };
  }
  if (start === undefined && end === undefined)
    throw badRequest("'start' or 'end' is required with the mode custom.");
  const from = start === undefined ? undefined : new Date(start);
  const to = end === undefined ? undefined : new Date(end);
  if (from !== undefined && to !== undefined && to < from)
    throw badRequest("'end' must not be before 'start'.");
  return { start: from, end: to };
}
