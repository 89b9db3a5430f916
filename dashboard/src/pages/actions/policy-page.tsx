import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { actionGuard, actionKeys, type ActionPolicy } from '../../api/action-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { ActionPolicyEditor } from './policy-editor.tsx';
import { PolicySharing } from './policy-sharing.tsx';
import { newRuleKey } from './rule/new-rule-key.ts';
import { RuleList } from './rule-list.tsx';

const list = { to: '/action-policies', name: 'Rules' } as const;

/** One policy: its rules, and how each was compiled. */
export function ActionPolicyPage() {
  const { policyId } = useParams({ from: '/action-policies/$policyId' });
  const policy = useQuery({
    queryKey: actionKeys.policy(policyId),
    queryFn: () => actionGuard.getPolicy({ params: { policy_id: policyId } }),
  });
  return (
    <QueryView query={policy} list={list}>
      {(data) => <PolicyView policy={data} />}
    </QueryView>
  );
}

function PolicyView({ policy }: { policy: ActionPolicy }) {
  const [editing, setEditing] = useState(false);
  const mayChange = useMayChange(policy.created_by);
  return (
    <>
      <PageHead
        list={list}
        title={policy.name}
        lead={policy.description}
        actions={
          policy.is_template ? (
            <Badge tone="accent">Preset, read only</Badge>
          ) : (
            mayChange && (
              <>
                <Link
                  to="/action-policies/$policyId/rules/$ruleKey"
                  params={{ policyId: policy.id, ruleKey: newRuleKey }}
                  className="inline-flex h-9 items-center rounded-lg border border-line-strong bg-panel px-3.5 text-sm font-medium hover:bg-raised"
                >
                  Write a rule
                </Link>
                <Button kind="primary" onClick={() => setEditing(true)}>
                  Edit
                </Button>
                <DeletePageButton
                  noun="policy"
                  name={policy.name}
                  run={() => actionGuard.deletePolicy({ params: { policy_id: policy.id } })}
                  list="/action-policies"
                  changes={actionKeys.policyLists}
                >
                  Your policy sets lose its rules at once. A policy that sets of other users contain cannot be
                  deleted.
                </DeletePageButton>
              </>
            )
          )
        }
      />
      <PolicySharing policy={policy} />
      <Panel title={`${policy.rule_count} rules`}>
        <RuleList rules={policy.rules} policyId={policy.id} />
      </Panel>
      {editing && <ActionPolicyEditor policy={policy} onClose={() => setEditing(false)} />}
    </>
  );
}
