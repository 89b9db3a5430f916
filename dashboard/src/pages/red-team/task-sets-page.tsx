import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { redTeam, redTeamKey, type TaskSet } from '../../api/red-team.ts';
import { columnsOf } from '../../parts/data-table.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { count } from '../../parts/numbers.ts';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { sharedOf } from './shared-of.ts';
import { UploadTasks } from './upload-tasks.tsx';

const column = columnsOf<TaskSet>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Set',
    cell: ({ row }) => <span className="font-medium break-words">{row.original.name}</span>,
  }),
  column.display({ id: '#tasks', header: 'Tasks', cell: ({ row }) => count(row.original.tasks) }),
  ownerColumn<TaskSet>(sharedOf),
  column.display({
    id: 'created',
    header: 'Uploaded',
    cell: ({ row }) => <Ago at={row.original.created_at} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (
      <div className="flex justify-end">
        <DeleteRowButton
          noun="set of tasks"
          name={original.name}
          changes={redTeamKey}
          run={() => redTeam.deleteTaskSet({ params: { task_set_id: original.task_set_id } })}
        >
          Evaluations keep the tasks that were made of it.
        </DeleteRowButton>
      </div>
    ),
  }),
]);

/** Tasks that the tenant has brought along. */
export function TaskSetsPage() {
  const owner = useOwnerFilter();
  const query = useQuery({
    queryKey: [...redTeamKey, 'task-sets', owner],
    queryFn: () => redTeam.listTaskSets({ query: { owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="Own tasks"
      lead="Your own scenarios and goals of attacks, for the environments of the product. Each task is proved before it is stored: its honest work succeeds, its attack counts as one, and doing nothing counts as neither."
      query={query}
      rowsOf={({ task_sets: sets }) => sets}
      columns={columns}
      byOwner
      rowKey={({ task_set_id: id }) => id}
      create={{ action: 'Upload', form: (close) => <UploadTasks onClose={close} /> }}
      empty={{
        icon: ListChecks,
        title: 'No tasks of your own',
        text: 'Write what your agent does all day as scenarios, and what must never happen as goals; the guide to environments shows a file of twenty lines.',
      }}
    />
  );
}
