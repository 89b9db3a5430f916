import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { keys, policyGuard, type Policy, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton, DeleteRowButton } from '../../parts/delete-button.tsx';
import { AddableList, PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useMayChange } from '../../session/use-session.ts';
import { CopyGroupButton } from './copy-group-button.tsx';
import { GroupHistory } from './group-history.tsx';
import { GroupSharing } from './group-sharing.tsx';
import { GroupSettings } from './group-settings.tsx';
import { GroupTester } from './group-tester.tsx';
import { Lab } from './lab.tsx';
import { PolicyEditor } from './policy-editor.tsx';

const list = { to: '/policies', name: 'Text policies' } as const;

/** One group: policies, strictness, test, lab and history. */
export function GroupPage() {
  const { groupUuid } = useParams({ from: '/policies/$groupUuid' });
  const group = useQuery({
    queryKey: keys.group(groupUuid),
    queryFn: () => policyGuard.getPolicyGroup({ params: { group_uuid: groupUuid } }),
  });
  return (
    <QueryView query={group} list={list}>
      {(data) => <Group group={data} />}
    </QueryView>
  );
}

function Group({ group }: { group: PolicyGroup }) {
  const shipped = group.owner_id === null;
  const mayChange = useMayChange(group.owner_id);
  return (
    <>
      <PageHead
        list={list}
        title={group.name}
        lead={group.description}
        actions={
          <>
            {shipped && <Badge tone="accent">Template, read only</Badge>}
            {!mayChange && <CopyGroupButton group={group} prominent />}
            {mayChange && (
              <DeletePageButton
                noun="group"
                name={group.name}
                run={() => policyGuard.deletePolicyGroup({ params: { group_uuid: group.group_uuid } })}
                list="/policies"
                changes={keys.groupLists}
              >
                Its history is deleted too. A group that a guard uses cannot be deleted.
              </DeletePageButton>
            )}
          </>
        }
      />
      <GroupSharing group={group} />
      <Tabs
        label="Parts of the group"
        parts={[
          {
            value: 'policies',
            name: 'Policies',
            content: () => <Policies group={group} editable={mayChange} />,
          },
          { value: 'test', name: 'Try a text', content: () => <GroupTester group={group} /> },
          {
            value: 'settings',
            name: 'Strictness',
            content: () => <GroupSettings group={group} editable={mayChange} />,
          },
          ...(mayChange ? [{ value: 'lab', name: 'Lab', content: () => <Lab group={group} /> }] : []),
          // Earlier versions may never have been shared.
          ...(mayChange || shipped
            ? [{ value: 'history', name: 'History', content: () => <GroupHistory group={group} /> }]
            : []),
        ]}
      />
    </>
  );
}

function Policies({ group, editable }: { group: PolicyGroup; editable: boolean }) {
  // A group that was just created asks for its first policy at once.
  const [shown, setShown] = useAddress('shown');
  const [editing, setEditing] = useState<Policy | 'new' | undefined>(
    shown === 'new' && editable ? 'new' : undefined,
  );
  const close = () => {
    setEditing(undefined);
    if (shown === 'new') setShown('');
  };
  const add = editable && (
    <Button kind="primary" onClick={() => setEditing('new')}>
      <Plus className="size-4" aria-hidden /> Add a policy
    </Button>
  );
  return (
    <AddableList
      note="What is not allowed, in words, each with examples of what it blocks and allows."
      action={add}
    >
      <ul className="grid gap-4">
        {group.policies.map((policy) => (
          <PolicyCard
            key={policy._id}
            group={group}
            policy={policy}
            editable={editable}
            onEdit={() => setEditing(policy)}
          />
        ))}
      </ul>
      {editing !== undefined && (
        <PolicyEditor group={group} {...(editing !== 'new' && { policy: editing })} onClose={close} />
      )}
    </AddableList>
  );
}

function PolicyCard({
  group,
  policy,
  editable,
  onEdit,
}: {
  group: PolicyGroup;
  policy: Policy;
  editable: boolean;
  onEdit: () => void;
}) {
  return (
    <li className="rounded-xl border border-line bg-panel p-5 shadow-panel">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="flex items-center gap-2 font-semibold tracking-tight">
          {policy.name} {!policy.enabled && <Badge tone="warn">off</Badge>}
        </h2>
        {editable && (
          <div className="flex gap-2">
            <Button size="small" onClick={onEdit} aria-label={`Edit ${policy.name}`}>
              Edit
            </Button>
            <DeleteRowButton
              noun="policy"
              name={policy.name}
              run={() =>
                policyGuard.removePolicy({ params: { group_uuid: group.group_uuid, policy_id: policy._id } })
              }
              changes={keys.groups}
            >
              The group’s history keeps it, and can bring it back.
            </DeleteRowButton>
          </div>
        )}
      </div>
      {policy.description !== '' && (
        <p className="mt-1 max-w-[75ch] text-sm text-ink-soft">{policy.description}</p>
      )}
      <div className="mt-4 grid gap-5 md:grid-cols-2">
        <Activities title="Blocks" tone="flag" activities={policy.block_activities} />
        <Activities title="Allows" tone="good" activities={policy.safe_activities} />
      </div>
    </li>
  );
}

const Activities = ({
  title,
  tone,
  activities,
}: {
  title: string;
  tone: 'flag' | 'good';
  activities: readonly string[];
}) => (
  <div>
    <Badge tone={tone}>{title}</Badge>
    {activities.length === 0 ? (
      <p className="mt-2 text-sm text-ink-soft">No examples given.</p>
    ) : (
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm marker:text-line-strong">
        {activities.map((activity) => (
          <li key={activity}>{activity}</li>
        ))}
      </ul>
    )}
  </div>
);
