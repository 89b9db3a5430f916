import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../api/action-guard.ts';
import { agentGateway, gatewayKeys } from '../../api/agent-gateway.ts';
import { useChanges } from '../../api/changes.ts';
import { useRunning } from '../../frame/use-running.ts';
import { useUser } from '../../session/use-session.ts';
import { useToolNames } from '../shadow-ai/use-tool-names.ts';
import type { Kind, Verdict } from './entry.ts';
import { merge } from './merge.ts';
import { sources } from './sources.ts';

export interface ActivityFilter {
  readonly kind: Kind | undefined;
  readonly verdict: Verdict | undefined;
  readonly hours: number;
}

const hourMs = 3_600_000;
/** The page is told of all but AI tools on devices. */
const liveMs = 30_000;
const activityKeys = { texts: [['activity']], actions: [['activity']], calls: [['activity']] };

/** Whether a judged action is also in the calls that this user sees; undefined until that is known. */
function useListedAsCall(): ((entry: LogEntry) => boolean) | undefined {
  const running = useRunning();
  const { isAdmin } = useUser();
  const isNeeded = running('agent-gateway') && !isAdmin;
  const { data } = useQuery({
    queryKey: gatewayKeys.gatewayList('me'),
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000, owner: 'me' } }),
    enabled: isNeeded,
  });
  if (!running('agent-gateway')) return () => false;
  if (isAdmin) return ({ gateway_id: id }) => id !== null;
  if (data === undefined) return undefined;
  const own = new Set(data.items.map(({ id }) => id));
  return ({ gateway_id: id }) => id !== null && own.has(id);
}

/** What all services judged or noticed, newest first, page by page. */
export function useActivity({ kind, verdict, hours }: ActivityFilter, isLive: boolean) {
  const running = useRunning();
  const isListedAsCall = useListedAsCall();
  const toolName = useToolNames();
  const wanted = sources(isListedAsCall ?? (() => false), toolName).filter(
    (source) =>
      running(source.service) &&
      (kind === undefined || source.kind === kind) &&
      (verdict === undefined || source.verdicts.includes(verdict)),
  );
  const query = useInfiniteQuery({
    queryKey: ['activity', kind, verdict, hours, wanted.map((source) => source.kind)],
    queryFn: async ({ pageParam }) => {
      const now = Date.now();
      const range = {
        start: new Date(now - hours * hourMs).toISOString(),
        end: pageParam ?? new Date(now + hourMs).toISOString(),
      };
      const read = await Promise.allSettled(wanted.map((source) => source.read(range, verdict)));
      const failures = read.flatMap((page, i) =>
        page.status === 'rejected' ? [{ kind: wanted[i]?.kind, error: page.reason as unknown }] : [],
      );
      return {
        ...merge(read.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []))),
        failures,
      };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextEnd }) => nextEnd,
    enabled: isListedAsCall !== undefined,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (isLive && (state.data?.pages.length ?? 0) <= 1 ? liveMs : false),
  });
  // Whoever reads further back keeps what they read.
  useChanges(isLive && (query.data?.pages.length ?? 1) <= 1 ? activityKeys : undefined);
  return query;
}
