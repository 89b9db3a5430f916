import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { GitCompareArrows, Plus, Swords } from 'lucide-react';
import { type EvaluationWithStats, isUnderWay, redTeam, redTeamKey } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { count } from '../../parts/numbers.ts';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { RunBadge } from './badges.tsx';
import { sharedOf } from './shared-of.ts';
import { rateText } from './words.ts';

const column = columnsOf<EvaluationWithStats>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Evaluation',
    cell: ({ row: { original } }) => (
      <Link
        to="/red-team/evaluations/$evaluationId"
        params={{ evaluationId: original.evaluation_id }}
        className="font-medium break-words hover:underline"
      >
        {original.name}
      </Link>
    ),
  }),
  column.display({
    id: 'agent',
    header: 'Agent',
    cell: ({ row: { original } }) => (
      <span className="break-words">{original.agent_name ?? original.agent_endpoint}</span>
    ),
  }),
  column.display({
    id: '#tasks',
    header: 'Tasks',
    cell: ({ row }) => count(row.original.total_tasks),
  }),
  column.display({
    id: 'last',
    header: 'Last run',
    cell: ({ row: { original } }) =>
      original.last_run === null ? (
        <span className="text-ink-soft">none yet</span>
      ) : (
        <Link
          to="/red-team/runs/$runId"
          params={{ runId: original.last_run.run_id }}
          className="inline-flex flex-wrap items-center gap-x-2 hover:underline"
        >
          <RunBadge {...original.last_run} /> <Ago at={original.last_run.created_at} />
        </Link>
      ),
  }),
  column.display({
    id: '#asr',
    header: 'Attack success',
    cell: ({ row: { original } }) => (original.rates === null ? '–' : rateText(original.rates.asr)),
  }),
  column.display({
    id: '#utility',
    header: 'Work done',
    cell: ({ row: { original } }) => (original.rates === null ? '–' : rateText(original.rates.utility)),
  }),
  ownerColumn<EvaluationWithStats>(sharedOf),
]);

const refreshMs = 3000;

/** All evaluations of agents, the newest first. */
export function EvaluationsPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const query = useQuery({
    queryKey: [...redTeamKey, 'evaluations', owner],
    queryFn: () => redTeam.listEvaluationsWithStats({ query: { owner } }),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) =>
      state.data?.evaluations.some(({ last_run: run }) => run !== null && isUnderWay(run)) === true
        ? refreshMs
        : false,
  });
  return (
    <ListPage
      title="Evaluations"
      lead="How an agent behaves under attack: it works on tasks in sandboxed environments, and is judged by what it did there."
      query={query}
      rowsOf={({ evaluations }) => evaluations}
      columns={columns}
      byOwner
      rowKey={({ evaluation_id: id }) => id}
      onOpen={({ evaluation_id: evaluationId }) =>
        void navigate({ to: '/red-team/evaluations/$evaluationId', params: { evaluationId } })
      }
      actions={
        <>
          <Button onClick={() => void navigate({ to: '/red-team/compare' })}>
            <GitCompareArrows className="size-4" aria-hidden /> Compare
          </Button>
          <Button kind="primary" onClick={() => void navigate({ to: '/red-team/new' })}>
            <Plus className="size-4" aria-hidden /> New evaluation
          </Button>
        </>
      }
      empty={{
        icon: Swords,
        title: 'No evaluation yet',
        text: 'Register an agent, or a scripted one to try things with, and build an evaluation of thirty tasks: it takes a minute.',
      }}
    />
  );
}
