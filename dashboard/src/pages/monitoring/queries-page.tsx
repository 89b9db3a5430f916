import { Navigate, useNavigate } from '@tanstack/react-router';
import { Radio, ScrollText } from 'lucide-react';
import { useCallback, useDeferredValue, useState } from 'react';
import type { QueryEntry, QueryFilter } from '../../api/monitoring.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, Switch, TextField } from '../../parts/field.tsx';
import { count, milliseconds } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { useGuardNames } from './use-guard-names.ts';
import { useKeptQueries } from './use-kept-queries.ts';
import { useLiveQueries } from './use-live-queries.ts';

const column = columnsOf<QueryEntry>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.timestamp} /> }),
  column.display({
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row }) => <OutcomeBadge outcome={row.original.outcome} />,
  }),
  column.display({
    id: 'text',
    header: 'Text',
    cell: ({ row: { original } }) => (
      <div className="max-w-xl">
        {original.text === null ? (
          <span className="text-ink-soft">not kept, {original.text_length} characters</span>
        ) : (
          <span className="line-clamp-2 break-words">{original.text}</span>
        )}
        {original.policies.length > 0 && (
          <span className="mt-1 flex flex-wrap gap-1">
            {original.policies.map((policy) => (
              <Badge key={policy} tone="flag">
                {policy}
              </Badge>
            ))}
          </span>
        )}
      </div>
    ),
  }),
  column.display({
    id: 'guard',
    header: 'Guard',
    cell: ({ row }) => <span className="text-ink-soft">{row.original.guard_name ?? 'unknown guard'}</span>,
  }),
  column.display({
    id: '#took',
    header: 'Took',
    cell: ({ row: { original } }) => (original.from_cache ? 'cached' : milliseconds(original.latency_ms)),
  }),
]);

const outcomes = [
  { value: '', label: 'All' },
  { value: 'flagged', label: 'Flagged' },
  { value: 'observed', label: 'Observed' },
  { value: 'passed', label: 'Passed' },
  { value: 'allowed', label: 'Allowed' },
];

/** The query log: live, or searched. */
export function QueriesPage() {
  const [guardUuid, setGuardUuid] = useAddress('guard');
  const [outcome, setOutcome] = useAddress('outcome');
  const [search, setSearch] = useAddress('words');
  const [shown] = useAddress('shown');
  const navigate = useNavigate();
  const [live, setLive] = useState(true);
  const filter: QueryFilter = {
    ...(guardUuid !== '' && { guard_uuid: guardUuid }),
    ...(outcome !== '' && { outcome: outcome as NonNullable<QueryFilter['outcome']> }),
  };
  const queries = useKeptQueries(filter, useDeferredValue(search));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queries;
  const goFurtherBack = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const following = live && search === '';
  const newest = useLiveQueries(filter, following);
  const guards = useGuardNames();
  // Old addresses of a query.
  if (shown !== '') return <Navigate to="/activity/texts/$queryId" params={{ queryId: shown }} replace />;
  return (
    <>
      <PageHead
        title="Queries"
        lead="Texts sent to guards and their verdicts. A guard logs its queries if “Log requests” is on."
      />
      <SavedViews of={['guard', 'outcome', 'words']} />
      <div className="mb-6 grid grid-cols-2 items-end gap-x-3 gap-y-4 lg:grid-cols-[1fr_1fr_2fr_auto]">
        <SelectField
          label="Guard"
          value={guardUuid}
          options={[
            { value: '', label: 'All' },
            ...[...(guards ?? [])].map(([value, label]) => ({ value, label })),
          ]}
          onChoice={setGuardUuid}
        />
        <SelectField label="Outcome" value={outcome} options={outcomes} onChoice={setOutcome} />
        <TextField
          label="Words of the text"
          type="search"
          value={search}
          placeholder="all of these words"
          onChange={({ target }) => setSearch(target.value)}
        />
        <div className="pb-2">
          <Switch label="Live" checked={following} onChange={setLive} disabled={search !== ''} />
        </div>
      </div>
      {newest.failure !== undefined && (
        <div className="mb-4">
          <Failure error={newest.failure} />
        </div>
      )}
      <QueryView query={queries}>
        {({ pages }) => {
          const rows = joined(
            newest.entries,
            pages.flatMap(({ queries: kept }) => kept),
          );
          const { total = 0, total_is_exact: exact = true } = pages[0] ?? {};
          return rows.length === 0 ? (
            <Empty
              icon={following ? Radio : ScrollText}
              title={following ? 'Waiting for a query' : 'Nothing found'}
            >
              Switch “Log requests” on in a guard’s settings; its queries appear here as they are made.
            </Empty>
          ) : (
            <>
              <p className="mb-2 text-[13px] text-ink-soft" aria-live="off">
                {exact ? count(total) : `more than ${count(total)}`} kept
                {newest.entries.length > 0 && `, ${newest.entries.length} new since you came`}
              </p>
              <DataTable
                label="Queries"
                columns={columns}
                rows={rows}
                rowKey={(row) => row.query_id}
                onOpen={({ query_id: queryId }) =>
                  void navigate({ to: '/activity/texts/$queryId', params: { queryId } })
                }
                openLabel={({ outcome: found, text }) => `Open ${found} query ${text?.slice(0, 40) ?? ''}`}
                onNearEnd={goFurtherBack}
              />
            </>
          );
        }}
      </QueryView>
    </>
  );
}

/** The stream may repeat entries that are already in the list. */
function joined(newest: readonly QueryEntry[], kept: readonly QueryEntry[]): QueryEntry[] {
  const known = new Set(kept.map(({ query_id: id }) => id));
  return [...newest.filter(({ query_id: id }) => !known.has(id)), ...kept];
}
