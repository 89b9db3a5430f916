import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { PolicyChoice } from './policy-choice.tsx';

type ListedSet = Awaited<ReturnType<typeof actionGuard.listPolicySets>>['policy_sets'][number];

const column = columnsOf<ListedSet>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Set',
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2">
        <Link
          to="/action-sets/$setId"
          params={{ setId: original.id }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
        {original.created_by === null && <Badge tone="accent">built in</Badge>}
      </span>
    ),
  }),
  column.display({
    id: 'policies',
    header: 'Policies',
    cell: ({ row }) => <span className="tabular-nums">{row.original.policy_count}</span>,
  }),
  column.display({
    id: 'id',
    header: 'Id for programs',
    cell: ({ row }) => <code className="font-mono text-[13px]">{row.original.id}</code>,
  }),
  column.display({
    id: 'changed',
    header: 'Changed',
    cell: ({ row }) => <Ago at={row.original.updated_at} />,
  }),
]);

/** What agents' actions are judged by. */
export function ActionSetsPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const sets = useQuery({ queryKey: actionKeys.sets, queryFn: () => actionGuard.listPolicySets() });
  return (
    <>
      <PageHead
        title="Policy sets"
        lead="An agent’s next action is judged by a set: the rules of its policies, and what happens when one is violated."
        actions={
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden /> New set
          </Button>
        }
      />
      <QueryView query={sets}>
        {({ policy_sets: all }) => (
          <DataTable
            label="Policy sets"
            columns={columns}
            rows={all}
            rowKey={(row) => row.id}
            onOpen={({ id }) => void navigate({ to: '/action-sets/$setId', params: { setId: id } })}
          />
        )}
      </QueryView>
      {creating && <NewSet onClose={() => setCreating(false)} />}
    </>
  );
}

function NewSet({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [policies, setPolicies] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: () => actionGuard.createPolicySet({ body: { name, policy_ids: [...policies] } }),
    onSuccess: async ({ policy_id: setId }) => {
      await queries.invalidateQueries({ queryKey: actionKeys.sets });
      await navigate({ to: '/action-sets/$setId', params: { setId } });
    },
  });
  return (
    <Dialog open onClose={onClose} title="New policy set">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={255}
        />
        <PolicyChoice chosen={policies} onChange={setPolicies} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
