import { useInfiniteQuery } from '@tanstack/react-query';
import { type Evaluation, redTeam, redTeamKey } from '../../api/red-team.ts';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { KindBadges } from './badges.tsx';
import { domainName } from './words.ts';

type Task = Awaited<ReturnType<typeof redTeam.listEvaluationTasks>>['tasks'][number];

const column = columnsOf<Task>();
const columns = column.columns([
  column.display({
    id: 'title',
    header: 'Task',
    cell: ({ row: { original } }) => (
      <>
        <span className="font-medium break-words">{original.title}</span>
        <span className="block font-mono text-xs break-all text-ink-soft">{original.task_id}</span>
      </>
    ),
  }),
  column.display({ id: 'domain', header: 'Domain', cell: ({ row }) => domainName(row.original.domain) }),
  column.display({
    id: 'kind',
    header: 'Kind',
    cell: ({ row }) => (
      <span className="flex flex-wrap gap-1">
        <KindBadges task={row.original} />
      </span>
    ),
  }),
]);

const pageSize = 200;

/** The tasks that every run of the evaluation has. */
export function TaskTable({ evaluation }: { evaluation: Evaluation }) {
  const query = useInfiniteQuery({
    queryKey: [...redTeamKey, 'tasks', evaluation.evaluation_id],
    queryFn: ({ pageParam }) =>
      redTeam.listEvaluationTasks({
        params: { evaluation_id: evaluation.evaluation_id },
        query: { limit: String(pageSize), offset: String(pageParam) },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const shown = pages.reduce((sum, { tasks }) => sum + tasks.length, 0);
      return shown < total ? shown : undefined;
    },
    staleTime: Infinity,
  });
  return (
    <QueryView query={query}>
      {({ pages }) => (
        <DataTable
          label="Tasks"
          columns={columns}
          rows={pages.flatMap(({ tasks }) => tasks)}
          rowKey={({ task_id: id }) => id}
          onNearEnd={() => {
            if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
          }}
        />
      )}
    </QueryView>
  );
}
