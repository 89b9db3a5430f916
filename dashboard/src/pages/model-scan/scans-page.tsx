import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows, Plus, ShieldQuestion } from 'lucide-react';
import { isRunning, listScans, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { count } from '../../parts/numbers.ts';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { sharedOf } from './scan-sharing.tsx';
import { StatusBadge } from './status-badge.tsx';

const column = columnsOf<Scan>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Scan',
    cell: ({ row: { original } }) => (
      <div className="flex flex-wrap items-center gap-2">
        <Link
          to="/model-scans/$scanId"
          params={{ scanId: original.scan_id }}
          className="font-medium break-words hover:underline"
        >
          {original.scan_name}
        </Link>
        {original.sandbox && <Badge>sandbox</Badge>}
      </div>
    ),
  }),
  column.display({
    id: 'model',
    header: 'Model',
    cell: ({ row }) => <span className="break-words">{row.original.model_name}</span>,
  }),
  column.display({ id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge {...row.original} /> }),
  column.display({
    id: '#done',
    header: 'Tests',
    cell: ({ row: { original } }) =>
      isRunning(original)
        ? `${count(original.passed_line)} of ${count(original.total)}`
        : count(original.total),
  }),
  ownerColumn<Scan>(sharedOf),
  column.display({
    id: 'created',
    header: 'Started',
    cell: ({ row }) => <Ago at={row.original.created_at} />,
  }),
]);

const refreshMs = 3000;

/** All scans of models, the newest first. */
export function ModelScansPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const query = useQuery({
    queryKey: [...modelScanKey, 'scans', owner],
    queryFn: () => listScans(owner),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? refreshMs : false),
  });
  return (
    <ListPage
      title="Model scans"
      lead="How safe a model is: data sets of cases are sent to it, with and without attacks, and its replies are judged."
      query={query}
      rowsOf={(scans) => scans}
      columns={columns}
      byOwner
      rowKey={({ scan_id: id }) => id}
      onOpen={({ scan_id: scanId }) => void navigate({ to: '/model-scans/$scanId', params: { scanId } })}
      actions={
        <>
          <Button onClick={() => void navigate({ to: '/model-scans/compare' })}>
            <GitCompareArrows className="size-4" aria-hidden /> Compare
          </Button>
          <Button kind="primary" onClick={() => void navigate({ to: '/model-scans/new' })}>
            <Plus className="size-4" aria-hidden /> New scan
          </Button>
        </>
      }
      empty={{
        icon: ShieldQuestion,
        title: 'No scan yet',
        text: 'A sandbox scan of 24 cases takes seconds and shows whether the connection to your model works.',
      }}
    />
  );
}
