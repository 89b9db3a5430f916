import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type EvaluationWithStats, redTeam, redTeamKey } from '../../api/red-team.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { countText, rateText } from './words.ts';

type Measured = EvaluationWithStats & { readonly rates: NonNullable<EvaluationWithStats['rates']> };

const column = columnsOf<Measured>();
const columns = column.columns([
  column.display({
    id: 'agent',
    header: 'Agent',
    cell: ({ row: { original } }) => (
      <span className="font-medium break-words">{original.agent_name ?? original.agent_endpoint}</span>
    ),
  }),
  column.display({
    id: 'evaluation',
    header: 'Evaluation',
    cell: ({ row: { original } }) => (
      <Link
        to="/red-team/evaluations/$evaluationId"
        params={{ evaluationId: original.evaluation_id }}
        className="break-words hover:underline"
      >
        {original.name}
      </Link>
    ),
  }),
  column.display({
    id: '#asr',
    header: 'Attack success',
    cell: ({ row: { original } }) => (
      <span title={countText(original.rates.asr)}>{rateText(original.rates.asr)}</span>
    ),
  }),
  column.display({
    id: '#delivered',
    header: 'Given delivery',
    cell: ({ row: { original } }) => rateText(original.rates.asr_delivered),
  }),
  column.display({
    id: '#utility',
    header: 'Work done',
    cell: ({ row: { original } }) => rateText(original.rates.utility),
  }),
  column.display({
    id: '#errors',
    header: 'Not assessed',
    cell: ({ row: { original } }) => rateText(original.rates.error_rate),
  }),
]);

const isMeasured = (each: EvaluationWithStats): each is Measured => each.rates !== null;

/** The newest completed run of each evaluation, agents beside each other: the most easily attacked first. */
export function AgentFigures() {
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'evaluations', 'all'],
    queryFn: () => redTeam.listEvaluationsWithStats({ query: { owner: 'all' } }),
  });
  const rows = (data?.evaluations ?? [])
    .filter(isMeasured)
    .toSorted((a, b) => (b.rates.asr.rate ?? 0) - (a.rates.asr.rate ?? 0));
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="mb-3 font-semibold tracking-tight">Agents compared</h2>
      <p className="mb-3 max-w-[68ch] text-sm text-ink-soft">
        The newest completed run of each evaluation. Figures of different evaluations stand on different
        tasks;{' '}
        <Link to="/red-team/compare" className="underline">
          compare two runs
        </Link>{' '}
        for the tasks that both have.
      </p>
      <DataTable
        label="Agents compared"
        columns={columns}
        rows={rows}
        rowKey={({ evaluation_id: id }) => id}
      />
    </section>
  );
}
