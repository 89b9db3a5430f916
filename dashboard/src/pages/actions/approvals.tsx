import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type ActionApproval } from '../../api/action-guard.ts';
import { Button } from '../../parts/button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { Panel } from '../../parts/page.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

/** Calls that wait for a person; nothing where none does. */
export function Approvals() {
  const queries = useQueryClient();
  const approvals = useQuery({
    queryKey: actionKeys.approvals,
    queryFn: () => actionGuard.listActionApprovals({ query: { status: 'pending', limit: 20 } }),
    refetchInterval: 5_000,
  });
  const decide = useMutation({
    mutationFn: ({ id, decision }: { id: string; decision: 'approve' | 'deny' }) =>
      actionGuard.decideActionApproval({ params: { approval_id: id }, body: { decision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: actionKeys.approvals }),
    onError: (error) => toast.error(messageOf(error)),
  });
  const waiting = approvals.data?.approvals ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title="To decide" note="An approval counts for this one call, in your name.">
      <ul className="grid gap-3">
        {waiting.map((approval) => (
          <Waiting
            key={approval.id}
            approval={approval}
            onDecide={(decision) => decide.mutate({ id: approval.id, decision })}
          />
        ))}
      </ul>
    </Panel>
  );
}

const whoMay = ({ by, other }: ActionApproval['wanted'][number]) =>
  [by.length > 0 ? `by ${by.join(' or ')}` : 'by anybody who may', ...(other ? ['not who asks'] : [])].join(
    ', ',
  );

const Waiting = ({
  approval,
  onDecide,
}: {
  approval: ActionApproval;
  onDecide: (decision: 'approve' | 'deny') => void;
}) => (
  <li className="rounded-lg border border-line p-4 text-sm">
    <p>
      <code className="font-mono">{approval.tool_name || 'A reply'}</code>, asked for by{' '}
      {approval.user_name ?? 'an unknown user'}
      {approval.acting_user !== null && ` for ${approval.acting_user}`}, <Ago at={approval.created_at} />
    </p>
    <ul className="mt-1 grid gap-1">
      {approval.wanted.map((wanted) => (
        <li key={`${wanted.rule_id} ${wanted.by.join()}`} className="break-words">
          {wanted.description} <span className="text-ink-soft">({whoMay(wanted)})</span>
        </li>
      ))}
    </ul>
    <Raw className="mt-2" heightPx={160}>
      {JSON.stringify(approval.tool_params, null, 2)}
    </Raw>
    <p className="mt-2 flex flex-wrap items-center justify-end gap-2">
      {!approval.may_decide && (
        <span className="mr-auto text-[13px] text-ink-soft">Somebody else has to approve it.</span>
      )}
      <Button size="small" kind="danger" onClick={() => onDecide('deny')}>
        Deny
      </Button>
      <Button size="small" kind="primary" disabled={!approval.may_decide} onClick={() => onDecide('approve')}>
        Approve
      </Button>
    </p>
  </li>
);
