import { createClient } from '#base/contract/client.ts';
import { governanceOperations } from '#services/policy-guard/contract/governance.ts';
import { queryOperations } from '#services/policy-guard/contract/queries.ts';
import { authorisedFetch } from '../session/session.ts';
import { events } from './event-stream.ts';

const baseUrl = '/services/policy-guard';

export const monitoring = createClient(
  { ...queryOperations, ...governanceOperations },
  { baseUrl, fetch: authorisedFetch },
);

export type QueryEntry = Awaited<ReturnType<typeof monitoring.listQueries>>['queries'][number];
export type QueryDetail = Awaited<ReturnType<typeof monitoring.getQuery>>;
export type QueryFilter = Pick<
  NonNullable<NonNullable<Parameters<typeof monitoring.listQueries>[0]>['query']>,
  'guard_uuid' | 'outcome' | 'policy'
>;
/** The query key of one query. */
export const textKey = (queryId: string) => ['query', queryId];

export type Hours = Awaited<ReturnType<typeof monitoring.getGovernanceHours>>;
export type Governance = Awaited<ReturnType<typeof monitoring.getGovernanceSummary>>;

/** Entries as they happen, until `signal` aborts; reconnects when the connection ends. */
export async function followQueries(
  filter: QueryFilter,
  onEntry: (entry: QueryEntry) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  await events(`${baseUrl}${queryOperations.streamQueries.path}?${query}`, {
    fetch: authorisedFetch,
    signal,
    onEvent: ({ event, data }) => {
      if (event === 'query') onEntry(JSON.parse(data) as QueryEntry);
    },
  });
}
