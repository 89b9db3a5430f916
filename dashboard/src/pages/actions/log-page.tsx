import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { actionGuard, actionKeys, type LogEntry, type LogStats } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty, LoadingRows } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';

import { actionWord } from '../activity/entry.ts';
import { Approvals } from './approvals.tsx';

const CategoryChart = lazy(async () => {
  const { CategoryChart: chart } = await import('./category-chart.tsx');
  return { default: chart };
});

const words = (category: string) => category.replaceAll('_', ' ');

const column = columnsOf<LogEntry>();
const columns = column.columns([
  column.display({ id: 'time', header: 'When', cell: ({ row }) => <Ago at={row.original.timestamp} /> }),
  column.display({
    id: 'verdict',
    header: 'Verdict',
    cell: ({ row: { original } }) => (
      <span className="flex gap-1.5">
        <Badge tone={original.allowed ? 'good' : original.held ? 'warn' : 'flag'}>
          {actionWord({ ...original, warnings_count: 0 })}
        </Badge>
        {original.warnings_count > 0 && <Badge tone="warn">{original.warnings_count} warnings</Badge>}
      </span>
    ),
  }),
  column.display({
    id: 'tool',
    header: 'Tool',
    cell: ({ row: { original } }) => (
      <span>
        <code className="font-mono text-[13px]">{original.tool_name ?? '–'}</code>
        {original.server_name !== null && (
          <span className="block text-[13px] text-ink-soft">{original.server_name}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'rule',
    header: 'Rule',
    cell: ({ row: { original } }) => (
      <span className="block max-w-72">
        <span className="block truncate" title={original.rule ?? undefined}>
          {original.rule ?? ''}
        </span>
        {original.threat_category !== 'none' && (
          <span className="block text-[13px] text-ink-soft">{words(original.threat_category)}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row }) => row.original.user_name ?? 'unknown user',
  }),
  column.display({
    id: 'session',
    header: 'Session',
    cell: ({ row }) => (
      <span className="block max-w-40 truncate font-mono text-[13px]">{row.original.session_id}</span>
    ),
  }),
  column.display({
    id: '#took',
    header: 'Took',
    cell: ({ row }) => milliseconds(row.original.latency_ms),
  }),
]);

const hourMs = 3_600_000;
const windows = [
  { value: 'all', label: 'All time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
];
const pageSize = 100;

/** The action log: what agents tried to do, and what was allowed, held or blocked. */
export function ActionLogPage() {
  const [asked, setHours] = useAddress('hours');
  const [session, setSession] = useAddress('session');
  const hours = asked === '' ? '24' : asked;
  const [page, setPage] = useState(0);
  const navigate = useNavigate();
  const logs = useQuery({
    queryKey: [...actionKeys.logs, hours, session, page],
    queryFn: () =>
      actionGuard.listLogs({
        query: {
          limit: pageSize,
          offset: page * pageSize,
          ...(hours !== 'all' && { start_date: new Date(Date.now() - Number(hours) * hourMs).toISOString() }),
          ...(session !== '' && { session_id: session }),
        },
      }),
    placeholderData: (previous) => previous,
    refetchInterval: 5_000,
  });
  return (
    <>
      <PageHead
        title="Actions"
        lead="Every action that was judged: what the agent wanted, what the rules said."
      />
      <SavedViews of={['hours', 'session']} />
      <div className="mb-6 grid max-w-xl grid-cols-2 gap-4">
        <SelectField
          label="Window"
          value={hours}
          options={windows}
          onChoice={(next) => {
            setHours(next);
            setPage(0);
          }}
        />
        <TextField
          label="Session"
          value={session}
          placeholder="any"
          onChange={({ target }) => {
            setSession(target.value);
            setPage(0);
          }}
        />
      </div>
      <div className="mb-6 empty:hidden">
        <Approvals />
      </div>
      <QueryView query={logs}>
        {({ stats, logs: entries = [], total = 0 }) => (
          <div className="grid gap-6">
            <Stats stats={stats} />
            {entries.length === 0 ? (
              <Empty icon={Activity} title="No action here">
                Nothing was judged in this window. Trials of the playground are not logged; applications send
                traces to /api/v1/guard_actions.
              </Empty>
            ) : (
              <DataTable
                label="Actions"
                columns={columns}
                rows={entries}
                rowKey={(row) => row.id}
                onOpen={({ id: logId }) =>
                  void navigate({ to: '/activity/actions/$logId', params: { logId } })
                }
                openLabel={({ tool_name: tool }) => `Open ${tool ?? 'reply'}`}
              />
            )}
            {total > pageSize && (
              <nav aria-label="Pages" className="flex items-center gap-3 text-sm">
                <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <span className="text-ink-soft tabular-nums">
                  {page * pageSize + 1}–{Math.min((page + 1) * pageSize, total)} of {count(total)}
                </span>
                <Button
                  size="small"
                  disabled={(page + 1) * pageSize >= total}
                  onClick={() => setPage(page + 1)}
                >
                  Older
                </Button>
              </nav>
            )}
          </div>
        )}
      </QueryView>
    </>
  );
}

function Stats({ stats }: { stats: LogStats }) {
  const categories = Object.entries(stats.threat_categories).toSorted(([, a], [, b]) => b - a);
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Judged" value={count(stats.total_evaluations)} />
        <Figure
          name="Blocked"
          value={count(stats.total_violations - stats.total_held)}
          {...(stats.total_held > 0 && { note: `${count(stats.total_held)} more held for approval` })}
        />
        <Figure name="Allowed" value={stats.total_evaluations === 0 ? '–' : share(stats.approval_rate)} />
        <Figure name="Sessions" value={count(stats.unique_sessions)} />
      </dl>
      {categories.length > 0 && (
        <Panel title="Blocked or held, by threat">
          <Suspense fallback={<LoadingRows rows={3} />}>
            <CategoryChart data={categories.map(([category, n]) => ({ category: words(category), n }))} />
          </Suspense>
        </Panel>
      )}
    </div>
  );
}
