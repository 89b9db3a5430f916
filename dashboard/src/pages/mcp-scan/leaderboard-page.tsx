import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Trophy } from 'lucide-react';
import { mcpScan, scanKey, type PublishedServer } from '../../api/mcp-scan.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/field.tsx';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { LevelBadge } from './badges.tsx';

const column = columnsOf<PublishedServer>();
const columns = column.columns([
  column.display({
    id: 'server',
    header: 'Server',
    cell: ({ row: { original } }) => (
      <a
        href={original.github_url}
        target="_blank"
        rel="noreferrer"
        className="font-medium break-all hover:underline"
      >
        {original.server_name}
      </a>
    ),
  }),
  column.display({ id: '#score', header: 'Score', cell: ({ row }) => row.original.score }),
  column.display({
    id: 'security',
    header: 'Security',
    cell: ({ row }) => <LevelBadge level={row.original.security} />,
  }),
  column.display({
    id: 'complexity',
    header: 'Complexity',
    cell: ({ row }) => <LevelBadge level={row.original.complexity} />,
  }),
  column.display({
    id: 'sensitivity',
    header: 'Sensitivity',
    cell: ({ row }) => <LevelBadge level={row.original.sensitivity} />,
  }),
  column.display({
    id: '#findings',
    header: 'Findings',
    cell: ({ row }) => count(row.original.vulnerability_count),
  }),
  column.display({
    id: '#flagged',
    header: 'Flagged tools',
    cell: ({ row }) => count(row.original.prompt_injection_flagged_count),
  }),
  column.display({
    id: 'commit',
    header: 'Commit',
    cell: ({ row }) => (
      <code className="font-mono text-[13px] text-ink-soft">{row.original.commit_hash?.slice(0, 10)}</code>
    ),
  }),
  column.display({
    id: 'at',
    header: 'Scanned',
    cell: ({ row }) => <Ago at={row.original.last_scanned_at} />,
  }),
]);

/** Public repositories whose owners let their newest scan be seen, best first. */
export function LeaderboardPage() {
  const [search, setSearch] = useAddress('words');
  const summary = useQuery({
    queryKey: [...scanKey, 'leaderboard', 'summary'],
    queryFn: () => mcpScan.getLeaderboardSummary(),
  });
  const query = useQuery({
    queryKey: [...scanKey, 'leaderboard', search],
    queryFn: () => mcpScan.listLeaderboard({ query: { page_size: 100, ...(search !== '' && { search }) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead
        title="Leaderboard"
        lead="Public repositories whose scans were published, best first. A new scan of the repository replaces its entry; anybody can see this list without signing in."
      />
      {summary.data !== undefined && summary.data.server_count > 0 && (
        <dl className="mb-6 grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Figure name="Servers" value={count(summary.data.server_count)} />
          <Figure name="Average score" value={summary.data.average_score?.toFixed(0) ?? '–'} note="of 100" />
          <Figure name="High concern" value={count(summary.data.by_security.high)} />
          <Figure name="Findings" value={count(summary.data.vulnerability_count)} />
        </dl>
      )}
      <div className="mb-4 max-w-md">
        <TextField
          label="Name contains"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          maxLength={200}
        />
      </div>
      <QueryView query={query}>
        {({ servers, total }) =>
          servers.length === 0 ? (
            <Empty icon={Trophy} title={search === '' ? 'Nothing is published yet' : 'No such server'}>
              A scan of a public repository appears here once its owner chooses to show it.
            </Empty>
          ) : (
            <>
              <p className="mb-2 text-[13px] text-ink-soft">{count(total)} servers</p>
              <DataTable
                label="Leaderboard"
                columns={columns}
                rows={servers}
                rowKey={({ github_url: url }) => url}
              />
            </>
          )
        }
      </QueryView>
    </>
  );
}
