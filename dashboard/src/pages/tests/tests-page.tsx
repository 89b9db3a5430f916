import { Link, useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useRunning } from '../../frame/use-running.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { SavedViews } from '../../parts/saved-views/saved-views.tsx';
import { Empty, Failure, LoadingRows } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import type { Run, RunState } from './runs.ts';
import { useRuns } from './use-runs.ts';

const tones = { 'under way': 'accent', completed: 'good', failed: 'flag', waiting: 'warn' } as const;

const column = columnsOf<Run>();
const columns = column.columns([
  column.display({ id: 'kind', header: 'Kind', cell: ({ row }) => <Badge>{row.original.kind}</Badge> }),
  column.display({
    id: 'name',
    header: 'Name',
    cell: ({ row: { original } }) => (
      <span className="min-w-0">
        <Link {...original.link} className="font-medium break-words hover:underline">
          {original.name}
        </Link>
        {original.of !== undefined && (
          <span className="block text-[13px] break-words text-ink-soft">{original.of}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'state',
    header: 'State',
    cell: ({ row: { original } }) => <Badge tone={tones[original.state]}>{original.word}</Badge>,
  }),
  column.display({
    id: 'progress',
    header: 'Progress',
    cell: ({ row }) => <Progress run={row.original} />,
  }),
  column.display({ id: 'at', header: 'Started', cell: ({ row }) => <Ago at={row.original.at} /> }),
]);

function Progress({ run: { progress, state, name } }: { run: Run }) {
  if (progress === undefined) return null;
  const { done, total } = progress;
  if (state !== 'under way') return <span className="tabular-nums">{count(total)} tests</span>;
  return (
    <span className="flex items-center gap-2 text-[13px] tabular-nums">
      <progress value={done} max={Math.max(1, total)} aria-label={`Progress of ${name}`} className="w-24" />
      {count(done)} of {count(total)}
    </span>
  );
}

const states: { value: RunState | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'under way', label: 'Under way' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
];

/** Scans and evaluations of all kinds, in one list. */
export function TestsPage() {
  const navigate = useNavigate();
  const running = useRunning();
  const [asked, setState] = useAddress('status');
  const state = states.map(({ value }) => value).find((value) => value === asked) ?? '';
  const { runs, isPending, errors } = useRuns();
  const rows = state === '' ? runs : runs.filter((run) => run.state === state);
  const start = (
    <>
      {running('mcp-scan') && (
        <Button onClick={() => void navigate({ to: '/mcp-scans/new' })}>Scan an MCP server</Button>
      )}
      {running('model-scan') && (
        <Button onClick={() => void navigate({ to: '/model-scans/new' })}>Scan a model</Button>
      )}
      {running('red-team') && (
        <Button onClick={() => void navigate({ to: '/red-team/new' })}>Attack an agent</Button>
      )}
    </>
  );
  return (
    <>
      <PageHead
        title="Tests"
        lead="Scans of MCP servers and models, and attacks on agents: what is under way, and what was found."
        actions={start}
      />
      <SavedViews of={['status']} />
      <div className="mb-6 max-w-60">
        <SelectField label="State" value={state} options={states} onChoice={setState} />
      </div>
      {errors.map((error) => (
        <div key={error.message} className="mb-4">
          <Failure error={error} />
        </div>
      ))}
      {isPending ? (
        <LoadingRows />
      ) : rows.length === 0 ? (
        <Empty icon={FlaskConical} title={state === '' ? 'Nothing has been tested yet' : 'No such test'}>
          Before an agent meets an MCP server, or a product a model, see what is wrong with it. All of it runs
          on this machine.
        </Empty>
      ) : (
        <DataTable
          label="Tests"
          columns={columns}
          rows={rows}
          rowKey={({ key }) => key}
          onOpen={({ link }) => void navigate(link)}
        />
      )}
    </>
  );
}
