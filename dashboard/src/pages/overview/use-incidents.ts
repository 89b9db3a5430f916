import { useQueries, useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../api/action-guard.ts';
import { agentGateway, gatewayKeys, type Gateway, type GatewayCall } from '../../api/agent-gateway.ts';
import { monitoring, type QueryEntry } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';
import type { Address } from '../../parts/use-address.ts';
import { useUser } from '../../session/use-session.ts';
import { useLastDayActions } from './use-last-day-actions.ts';

/** Where to read more. */
type IncidentPlace =
  | { readonly to: '/queries' | '/actions'; readonly search: Address }
  | {
      readonly to: '/gateways/$gatewayId';
      readonly params: { gatewayId: string };
      readonly search: Address;
    };

export interface Incident {
  readonly key: string;
  readonly kind: 'text' | 'action' | 'tool call';
  readonly at: string;
  readonly title: string;
  readonly detail: string;
  /** How often the same happened in the last day. */
  readonly times: number;
  readonly link: IncidentPlace;
}

const dayMs = 86_400_000;
const mostShown = 8;
const mostTexts = 200;
/** If there are more gateways, the newest ones are used. */
const mostGateways = 10;

const ofText = (query: QueryEntry): Incident => ({
  key: query.query_id,
  kind: 'text',
  times: 1,
  at: query.timestamp,
  title: query.text ?? `A text of ${query.text_length} characters that was not kept`,
  detail: query.policies.join(', '),
  link: { to: '/queries', search: { shown: query.query_id } },
});

const lowerCase = (text: string) => text.toLowerCase();

const ofAction = (entry: LogEntry): Incident => ({
  key: entry.id,
  kind: 'action',
  times: 1,
  at: entry.timestamp,
  title: entry.tool_name ?? 'A reply without a tool',
  detail: [
    ...new Set([entry.threat_category.replaceAll('_', ' '), ...entry.violation_categories.map(lowerCase)]),
  ].join(', '),
  link: { to: '/actions', search: { session: entry.session_id } },
});

const ofCall = (gateway: Gateway, call: GatewayCall): Incident => ({
  key: call.id,
  kind: 'tool call',
  times: 1,
  at: call.timestamp,
  title: `${call.tool_name} at ${gateway.name}`,
  detail: `${call.outcome.replaceAll('_', ' ')}: ${call.reason}`,
  link: {
    to: '/gateways/$gatewayId',
    params: { gatewayId: gateway.id },
    search: { tab: 'calls', outcome: 'false' },
  },
});

/** Equal incidents become one line, with the time of the newest. */
function grouped(incidents: readonly Incident[]): Incident[] {
  const groups = new Map<string, Incident>();
  for (const incident of incidents) {
    const key = [incident.kind, incident.title, incident.detail].join('\n');
    const known = groups.get(key);
    groups.set(key, known === undefined ? incident : { ...known, times: known.times + 1 });
  }
  return [...groups.values()];
}

function useRefusedCalls(): { incidents: Incident[]; isPending: boolean } {
  const enabled = useRunning()('agent-gateway');
  const { id: userId, isAdmin } = useUser();
  const gateways = useQuery({
    queryKey: gatewayKeys.gatewayList('all'),
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000 } }),
    enabled,
  });
  // Users cannot see the calls of a gateway that is only shared with them.
  const own = (gateways.data?.items ?? []).filter(({ created_by: owner }) => isAdmin || owner === userId);
  return useQueries({
    queries: own.slice(0, mostGateways).map((gateway) => ({
      queryKey: [...gatewayKeys.calls(gateway.id), 'refused'],
      queryFn: async () => {
        const { calls } = await agentGateway.listCalls({
          params: { gateway_id: gateway.id },
          query: { allowed: 'false' as const, limit: mostShown },
        });
        return calls.map((call) => ofCall(gateway, call));
      },
      refetchInterval: 15_000,
    })),
    combine: (results) => ({
      incidents: results.flatMap(({ data }) => data ?? []),
      isPending: enabled && gateways.isPending,
    }),
  });
}

/** What all services blocked or flagged in the last day, newest first. */
export function useIncidents(): { incidents: Incident[]; isPending: boolean } {
  const runs = useRunning();
  const since = () => Date.now() - dayMs;
  const texts = useQuery({
    queryKey: ['queries', 'incidents'],
    queryFn: () =>
      monitoring.listQueries({
        query: { outcome: 'flagged', start: new Date(since()).toISOString(), limit: mostTexts },
      }),
    enabled: runs('policy-guard'),
    refetchInterval: 15_000,
  });
  const actions = useLastDayActions();
  const calls = useRefusedCalls();
  const isCall = ({ gateway_id: gatewayId }: LogEntry) => gatewayId !== null && runs('agent-gateway');
  const incidents = [
    ...(texts.data?.queries.map(ofText) ?? []),
    // Actions blocked at a gateway are already listed among its calls.
    ...(actions.data?.logs?.filter((entry) => !entry.allowed && !isCall(entry)).map(ofAction) ?? []),
    ...calls.incidents,
  ]
    .filter(({ at }) => new Date(at).getTime() >= since())
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return {
    incidents: grouped(incidents).slice(0, mostShown),
    isPending: texts.isLoading || actions.isLoading || calls.isPending,
  };
}
