import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { columnsOf } from '../../parts/data-table.tsx';
import { NameField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn, SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { PolicyChoice } from './policy-choice.tsx';
import { sharedOf } from './policy-sharing.tsx';

type ListedSet = Awaited<ReturnType<typeof actionGuard.listPolicySets>>['policy_sets'][number];

const column = columnsOf<ListedSet>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Set',
    cell: ({ row: { original } }) => (
      <Link to="/action-sets/$setId" params={{ setId: original.id }} className="font-medium hover:underline">
        {original.name}
      </Link>
    ),
  }),
  ownerColumn<ListedSet>(sharedOf),
  column.display({
    id: '#policies',
    header: 'Policies',
    cell: ({ row }) => row.original.policy_count,
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

/** The policy sets, which are used to judge agents' actions. */
export function ActionSetsPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const sets = useQuery({
    queryKey: actionKeys.setList(owner),
    queryFn: () => actionGuard.listPolicySets({ query: { owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="Policy sets"
      lead="An agent’s next action is judged by a set: the rules of its policies, and what happens when one is violated."
      query={sets}
      rowsOf={({ policy_sets: all }) => all}
      columns={columns}
      byOwner
      rowKey={(row) => row.id}
      onOpen={({ id }) => void navigate({ to: '/action-sets/$setId', params: { setId: id } })}
      create={{ action: 'New set', form: (close) => <NewSet onClose={close} /> }}
    />
  );
}

function NewSet({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  const [policies, setPolicies] = useState<readonly string[]>([]);
  return (
    <FormDialog
      title="New policy set"
      action="Create"
      onClose={onClose}
      run={() => actionGuard.createPolicySet({ body: { name, visibility, policy_ids: [...policies] } })}
      changes={actionKeys.sets}
      onDone={({ policy_id: setId }) => navigate({ to: '/action-sets/$setId', params: { setId } })}
    >
      <NameField name={name} onName={setName} />
      <PolicyChoice chosen={policies} onChange={setPolicies} />
      <SharingChoice kind="set" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
