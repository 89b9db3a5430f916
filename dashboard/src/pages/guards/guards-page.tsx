import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { keys, policyGuard, type Guard } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { GroupChoice } from './group-choice.tsx';

const column = columnsOf<Guard>();
const number = (header: string, of: (guard: Guard) => string) =>
  column.display({
    id: header,
    header,
    cell: ({ row }) => <span className="whitespace-nowrap tabular-nums">{of(row.original)}</span>,
  });
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Guard',
    cell: ({ row: { original } }) => (
      <div className="flex items-center gap-2">
        <Link
          to="/guards/$guardUuid"
          params={{ guardUuid: original.guard_uuid }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
        {!original.enabled && <Badge tone="warn">off</Badge>}
      </div>
    ),
  }),
  number('Groups', ({ policy_group_uuids: groups }) => String(groups.length)),
  number('Texts', ({ metrics }) => count(metrics.requests_total)),
  number('Flagged', ({ metrics }) => share(metrics.flag_rate)),
  number('p95', ({ metrics }) => milliseconds(metrics.latency_ms_p95)),
  column.display({
    id: 'called',
    header: 'Last called',
    cell: ({ row }) => <Ago at={row.original.metrics.last_called_at} />,
  }),
]);

/** What applications ask: each guard with its groups and how it does. */
export function GuardsPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const guards = useQuery({
    queryKey: keys.guards,
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000 } }),
    refetchInterval: 10_000,
  });
  const newGuard = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> New guard
    </Button>
  );
  return (
    <>
      <PageHead
        title="Guards"
        lead="A guard is what an application asks about a text: it judges by the policy groups that are attached to it."
        actions={newGuard}
      />
      <QueryView query={guards}>
        {({ guards: all }) =>
          all.length === 0 ? (
            <Empty icon={ShieldCheck} title="No guard yet" action={newGuard}>
              Make one for each application, so that each can be as strict as it must be and has figures of
              its own.
            </Empty>
          ) : (
            <DataTable
              label="Guards"
              columns={columns}
              rows={all}
              rowKey={(row) => row.guard_uuid}
              onOpen={({ guard_uuid: guardUuid }) =>
                void navigate({ to: '/guards/$guardUuid', params: { guardUuid } })
              }
            />
          )
        }
      </QueryView>
      {creating && <NewGuard onClose={() => setCreating(false)} />}
    </>
  );
}

function NewGuard({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [groups, setGroups] = useState<readonly string[]>(['00000000-0000-4000-8000-000000000009']);
  const create = useMutation({
    mutationFn: () => policyGuard.createGuard({ body: { name, policy_group_uuids: [...groups] } }),
    onSuccess: async ({ guard_uuid: guardUuid }) => {
      await queries.invalidateQueries({ queryKey: keys.guards });
      await navigate({ to: '/guards/$guardUuid', params: { guardUuid } });
    },
  });
  return (
    <Dialog open onClose={onClose} title="New guard">
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
          placeholder="Support chat"
          required
          maxLength={255}
        />
        <GroupChoice chosen={groups} onChange={setGroups} />
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
