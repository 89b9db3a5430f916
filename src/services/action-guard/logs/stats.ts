import type { Queries } from '#base/db/database.ts';
import {
  countCategories,
  countEntries,
  countHours,
  countSessions,
  type CategoryCount,
  type HourCounts,
  type Window,
} from './stats-store.ts';
import type { LogFilter } from './store.ts';

export interface LogStats {
  readonly totalEvaluations: number;
  readonly totalAllowed: number;
  /** Blocked evaluations, held ones among them. */
  readonly totalViolations: number;
  /** Those that were held for a person's approval. */
  readonly totalHeld: number;
  readonly violationsLastDay: number;
  readonly violationsLastHour: number;
  readonly evaluationsLastDay: number;
  readonly evaluationsLastHour: number;
  readonly uniqueSessions: number;
  readonly activeSessionsLastHour: number;
  readonly violationCategories: Readonly<Record<string, number>>;
  readonly threatCategories: Readonly<Record<string, number>>;
}

const hourMs = 3_600_000;

/** Exact statistics of the filtered entries. */
export async function statsOf(db: Queries, filter: LogFilter, nowMs: number): Promise<LogStats> {
  const all: Window = {
    fromMs: filter.from?.getTime() ?? -Infinity,
    toMs: filter.to?.getTime() ?? Infinity,
  };
  const since = (ms: number): Window => ({ ...all, fromMs: Math.max(all.fromMs, nowMs - ms) });
  const hour = since(hourMs);
  const [counts, categories, uniqueSessions, activeSessionsLastHour] = await Promise.all([
    countEntries(db, filter, { all, day: since(24 * hourMs), hour }),
    countCategories(db, filter, all),
    countSessions(db, filter, all),
    countSessions(db, filter, hour),
  ]);
  const of = (name: string) => counts.get(name) ?? { evaluations: 0, allowed: 0, held: 0 };
  const violations = (name: string) => of(name).evaluations - of(name).allowed;
  return {
    totalEvaluations: of('all').evaluations,
    totalAllowed: of('all').allowed,
    totalViolations: violations('all'),
    totalHeld: of('all').held,
    violationsLastDay: violations('day'),
    violationsLastHour: violations('hour'),
    evaluationsLastDay: of('day').evaluations,
    evaluationsLastHour: of('hour').evaluations,
    uniqueSessions,
    activeSessionsLastHour,
    violationCategories: byName(categories, 'violation'),
    threatCategories: byName(categories, 'threat'),
  };
}

/** The last hours, including those without entries; the last one is still in progress. */
export async function hoursOf(
  db: Queries,
  filter: LogFilter,
  { hours, nowMs }: { hours: number; nowMs: number },
): Promise<HourCounts[]> {
  const last = nowMs - (nowMs % hourMs);
  const first = last - (hours - 1) * hourMs;
  const found = await countHours(db, filter, new Date(first));
  const known = new Map(found.map((each) => [each.hour.getTime(), each]));
  return Array.from({ length: hours }, (_, i) => {
    const at = first + i * hourMs;
    return known.get(at) ?? { hour: new Date(at), evaluations: 0, allowed: 0, held: 0, latencyMsSum: null };
  });
}

const byName = (counts: readonly CategoryCount[], kind: CategoryCount['kind']): Record<string, number> =>
  Object.fromEntries(
    counts.filter((each) => each.kind === kind).map(({ category, count }) => [category, count]),
  );
