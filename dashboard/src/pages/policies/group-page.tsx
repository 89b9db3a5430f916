import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { keys, policyGuard, type Policy, type PolicyGroup } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { GroupHistory } from './group-history.tsx';
import { GroupSettings } from './group-settings.tsx';
import { GroupTester } from './group-tester.tsx';
import { Lab } from './lab.tsx';
import { PolicyEditor } from './policy-editor.tsx';

const tab =
  'border-b-2 border-transparent px-1 py-2.5 text-sm text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink';

/** One group: its policies, how strict it is, what it says to a text, and how it came to be. */
export function GroupPage() {
  const { groupUuid } = useParams({ from: '/policies/$groupUuid' });
  const group = useQuery({
    queryKey: keys.group(groupUuid),
    queryFn: () => policyGuard.getPolicyGroup({ params: { group_uuid: groupUuid } }),
  });
  return <QueryView query={group}>{(data) => <Group group={data} />}</QueryView>;
}

function Group({ group }: { group: PolicyGroup }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const shipped = group.owner_id === null;
  const remove = async () => {
    await policyGuard.deletePolicyGroup({ params: { group_uuid: group.group_uuid } });
    toast.success(`“${group.name}” is deleted.`);
    await navigate({ to: '/policies' });
    await queries.invalidateQueries({ queryKey: keys.groups, exact: true });
  };
  return (
    <>
      <PageHead
        above={
          <Link to="/policies" className="hover:underline">
            Policies
          </Link>
        }
        title={group.name}
        lead={group.description}
        actions={
          shipped ? (
            <Badge tone="accent">Template, read only</Badge>
          ) : (
            <Confirm
              trigger={
                <Button kind="danger">
                  <Trash2 className="size-4" aria-hidden /> Delete
                </Button>
              }
              title={`Delete “${group.name}”?`}
              action="Delete group"
              run={remove}
            >
              Guards that judge by it stop doing so. Its history goes with it.
            </Confirm>
          )
        }
      />
      <Tabs.Root defaultValue="policies">
        <Tabs.List aria-label="Parts of the group" className="mb-6 flex gap-6 border-b border-line">
          <Tabs.Trigger value="policies" className={tab}>
            Policies
          </Tabs.Trigger>
          <Tabs.Trigger value="test" className={tab}>
            Try a text
          </Tabs.Trigger>
          <Tabs.Trigger value="settings" className={tab}>
            Strictness
          </Tabs.Trigger>
          {!shipped && (
            <Tabs.Trigger value="lab" className={tab}>
              Lab
            </Tabs.Trigger>
          )}
          <Tabs.Trigger value="history" className={tab}>
            History
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="policies" tabIndex={-1}>
          <Policies group={group} editable={!shipped} />
        </Tabs.Content>
        <Tabs.Content value="test" tabIndex={-1}>
          <GroupTester group={group} />
        </Tabs.Content>
        <Tabs.Content value="settings" tabIndex={-1}>
          <GroupSettings group={group} editable={!shipped} />
        </Tabs.Content>
        {!shipped && (
          <Tabs.Content value="lab" tabIndex={-1}>
            <Lab group={group} />
          </Tabs.Content>
        )}
        <Tabs.Content value="history" tabIndex={-1}>
          <GroupHistory group={group} />
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}

function Policies({ group, editable }: { group: PolicyGroup; editable: boolean }) {
  const [editing, setEditing] = useState<Policy | 'new'>();
  return (
    <>
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
      {editable && (
        <Button
          className="mt-4"
          kind={group.policies.length === 0 ? 'primary' : 'plain'}
          onClick={() => setEditing('new')}
        >
          <Plus className="size-4" aria-hidden /> Add a policy
        </Button>
      )}
      {editing !== undefined && (
        <PolicyEditor
          group={group}
          {...(editing !== 'new' && { policy: editing })}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
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
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      policyGuard.removePolicy({ params: { group_uuid: group.group_uuid, policy_id: policy._id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.groups }),
  });
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
            <Confirm
              trigger={
                <Button size="small" kind="quiet" aria-label={`Delete ${policy.name}`}>
                  <Trash2 className="size-4" aria-hidden />
                </Button>
              }
              title={`Delete “${policy.name}”?`}
              action="Delete policy"
              run={() => remove.mutateAsync()}
            >
              The group’s history keeps it, and can bring it back.
            </Confirm>
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
      <p className="mt-2 text-sm text-ink-soft">Nothing said.</p>
    ) : (
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm marker:text-line-strong">
        {activities.map((activity) => (
          <li key={activity}>{activity}</li>
        ))}
      </ul>
    )}
  </div>
);
