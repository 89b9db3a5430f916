import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Library, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { keys, policyGuard, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const column = columnsOf<PolicyGroup>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Group',
    cell: ({ row: { original } }) => (
      <div className="max-w-md">
        <Link
          to="/policies/$groupUuid"
          params={{ groupUuid: original.group_uuid }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
        {original.description !== '' && (
          <p className="line-clamp-1 text-[13px] text-ink-soft">{original.description}</p>
        )}
      </div>
    ),
  }),
  column.display({
    id: 'policies',
    header: 'Policies',
    cell: ({ row: { original } }) => <span className="tabular-nums">{original.policies.length}</span>,
  }),
  column.display({
    id: 'point',
    header: 'Threshold',
    cell: ({ row: { original } }) => (
      <span className="whitespace-nowrap tabular-nums">
        {original.threshold.toFixed(2)} <span className="text-ink-soft">{original.strictness_level}</span>
      </span>
    ),
  }),
  column.display({
    id: 'changed',
    header: 'Changed',
    cell: ({ row: { original } }) => <Ago at={original.updated_at} />,
  }),
]);

/** The library: one's own groups, and the templates to begin with. */
export function GroupsPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const groups = useQuery({
    queryKey: keys.groups,
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500 } }),
  });
  const open = (group: PolicyGroup) =>
    void navigate({ to: '/policies/$groupUuid', params: { groupUuid: group.group_uuid } });
  const newGroup = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> New group
    </Button>
  );
  return (
    <>
      <PageHead
        title="Policies"
        lead="A policy says in words what may not pass. Groups bundle policies that share one threshold; guards judge by groups."
        actions={newGroup}
      />
      <QueryView query={groups}>
        {({ policy_groups: all }) => {
          const own = all.filter(({ is_template: isTemplate }) => !isTemplate);
          return (
            <div className="grid gap-9">
              {own.length === 0 ? (
                <Empty icon={Library} title="No group of your own yet" action={newGroup}>
                  Write policies in plain words, or copy a template below and change what does not fit.
                </Empty>
              ) : (
                <DataTable
                  label="Your policy groups"
                  columns={columns}
                  rows={own}
                  rowKey={(row) => row.group_uuid}
                  onOpen={open}
                />
              )}
              <Templates groups={all.filter(({ is_template: isTemplate }) => isTemplate)} />
            </div>
          );
        }}
      </QueryView>
      {creating && <NewGroup onClose={() => setCreating(false)} />}
    </>
  );
}

function Templates({ groups }: { groups: readonly PolicyGroup[] }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const copy = useMutation({
    mutationFn: (group: PolicyGroup) =>
      policyGuard.copyPolicyGroup({ params: { group_uuid: group.group_uuid }, query: { name: group.name } }),
    onSuccess: async ({ group_uuid: groupUuid }) => {
      await queries.invalidateQueries({ queryKey: keys.groups });
      await navigate({ to: '/policies/$groupUuid', params: { groupUuid } });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <section aria-labelledby="templates">
      <h2 id="templates" className="mb-3 font-semibold tracking-tight">
        Templates
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {groups.map((group) => (
          <li
            key={group.group_uuid}
            className="flex flex-col rounded-xl border border-line bg-panel p-5 shadow-panel"
          >
            <div className="flex items-start justify-between gap-2">
              <Link
                to="/policies/$groupUuid"
                params={{ groupUuid: group.group_uuid }}
                className="font-medium hover:underline"
              >
                {group.name}
              </Link>
              <Badge>{group.policies.length} policies</Badge>
            </div>
            <p className="mt-1.5 line-clamp-3 flex-1 text-[13px] text-ink-soft">{group.description}</p>
            <Button
              size="small"
              className="mt-4 self-start"
              busy={copy.isPending && copy.variables.group_uuid === group.group_uuid}
              onClick={() => copy.mutate(group)}
              aria-label={`Copy ${group.name}`}
            >
              <Copy className="size-3.5" aria-hidden /> Copy and edit
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useMutation({
    mutationFn: () => policyGuard.createPolicyGroup({ body: { name, description } }),
    onSuccess: async ({ group_uuid: groupUuid }) => {
      await queries.invalidateQueries({ queryKey: keys.groups });
      await navigate({ to: '/policies/$groupUuid', params: { groupUuid } });
    },
  });
  return (
    <Dialog open onClose={onClose} title="New policy group">
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
        <TextArea
          label="Description"
          rows={3}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
          hint="Who it is for and what it keeps out; for the people who read it after you."
        />
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
