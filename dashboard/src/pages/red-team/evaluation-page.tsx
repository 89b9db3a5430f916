import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ListChecks, Play } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { type Evaluation, isUnderWay, redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { count } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, messageOf } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Ago } from '../../parts/time.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { RunBadge } from './badges.tsx';
import { ReportList } from './report-list.tsx';
import { SelectionFacts } from './selection-facts.tsx';
import { StartRunDialog } from './start-run-dialog.tsx';
import { TaskTable } from './task-table.tsx';

const list = { to: '/red-team', name: 'Evaluations' } as const;
const refreshMs = 3000;

/** One evaluation: its runs, tasks and reports. */
export function EvaluationPage() {
  const { evaluationId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...redTeamKey, 'evaluation', evaluationId],
    queryFn: () => redTeam.getEvaluation({ params: { evaluation_id: evaluationId } }),
  });
  return (
    <QueryView query={query} list={list}>
      {(evaluation) => <Shown evaluation={evaluation} />}
    </QueryView>
  );
}

function Shown({ evaluation }: { evaluation: Evaluation }) {
  const [starting, setStarting] = useState(false);
  const mayChange = useMayChange(evaluation.owner_id);
  const id = evaluation.evaluation_id;
  return (
    <>
      <PageHead
        list={list}
        title={evaluation.name}
        lead={`${count(evaluation.total_tasks)} tasks for ${evaluation.agent_name ?? evaluation.agent_endpoint}`}
        actions={
          <>
            <QuickRun evaluation={evaluation} />
            <Button onClick={() => setStarting(true)}>Run with options</Button>
            {mayChange && (
              <DeletePageButton
                noun="evaluation"
                name={evaluation.name}
                list="/red-team"
                changes={redTeamKey}
                run={() => redTeam.deleteEvaluation({ params: { evaluation_id: id } })}
              >
                Its runs, their results and reports are deleted with it.
              </DeletePageButton>
            )}
          </>
        }
      />
      {starting && <StartRunDialog evaluation={evaluation} onClose={() => setStarting(false)} />}
      <Tabs
        label="Parts of the evaluation"
        parts={[
          { value: 'runs', name: 'Runs', content: () => <Runs evaluation={evaluation} /> },
          { value: 'tasks', name: 'Tasks', content: () => <TaskTable evaluation={evaluation} /> },
          { value: 'reports', name: 'Reports', content: () => <Reports evaluationId={id} /> },
          {
            value: 'selection',
            name: 'Selection',
            content: () => <SelectionFacts evaluation={evaluation} />,
          },
        ]}
      />
    </>
  );
}

/** Creates and starts a run, and shows it. */
function QuickRun({ evaluation }: { evaluation: Evaluation }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: async () => {
      const { run_id: runId } = await redTeam.createRun({
        body: { evaluation_id: evaluation.evaluation_id },
      });
      return redTeam.startRun({ params: { run_id: runId } });
    },
    onSuccess: async ({ run_id: runId }) => {
      await queries.invalidateQueries({ queryKey: redTeamKey });
      await navigate({ to: '/red-team/runs/$runId', params: { runId } });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Button kind="primary" busy={start.isPending} onClick={() => start.mutate()}>
      <Play className="size-4" aria-hidden /> Run
    </Button>
  );
}

const column = columnsOf<Run>();
const columns = column.columns([
  column.display({
    id: 'run',
    header: 'Run',
    cell: ({ row: { original } }) => (
      <Link
        to="/red-team/runs/$runId"
        params={{ runId: original.run_id }}
        className="font-medium hover:underline"
      >
        <Ago at={original.created_at} />
      </Link>
    ),
  }),
  column.display({ id: 'status', header: 'Status', cell: ({ row }) => <RunBadge {...row.original} /> }),
  column.display({
    id: '#tasks',
    header: 'Tasks',
    cell: ({ row: { original } }) => count(original.counts.total),
  }),
  column.display({
    id: '#failed',
    header: 'Failed',
    cell: ({ row: { original } }) => count(original.counts.failed),
  }),
  column.display({
    id: '#errors',
    header: 'Not assessed',
    cell: ({ row: { original } }) => count(original.counts.error),
  }),
  column.display({
    id: 'through',
    header: 'Through',
    cell: ({ row: { original } }) => (
      <span className="break-words">{original.config.gateway_name ?? 'no gateway'}</span>
    ),
  }),
  column.display({ id: 'who', header: 'Started by', cell: ({ row }) => row.original.owner_name ?? '' }),
]);

function Runs({ evaluation }: { evaluation: Evaluation }) {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: [...redTeamKey, 'runs', evaluation.evaluation_id],
    queryFn: () =>
      redTeam.listEvaluationRuns({
        params: { evaluation_id: evaluation.evaluation_id },
        query: { limit: '200' },
      }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isUnderWay) === true ? refreshMs : false),
  });
  return (
    <QueryView query={query}>
      {({ runs }) =>
        runs.length === 0 ? (
          <Empty icon={ListChecks} title="No run yet">
            A run gives every task of the evaluation to the agent, each in environments of its own.
          </Empty>
        ) : (
          <DataTable
            label="Runs"
            columns={columns}
            rows={runs}
            rowKey={({ run_id: id }) => id}
            onOpen={({ run_id: runId }) => void navigate({ to: '/red-team/runs/$runId', params: { runId } })}
          />
        )
      }
    </QueryView>
  );
}

function Reports({ evaluationId }: { evaluationId: string }) {
  const query = useQuery({
    queryKey: [...redTeamKey, 'reports', evaluationId],
    queryFn: () => redTeam.listReports({ params: { evaluation_id: evaluationId } }),
    refetchInterval: ({ state }) =>
      state.data?.reports.some(({ status }) => status === 'queued' || status === 'rendering') === true
        ? 1000
        : false,
  });
  return <QueryView query={query}>{({ reports }) => <ReportList reports={reports} />}</QueryView>;
}
