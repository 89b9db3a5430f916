import { useQuery } from '@tanstack/react-query';
import { redTeam, redTeamKey } from '../../api/red-team.ts';
import { CheckList } from '../../parts/check-list.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';

/** Which tasks an evaluation selects from; nothing where there are none but the product’s. */
export function TaskSetChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'task-sets', 'all'],
    queryFn: () => redTeam.listTaskSets({}),
  });
  if (data === undefined || data.task_sets.length === 0) return null;
  const own = data.task_sets.map(({ task_set_id: id, name, tasks }) => ({ id, name, note: count(tasks) }));
  return (
    <Panel title="Tasks" note="Without a choice: the tasks of the product.">
      <div role="group" aria-label="Tasks">
        <CheckList
          choices={[{ id: 'shipped', name: 'Tasks of the product', note: '' }, ...own]}
          chosen={chosen}
          onChange={onChange}
        />
      </div>
    </Panel>
  );
}
