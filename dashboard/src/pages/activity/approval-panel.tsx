import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys, type ActionApproval } from '../../api/action-guard.ts';
import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { WaitingCall, WantedList } from '../actions/approvals.tsx';

/** The approval that an action waits for, or went by: to be decided here, or who decided. Nothing for others’. */
export function ApprovalPanel({ approvalId }: { approvalId: string }) {
  const { data } = useQuery({
    queryKey: [...actionKeys.approvals, 'one', approvalId],
    queryFn: () => actionGuard.getActionApproval({ params: { approval_id: approvalId } }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 10_000 : false),
  });
  if (data === undefined) return null;
  return data.status === 'pending' ? (
    <Panel title="It waits for approval" note="An approval counts for this one call, in your name.">
      <div className="text-sm">
        <WaitingCall approval={data} />
      </div>
    </Panel>
  ) : (
    <Panel title="Approval">
      <div className="grid gap-3 text-sm">
        <Decided approval={data} />
        <WantedList wanted={data.wanted} />
      </div>
    </Panel>
  );
}

const words = { approved: 'Approved', used: 'Approved', denied: 'Denied' } as const;

const names = new Intl.ListFormat('en', { type: 'conjunction' });

/** Who decided and when, with what they noted. */
function Decided({ approval }: { approval: ActionApproval }) {
  const { status, grants, decided_by_name: decidedBy, decided_at: at, note } = approval;
  if (status === 'expired' || status === 'pending')
    return <p>{note ?? 'Expired: nobody decided in time, or the call was not sent again in time.'}</p>;
  const people =
    status === 'denied' ? [decidedBy ?? 'an unknown user'] : grants.map(({ by_name: name }) => name);
  return (
    <p className="break-words">
      {words[status]} by {names.format(people)}, <Ago at={at} />
      {status === 'used' && '. It was then sent again, and passed once'}
      {status === 'approved' && '. It passes once when it is sent again'}.
      {note !== null && note !== '' && <span className="block text-ink-soft">“{note}”</span>}
    </p>
  );
}
