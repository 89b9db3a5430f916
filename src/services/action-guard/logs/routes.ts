import { Readable } from 'node:stream';
import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { lastMoment } from '#base/contract/fields.ts';
import { notFound } from '#base/errors.ts';
import { isUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { z } from 'zod';
import type { logOperations } from '../contract/logs.ts';
import { hoursOf, statsOf } from './stats.ts';
import { findLog, listBlocked, listLogs, type LogEntry, type LogFilter } from './store.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import { viewDetail, viewEntry, viewHour, viewStats } from './view.ts';

type Scope = Pick<Query, 'gateway_ids' | 'user_id'>;
type Query = z.output<(typeof logOperations.listLogs)['query']>;

/** An id that no user has, so that no entries match. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Earlier than any entry; PostgreSQL has no year 0. */
const moment = (time: string, plusMs = 0) =>
  new Date(Math.min(lastMoment, Math.max(0, Date.parse(time) + plusMs)));

/** Times have millisecond precision, so an inclusive end is the millisecond before the exclusive one. */
const after = (time: string) => moment(time, 1);

function scopeOf(caller: Caller, query: Scope): LogFilter {
  const wanted = query.user_id === undefined || isUuid(query.user_id) ? query.user_id : nobody;
  const gatewayIds = query.gateway_ids
    ?.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return {
    tenantId: caller.tenantId,
    userId: caller.roles.includes('admin') ? wanted : caller.userId,
    gatewayIds: gatewayIds && [...new Set(gatewayIds)],
  };
}

const filterOf = (caller: Caller, query: Query): LogFilter => ({
  ...scopeOf(caller, query),
  sessionId: query.session_id,
  from: query.start_date === undefined ? undefined : moment(query.start_date),
  to: query.end_date === undefined ? undefined : after(query.end_date),
});

export interface LogRoutesDeps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly userNames: UserNames;
  /** Names of the tenant's policy sets, including deleted ones. */
  readonly setNames: (setIds: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
}

type Viewed = (entries: readonly LogEntry[]) => Promise<ReturnType<typeof viewEntry>[]>;

/** One query for all names of a page. */
const viewAll =
  ({ userNames, setNames }: LogRoutesDeps): Viewed =>
  async (entries) => {
    const [user, set] = await Promise.all([
      userNames(entries.map(({ userId }) => userId)),
      setNames(entries.map(({ policySetId }) => policySetId)),
    ]);
    return entries.map((entry) => viewEntry(entry, { user, set }));
  };

export const logHandlers = (deps: LogRoutesDeps): Handlers<typeof logOperations, Caller> => ({
  async listLogs({ caller, query }) {
    const { db, clock } = deps;
    const viewed = viewAll(deps);
    const filter = filterOf(caller, query);
    const timestamp = toIsoTime(clock.now());
    if (query.stats_only) return { stats: viewStats(await statsOf(db, filter, clock.now())), timestamp };
    const stats = await statsOf(db, filter, clock.now());
    const { limit, offset } = query;
    const total = stats.totalEvaluations;
    if (Math.min(limit || total, total) > longAnswer)
      return longList({ db, viewed }, filter, query, { stats: viewStats(stats), total, timestamp });
    const logs = await listLogs(db, filter, { limit, offset, total });
    return { logs: await viewed(logs), stats: viewStats(stats), total, timestamp };
  },
  async listBlocked({ caller, query }) {
    const from = query.start_date === undefined ? undefined : moment(query.start_date);
    const entries = await listBlocked(deps.db, { ...scopeOf(caller, {}), from }, query.limit);
    return { logs: await viewAll(deps)(entries) };
  },
  async getLog({ caller, params }) {
    const { log_id: logId } = params;
    const userId = caller.roles.includes('admin') ? undefined : caller.userId;
    const entry = isUuid(logId)
      ? await findLog(deps.db, { tenantId: caller.tenantId, userId, logId })
      : undefined;
    if (entry === undefined) throw notFound(`The log entry ${logId}`);
    const [user, set] = await Promise.all([
      deps.userNames([entry.userId]),
      deps.setNames([entry.policySetId]),
    ]);
    return viewDetail(entry, { user, set });
  },
  async listLogHours({ caller, query }) {
    const { db, clock } = deps;
    const hours = await hoursOf(db, scopeOf(caller, query), { hours: query.hours, nowMs: clock.now() });
    return { hours: hours.map(viewHour), timestamp: toIsoTime(clock.now()) };
  },
});

/** More entries than this are read and sent in batches. */
const longAnswer = 5000;
const piece = 1000;

/** The response as a JSON stream, since the entries may exceed the memory. */
function longList(
  { db, viewed }: { db: Queries; viewed: Viewed },
  filter: LogFilter,
  { limit, offset }: Pick<Query, 'limit' | 'offset'>,
  rest: object,
): Readable {
  async function* write() {
    let left = limit === 0 ? Infinity : limit;
    let after: LogEntry | undefined;
    yield '{"logs":[';
    while (left > 0) {
      const page = { limit: Math.min(piece, left), offset: after === undefined ? offset : 0, after };
      const entries = await listLogs(db, filter, page);
      if (entries.length === 0) break;
      yield `${after === undefined ? '' : ','}${(await viewed(entries)).map((entry) => JSON.stringify(entry)).join(',')}`;
      after = entries.at(-1);
      left -= entries.length;
    }
    yield `],${JSON.stringify(rest).slice(1)}`;
  }
  return Readable.from(write());
}
