import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileText, Library } from 'lucide-react';
import { useState } from 'react';
import { keys, policyGuard, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Cards } from '../../parts/cards.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { NameField, TextArea } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn, SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { CopyGroupButton } from './copy-group-button.tsx';
import { sharedOf } from './group-sharing.tsx';

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
  ownerColumn(sharedOf),
  column.display({
    id: '#policies',
    header: 'Policies',
    cell: ({ row }) => row.original.policies.length,
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

/** The library: one's own groups, those shared by others, and the templates. */
export function GroupsPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const groups = useQuery({
    queryKey: keys.groupList(owner),
    queryFn: () => policyGuard.listPolicyGroups({ query: { limit: 500, owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="Text policies"
      label="Policy groups"
      byOwner
      lead="A policy describes in words what is not allowed. Groups bundle policies that share one threshold; guards use groups."
      query={groups}
      rowsOf={({ policy_groups: all }) => all.filter(({ is_template: isTemplate }) => !isTemplate)}
      columns={columns}
      rowKey={(row) => row.group_uuid}
      onOpen={({ group_uuid: groupUuid }) =>
        void navigate({ to: '/policies/$groupUuid', params: { groupUuid } })
      }
      create={{ action: 'New group', form: (close) => <NewGroup onClose={close} /> }}
      actions={
        <Button onClick={() => void navigate({ to: '/policies/from-document' })}>
          <FileText className="size-4" aria-hidden /> From a document
        </Button>
      }
      empty={{
        icon: Library,
        title: 'No group yet',
        text: 'Write policies in plain words, or copy a template below and adapt it.',
      }}
      after={({ policy_groups: all }) => (
        <Templates groups={all.filter(({ is_template: isTemplate }) => isTemplate)} />
      )}
    />
  );
}

function Templates({ groups }: { groups: readonly PolicyGroup[] }) {
  return (
    <Cards title="Templates">
      {groups.map((group) => (
        <Card
          key={group.group_uuid}
          head={
            <Link
              to="/policies/$groupUuid"
              params={{ groupUuid: group.group_uuid }}
              className="hover:underline"
            >
              {group.name}
            </Link>
          }
          badge={
            <Badge>
              {group.owner_id === null
                ? `${group.policies.length} policies`
                : `by ${group.owner_name ?? 'unknown user'}`}
            </Badge>
          }
          text={group.description}
          action={<CopyGroupButton group={group} />}
        />
      ))}
    </Cards>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  return (
    <FormDialog
      title="New policy group"
      action="Create"
      onClose={onClose}
      run={() => policyGuard.createPolicyGroup({ body: { name, description, visibility } })}
      changes={keys.groups}
      onDone={({ group_uuid: groupUuid }) =>
        navigate({ to: '/policies/$groupUuid', params: { groupUuid }, search: { shown: 'new' } })
      }
    >
      <NameField name={name} onName={setName} />
      <TextArea
        label="Description"
        rows={3}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
        hint="Who it is for and what it keeps out; for the people who read it after you."
      />
      <SharingChoice kind="group" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
