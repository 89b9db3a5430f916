import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileSearch, GitCompareArrows, Plus } from 'lucide-react';
import { isUnderWay, mcpScan, scanKey, type ScanSummary } from '../../api/mcp-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { OwnerFilterField, useOwnerFilter } from '../../parts/owner-filter.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { LevelBadge, SeverityCounts, StatusBadge } from './badges.tsx';
import { LiveStage } from './live-stage.tsx';

const pageSize = 50;
const kinds = { file: 'archive', github: 'repository', mcp: 'server' } as const;
const statuses = [
  { value: '', label: 'Any' },
  { value: 'pending,processing', label: 'Under way' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'needs_auth', label: 'Needs a token' },
];

const column = columnsOf<ScanSummary>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Scan',
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/mcp-scans/$scanId"
          params={{ scanId: String(original.id) }}
          className="font-medium break-all hover:underline"
        >
          {original.filename}
        </Link>
        <Badge>{kinds[original.scan_type]}</Badge>
      </span>
    ),
  }),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge status={original.status} />
        {isUnderWay(original) && <LiveStage scan={original} />}
      </span>
    ),
  }),
  column.display({
    id: 'security',
    header: 'Security',
    cell: ({ row }) => <LevelBadge level={row.original.security} />,
  }),
  column.display({
    id: 'findings',
    header: 'Findings',
    cell: ({ row }) => <SeverityCounts scan={row.original} />,
  }),
  column.display({
    id: 'tools',
    header: 'Flagged tools',
    cell: ({ row: { original } }) =>
      original.prompt_injection_total_count === 0 ? (
        <span className="text-ink-soft">–</span>
      ) : (
        <span className={original.prompt_injection_flagged_count > 0 ? 'text-flag' : undefined}>
          {original.prompt_injection_flagged_count} of {original.prompt_injection_total_count}
        </span>
      ),
  }),
  column.display({ id: 'by', header: 'By', cell: ({ row }) => row.original.user_name ?? '–' }),
  column.display({ id: 'at', header: 'Made', cell: ({ row }) => <Ago at={row.original.upload_time} /> }),
]);

/** Scans of MCP servers, the newest first, with what those under way do now. */
export function ScansPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const [search, setSearch] = useAddress('words');
  const [status, setStatus] = useAddress('status');
  const query = useInfiniteQuery({
    queryKey: [...scanKey, 'list', owner, search, status],
    queryFn: ({ pageParam }) =>
      mcpScan.listScans({
        query: {
          page: pageParam,
          page_size: pageSize,
          owner,
          ...(search !== '' && { search }),
          ...(status !== '' && { status }),
        },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total_pages: pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ scans }) => scans.some(isUnderWay)) === true ? 3000 : 15_000,
  });
  const isFiltered = search !== '' || status !== '' || owner === 'me';
  const create = (
    <Button kind="primary" onClick={() => void navigate({ to: '/mcp-scans/new' })}>
      <Plus className="size-4" aria-hidden /> New scan
    </Button>
  );
  return (
    <>
      <PageHead
        title="Scans"
        lead="What is wrong with an MCP server, before an agent meets it: its source, its tools’ descriptions, its dependencies."
        actions={
          <>
            <Button onClick={() => void navigate({ to: '/mcp-scans/compare' })}>
              <GitCompareArrows className="size-4" aria-hidden /> Compare
            </Button>
            {create}
          </>
        }
      />
      <SavedViews of={['owner', 'words', 'status']} />
      <OwnerFilterField />
      <div className="mb-4 grid gap-3 sm:grid-cols-[2fr_1fr]">
        <TextField
          label="Name contains"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          maxLength={200}
        />
        <SelectField label="Status" value={status} options={statuses} onChoice={setStatus} />
      </div>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ scans }) => scans);
          return rows.length === 0 ? (
            <Empty
              icon={FileSearch}
              title={isFiltered ? 'No such scan' : 'Nothing has been scanned yet'}
              action={!isFiltered && create}
            >
              {isFiltered
                ? 'No scan that you may see has these properties.'
                : 'Drop the source of an MCP server, or give the address of its repository or of the running server. Source is never run, and tools are never called.'}
            </Empty>
          ) : (
            <>
              <p className="mb-2 text-[13px] text-ink-soft">{count(pages.at(-1)?.total ?? 0)} scans</p>
              <DataTable
                label="Scans"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => String(id)}
                onOpen={({ id }) =>
                  void navigate({ to: '/mcp-scans/$scanId', params: { scanId: String(id) } })
                }
                onNearEnd={() => {
                  if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
                }}
              />
            </>
          );
        }}
      </QueryView>
    </>
  );
}
