import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type ActionPolicy } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ActionPolicyEditor } from './policy-editor.tsx';
import { RuleList } from './rule-list.tsx';

/** One policy with its rules and what they became. */
export function ActionPolicyPage() {
  const { policyId } = useParams({ from: '/action-policies/$policyId' });
  const policy = useQuery({
    queryKey: actionKeys.policy(policyId),
    queryFn: () => actionGuard.getPolicy({ params: { policy_id: policyId } }),
  });
  return <QueryView query={policy}>{(data) => <PolicyView policy={data} />}</QueryView>;
}

function PolicyView({ policy }: { policy: ActionPolicy }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const remove = async () => {
    await actionGuard.deletePolicy({ params: { policy_id: policy.id } });
    toast.success(`“${policy.name}” is deleted.`);
    await navigate({ to: '/action-policies' });
    await queries.invalidateQueries({ queryKey: actionKeys.policies, exact: true });
  };
  return (
    <>
      <PageHead
        above={
          <Link to="/action-policies" className="hover:underline">
            Rules
          </Link>
        }
        title={policy.name}
        lead={policy.description}
        actions={
          policy.is_template ? (
            <Badge tone="accent">Preset, read only</Badge>
          ) : (
            <>
              <Button kind="primary" onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Confirm
                trigger={
                  <Button kind="danger">
                    <Trash2 className="size-4" aria-hidden /> Delete
                  </Button>
                }
                title={`Delete “${policy.name}”?`}
                action="Delete policy"
                run={remove}
              >
                It leaves every policy set at once.
              </Confirm>
            </>
          )
        }
      />
      <Panel title={`${policy.rule_count} rules`}>
        <RuleList rules={policy.rules} />
      </Panel>
      {editing && <ActionPolicyEditor policy={policy} onClose={() => setEditing(false)} />}
    </>
  );
}
