/** Reading the query log, on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Queries as Database } from '#base/db/database.ts';
import { invalid, notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import { mostCounted, mostCountedInSearch, outcomes as allOutcomes } from '../../contract/queries.ts';
import type { Outcome } from '../../guards/guard.ts';
import { firstIdAt, outcomeCode, timeOfId, type Query } from './query.ts';
import {
  countByDay,
  countIds,
  findLoggedGuard,
  findQuery,
  listByIds,
  listIds,
  oldestId,
  searchDays,
  searchNewest,
  type QueryFilter,
} from './store.ts';
import { dayOf, wordNumbers } from './words.ts';

/** The requested filter; times in Unix milliseconds. */
export interface Wanted {
  readonly guardUuid?: string | undefined;
  readonly flagged?: boolean | undefined;
  readonly outcome?: Outcome | undefined;
  readonly policy?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Only entries older than this one. */
  readonly before?: string | undefined;
  readonly search?: string | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface QueryPage {
  readonly queries: readonly Query[];
  readonly total: number;
  readonly totalIsExact: boolean;
}

/** Whether the caller may see an entry. */
export const maySee = (caller: Caller, { tenantId, ownerId }: Pick<Query, 'tenantId' | 'ownerId'>): boolean =>
  tenantId === caller.tenantId && (ownerId === caller.userId || caller.roles.includes('admin'));

/** Whether an entry has the requested outcome. */
export const hasOutcome = (outcome: Outcome, { flagged, outcome: wanted }: Wanted): boolean =>
  (wanted === undefined || outcome === wanted) &&
  (flagged === undefined || (outcome === 'flagged') === flagged);

const nothing: QueryPage = { queries: [], total: 0, totalIsExact: true };

/** Entries that are scanned before the word index is used, and at most. */
const firstWindow = 2_000;
const lastWindow = 40_000;

/** Undefined without a search. */
function wordsOf({ tenantId }: Caller, { search }: Wanted): number[] | undefined {
  if (search === undefined) return undefined;
  const words = wordNumbers(tenantId, search);
  if (words.length === 0) throw invalid(`'search' must have at least one letter or digit.`);
  return words;
}

export class QueryReader {
  readonly #deps: { db: Database; clock: Clock };

  constructor(deps: { db: Database; clock: Clock }) {
    this.#deps = deps;
  }

  /** @throws AppError 422 for a `before` that is no id, and for a search without a word. */
  async list(caller: Caller, wanted: Wanted, page: Page): Promise<QueryPage> {
    const { db } = this.#deps;
    const filter = await this.#filterOf(caller, wanted);
    const words = wordsOf(caller, wanted);
    if (filter === undefined) return nothing;
    if (words !== undefined) return this.#searched(filter, words, page);
    const [ids, counted] = await Promise.all([
      listIds(db, filter, page),
      countIds(db, filter, mostCounted + 1),
    ]);
    return {
      queries: await listByIds(db, ids),
      total: Math.min(counted, mostCounted),
      totalIsExact: counted <= mostCounted,
    };
  }

