import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toast } from 'sonner';
import { actionGuard, actionKeys, type ActionApproval } from '../../api/action-guard.ts';
import { Button } from '../../parts/button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { Panel } from '../../parts/page.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ticked } from '../../parts/ticked.tsx';
import { Ago } from '../../parts/time.tsx';

/** Calls that wait for a person; nothing where none does. */
export function Approvals() {
  const approvals = useQuery({
    queryKey: actionKeys.approvals,
    queryFn: () => actionGuard.listActionApprovals({ query: { status: 'pending', limit: 20 } }),
    refetchInterval: 5_000,
  });
  const waiting = approvals.data?.approvals ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title="To decide" note="An approval counts for this one call, in your name.">
      <ul className="grid gap-3">
        {waiting.map((approval) => (
          <li key={approval.id} className="rounded-lg border border-line p-4 text-sm">
            <WaitingCall approval={approval} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const whoMay = ({ by, other }: ActionApproval['wanted'][number]) =>
  [by.length > 0 ? `by ${by.join(' or ')}` : 'by anybody who may', ...(other ? ['not who asks'] : [])].join(
    ', ',
  );

/** What rules want of whoever approves, as they are enforced, and what in the call made them ask. */
export const WantedList = ({ wanted }: Pick<ActionApproval, 'wanted'>) => (
  <ul className="grid gap-2">
    {wanted.map((one) => (
      <li key={`${one.rule_id} ${one.by.join()}`} className="break-words">
        {one.enforced ?? one.description} <span className="text-ink-soft">({whoMay(one)})</span>
        {one.enforced !== undefined && (
          <span className="block text-[13px] text-warn">
            This is what is enforced. The rule’s sentence says something else: “{one.description}”
          </span>
        )}
        <span className="block text-[13px] text-ink-soft">
          Why: <Ticked>{one.reason}</Ticked>
        </span>
      </li>
    ))}
  </ul>
);

function useDecide(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      actionGuard.decideActionApproval({ params: { approval_id: id }, body: { decision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: actionKeys.approvals }),
    onError: (error) => toast.error(messageOf(error)),
  });
}

/** One call that waits, with the buttons that decide. */
export function WaitingCall({ approval }: { approval: ActionApproval }) {
  const decide = useDecide(approval.id);
  return (
    <>
      <p>
        <code className="font-mono">{approval.tool_name || 'A reply'}</code>, asked for by{' '}
        {approval.user_name ?? 'an unknown user'}
        {approval.acting_user !== null && ` for ${approval.acting_user}`}, <Ago at={approval.created_at} />
        <span className="text-ink-soft">
          {' '}
          · expires <Ago at={approval.expires_at} />
        </span>
      </p>
      <div className="mt-2">
        <WantedList wanted={approval.wanted} />
      </div>
      <Raw className="mt-2" heightPx={160}>
        {JSON.stringify(approval.tool_params, null, 2)}
      </Raw>
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        {!approval.may_decide && <WhyNot approval={approval} />}
        <Button size="small" kind="danger" busy={decide.isPending} onClick={() => decide.mutate('deny')}>
          Deny
        </Button>
        <Button
          size="small"
          kind="primary"
          busy={decide.isPending}
          disabled={!approval.may_decide}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </Button>
      </div>
    </>
  );
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** Who else can approve it, or who has to be named first. */
function WhyNot({ approval }: { approval: ActionApproval }) {
  const { roles_of_nobody: nobodys, wanted, policy_id: setId, why_not: why } = approval;
  const roles = [...new Set(wanted.flatMap(({ by }) => by))];
  return (
    <p className="mr-auto basis-full text-[13px] break-words text-ink-soft sm:basis-auto">
      {nobodys.length > 0 ? (
        <>
          Nobody has the role {either.format(nobodys)}: give it to someone on the{' '}
          <Link
            to="/action-sets/$setId"
            params={{ setId }}
            className="text-accent underline underline-offset-2"
          >
            policy set’s page
          </Link>
          .
        </>
      ) : roles.length > 0 ? (
        `Somebody with the role ${either.format(roles)} has to approve it.`
      ) : (
        (why ?? 'Somebody else has to approve it.')
      )}
    </p>
  );
}
