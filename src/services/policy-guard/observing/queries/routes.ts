import { invalid } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { isUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import type { queryOperations } from '../../contract/queries.ts';
import type { Labels } from './labels.ts';
import type { ReadNames } from './names.ts';
import type { LiveFeed } from './live-feed.ts';
import type { QueryReader } from './queries.ts';
import type { QueryLog } from './query-log.ts';
import { detailToWire, entryToWire, labelToWire, wantedFromWire } from './view.ts';

interface QueryRoutesDeps {
  readonly queries: QueryReader;
  readonly queryLog: QueryLog;
  readonly labels: Labels;
  readonly feed: LiveFeed;
  readonly names: ReadNames;
}

const momentOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

/** @throws AppError 422 for an id that was never sent. */
function lastIdFrom(header: string | undefined, parameter: string | undefined): string | undefined {
  const lastId = header ?? parameter;
  if (lastId === undefined || isUuid(lastId)) return lastId;
  throw invalid(
    `'last_event_id' (or the header Last-Event-ID) must be the id of an event of this stream; leave it out to begin now.`,
  );
}

export const queryHandlers = ({
  queries,
  queryLog,
  labels,
  feed,
  names,
}: QueryRoutesDeps): Handlers<typeof queryOperations, Caller> => ({
  listQueries: async ({ caller, query }) => {
    // So that the response includes entries still in this process's buffer.
    await queryLog.flush();
    const { search, before, start, end, ...filters } = query;
    const wanted = {
      ...wantedFromWire(filters),
      search,
      before,
      fromMs: momentOf(start),
      toMs: momentOf(end),
    };
    const page = await queries.list(caller, wanted, query);
    const guardNames = await names.ofGuards(page.queries);
    return {
      queries: page.queries.map((query) => entryToWire(query, guardNames)),
      total: page.total,
      total_is_exact: page.totalIsExact,
    };
  },
  streamQueries: ({ caller, query, request }) =>
    feed.open(caller, wantedFromWire(query), lastIdFrom(request.lastEventId, query.last_event_id)),
  getQuery: async ({ caller, params }) => {
    await queryLog.flush();
    const query = await queries.get(caller, params.query_id);
    const found = await labels.ofQuery(query);
    return detailToWire(query, found, await names.of(caller.tenantId, [query], found));
  },
  labelQuery: async ({ caller, params, body, request }) => {
    const { policy, policy_group_uuid: groupUuid, label: violates } = body;
    const added = await labels.add({ caller, request }, params.query_id, { policy, groupUuid, violates });
    return labelToWire(added, await names.of(caller.tenantId, [], [added]));
  },
  deleteQueryLabels: async ({ caller, params, request }) => {
    await labels.remove({ caller, request }, params.query_id);
    return { message: 'The labels of the query were deleted.' };
  },
  listLabels: async ({ caller, params, query }) => {
    const { labels: found, total } = await labels.ofGuard(caller, params.guard_uuid, query);
    const known = await names.of(caller.tenantId, [], found);
    return { labels: found.map((label) => labelToWire(label, known)), total };
  },
});