  /** @throws AppError 404 for an entry that the caller may not see. */
  async get(caller: Caller, queryId: string): Promise<Query> {
    const query = isUuid(queryId) ? await findQuery(this.#deps.db, queryId) : undefined;
    if (query === undefined || !maySee(caller, query)) throw notFound('The query');
    return query;
  }

  /** Entries from a moment on, newest first, up to `limit`. */
  async since(caller: Caller, wanted: Wanted, fromMs: number, limit: number): Promise<Query[]> {
    const { db } = this.#deps;
    const filter = await this.#filterOf(caller, { ...wanted, fromMs });
    return filter === undefined ? [] : listByIds(db, await listIds(db, filter, { limit, offset: 0 }));
  }

  /** Undefined if the caller can see nothing that matches. */
  async #scopeOf(caller: Caller, guardUuid: string | undefined): Promise<QueryFilter['scope'] | undefined> {
    if (guardUuid === undefined)
      return caller.roles.includes('admin')
        ? { column: 'tenant_id', value: caller.tenantId }
        : { column: 'owner_id', value: caller.userId };
    const guard = await findLoggedGuard(this.#deps.db, guardUuid);
    return guard !== undefined && maySee(caller, guard)
      ? { column: 'guard_uuid', value: guardUuid }
      : undefined;
  }

  async #filterOf(caller: Caller, wanted: Wanted): Promise<QueryFilter | undefined> {
    const { before, policy, fromMs = 0, toMs = this.#deps.clock.now() + dayMs } = wanted;
    if (before !== undefined && !isUuid(before))
      throw invalid(`'before' must be the query_id of an entry, such as the last one of a page.`);
    const scope = await this.#scopeOf(caller, wanted.guardUuid);
    const outcomes = allOutcomes.filter((each) => hasOutcome(each, wanted)).map(outcomeCode);
    if (scope === undefined || outcomes.length === 0) return undefined;
    const end = firstIdAt(toMs);
    const last = before?.toLowerCase();
    return {
      scope,
      outcomes,
      policy,
      from: firstIdAt(fromMs),
      to: last !== undefined && last < end ? last : end,
    };
  }

  /** The days (UTC) of the filter that can have entries, newest first. */
  async #daysOf({ from, to }: QueryFilter): Promise<number[]> {
    const { db, clock } = this.#deps;
    const oldest = await oldestId(db);
    if (oldest === undefined) return [];
    const first = dayOf(timeOfId(oldest > from ? oldest : from));
    const last = dayOf(Math.min(timeOfId(to), clock.now() + dayMs));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => last - i);
  }

  /** Up to `needed`, newest first, from no more days than it takes. */
  async #searchByDays(filter: QueryFilter, words: readonly number[], needed: number): Promise<string[]> {
    const { db } = this.#deps;
    const days = await this.#daysOf(filter);
    const counts = await countByDay(db, words, days, needed);
    const found: string[] = [];
    let wanted: number[] = [];
    let promised = 0;
    for (const [at, day] of days.entries()) {
      const count = counts[at] ?? 0;
      if (count > 0) wanted.push(day);
      promised += count;
      // The counts are those of all scopes: where that was not enough, as much again and more.
      if (wanted.length === 0 || (promised < needed && at < days.length - 1)) continue;
      found.push(...(await searchDays(db, filter, words, { days: wanted, limit: needed - found.length })));
      if (found.length >= needed) return found;
      [wanted, promised] = [[], -promised];
    }
    return found;
  }

  /**
   * Newest first, up to `needed`. Common words are found in the newest entries, and in a filter that has few entries any
   * word is; others by the index, day by day.
   */
  async #search(filter: QueryFilter, words: readonly number[], needed: number): Promise<string[]> {
    const { db } = this.#deps;
    const first = await searchNewest(db, filter, words, firstWindow);
    if (first.ids.length >= needed || first.looked < firstWindow) return first.ids;
    // As far as the hits so far promise to be enough; none promise nothing.
    const promised = Math.ceil((firstWindow * needed * 1.2) / first.ids.length);
    const hasFew = async () => (await countIds(db, filter, lastWindow + 1)) <= lastWindow;
    if (promised <= lastWindow || (await hasFew())) {
      const window = Math.min(promised, lastWindow);
      const more = await searchNewest(db, filter, words, window);
      if (more.ids.length >= needed || more.looked < window) return more.ids;
    }
    return this.#searchByDays(filter, words, needed);
  }

  async #searched(filter: QueryFilter, words: readonly number[], { limit, offset }: Page) {
    const ids = await this.#search(filter, words, Math.max(offset + limit, mostCountedInSearch + 1));
    return {
      queries: await listByIds(this.#deps.db, ids.slice(offset, offset + limit)),
      total: Math.min(ids.length, mostCountedInSearch),
      totalIsExact: ids.length <= mostCountedInSearch,
    };
  }
}

/** Entries can be from clocks that are ahead. */
const dayMs = 86_400_000;
