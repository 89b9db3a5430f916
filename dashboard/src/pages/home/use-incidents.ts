import { useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../api/action-guard.ts';
import { agentGateway, type GatewayCall } from '../../api/agent-gateway.ts';
import { monitoring, type QueryEntry } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';
import {
  ofAction as ofActionEntry,
  ofCall as ofCallEntry,
  ofText as ofTextEntry,
  type Entry,
} from '../activity/entry.ts';
import { useBlockedActions } from './use-last-day-actions.ts';

export interface Incident {
  readonly key: string;
  readonly kind: 'text' | 'action' | 'tool call';
  readonly at: string;
  readonly title: string;
  readonly detail: string;
  /** How often the same happened, among the newest. */
  readonly times: number;
  /** Its own page. */
  readonly link: Entry['link'];
}

const dayMs = 86_400_000;
const mostShown = 8;
/** Of each kind: enough to find the shown ones where the same happened several times. */
const mostRead = 40;
/** Of what happens the page is told. */
const refetchInterval = 120_000;

const ofText = (query: QueryEntry): Incident => ({
  key: query.query_id,
  kind: 'text',
  times: 1,
  at: query.timestamp,
  title: query.text ?? `A text of ${query.text_length} characters that was not kept`,
  detail: query.policies.join(', '),
  link: ofTextEntry(query).link,
});

const lowerCase = (text: string) => text.toLowerCase();

const ofAction = (entry: LogEntry): Incident => ({
  key: entry.id,
  kind: 'action',
  times: 1,
  at: entry.timestamp,
  title: entry.tool_name ?? 'A reply without a tool',
  detail: [
    ...(entry.held ? ['held for approval'] : []),
    ...new Set([entry.threat_category.replaceAll('_', ' '), ...entry.violation_categories.map(lowerCase)]),
  ].join(', '),
  link: ofActionEntry(entry).link,
});

const ofCall = (call: GatewayCall): Incident => ({
  key: call.id,
  kind: 'tool call',
  times: 1,
  at: call.timestamp,
  title: `${call.tool_name} at ${call.gateway_name ?? 'a deleted gateway'}`,
  detail: `${call.outcome === 'approval_denied' ? 'held for approval' : call.outcome.replaceAll('_', ' ')}: ${call.reason}`,
  link: ofCallEntry(call).link,
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

function useRefusedCalls(since: () => number) {
  return useQuery({
    queryKey: ['gateway-calls', 'refused'],
    queryFn: () =>
      agentGateway.listAllCalls({
        query: { allowed: 'false', start: new Date(since()).toISOString(), limit: mostRead },
      }),
    enabled: useRunning()('agent-gateway'),
    refetchInterval,
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
        query: { outcome: 'flagged', start: new Date(since()).toISOString(), limit: mostRead },
      }),
    enabled: runs('policy-guard'),
    refetchInterval,
  });
  const actions = useBlockedActions(mostRead);
  const calls = useRefusedCalls(since);
  const isCall = ({ gateway_id: gatewayId }: LogEntry) => gatewayId !== null && runs('agent-gateway');
  const incidents = [
    ...(texts.data?.queries.map(ofText) ?? []),
    // Actions blocked at a gateway are already listed among its calls.
    ...(actions.data?.logs.filter((entry) => !isCall(entry)).map(ofAction) ?? []),
    ...(calls.data?.calls.map(ofCall) ?? []),
  ]
    .filter(({ at }) => new Date(at).getTime() >= since())
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return {
    incidents: grouped(incidents).slice(0, mostShown),
    isPending: texts.isLoading || actions.isLoading || calls.isLoading,
  };
}
