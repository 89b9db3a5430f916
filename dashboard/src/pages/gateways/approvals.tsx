import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Approval, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const mostOld = 50;

/** Calls that wait for approval; below them those that were decided, and those that nobody decided in time. */
export function Approvals({ gateway }: { gateway: Gateway }) {
  const params = { gateway_id: gateway.id };
  const waiting = useQuery({
    queryKey: [...gatewayKeys.approvals(gateway.id), 'waiting'],
    queryFn: () => agentGateway.listApprovals({ params, query: { status: 'pending', limit: 200 } }),
    refetchInterval: 3_000,
  });
  const old = useQuery({
    queryKey: [...gatewayKeys.approvals(gateway.id), 'all'],
    queryFn: () => agentGateway.listApprovals({ params, query: { limit: mostOld } }),
    refetchInterval: 15_000,
  });
  const decided =
    old.data?.approvals.filter(({ status }) => status === 'approved' || status === 'denied') ?? [];
  const [ended, expired] = [true, false].map(
    (isEnded) =>
      old.data?.approvals.filter(({ status, note }) => status === 'expired' && (note !== null) === isEnded) ??
      [],
  ) as [Approval[], Approval[]];
  return (
    <Panel title="Approvals" note="A call that is not decided in time is refused.">
      <QueryView query={waiting}>
        {({ approvals }) =>
          approvals.length === 0 ? (
            <p className="text-sm text-ink-soft">No call is waiting for approval.</p>
          ) : (
            <List label="Waiting for approval" approvals={approvals} />
          )
        }
      </QueryView>
      {decided.length > 0 && <Old title="Decided" approvals={decided} open />}
      {ended.length > 0 && <Old title="Ended with the process that held them" approvals={ended} />}
      {expired.length > 0 && <Old title="Expired, nobody decided in time" approvals={expired} />}
    </Panel>
  );
}

const Old = ({
  title,
  approvals,
  open = false,
}: {
  title: string;
  approvals: readonly Approval[];
  open?: boolean;
}) => (
  <details className="mt-4 border-t border-line pt-3" open={open}>
    <summary className="cursor-pointer text-[13px] text-ink-soft">
      {title} ({approvals.length === mostOld ? `the last ${mostOld}` : approvals.length})
    </summary>
    <div className="mt-3">
      <List label={title} approvals={approvals} />
    </div>
  </details>
);

const List = ({ label, approvals }: { label: string; approvals: readonly Approval[] }) => (
  <ul aria-label={label} className="grid grid-cols-1 gap-3">
    {approvals.map((approval) => (
      <li key={approval.id} className="min-w-0 rounded-lg border border-line p-4 text-sm">
        <One approval={approval} />
      </li>
    ))}
  </ul>
);

function One({ approval }: { approval: Approval }) {
  return (
    <>
      <p className="flex items-center justify-between gap-3">
        <code className="min-w-0 font-mono break-words">{approval.tool_name}</code>
        <Badge tone={approval.status === 'pending' ? 'warn' : 'plain'}>{approval.status}</Badge>
      </p>
      <p className="mt-1">
        {approval.user_name ?? 'An unknown user'} asks for a call of{' '}
        {approval.server_name ?? 'an unknown server'}.
      </p>
      {approval.note !== null && <p className="mt-1">{approval.note}</p>}
      {approval.status === 'pending' && <HowItWaits approval={approval} />}
      <ul className="mt-1 text-ink-soft">
        {approval.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <pre className="mt-2 font-mono text-xs break-words whitespace-pre-wrap">{approval.arguments}</pre>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="mr-auto text-[13px] text-ink-soft">
          <Ago at={approval.created_at} />
          {approval.decided_by !== null && `, decided by ${approval.decided_by_name ?? 'unknown user'}`}
        </span>
        {approval.status === 'pending' && <Buttons approval={approval} />}
      </div>
    </>
  );
}

/** Who decides, and what happens then, where that is not what one expects. */
function HowItWaits({ approval: { waiting, action_approval_id: atGuard } }: { approval: Approval }) {
  if (waiting && atGuard === null) return null;
  return (
    <p className="mt-1 text-[13px] text-ink-soft">
      {!waiting && 'The call waits no longer: once it is approved, it passes when it is sent again. '}
      {atGuard !== null &&
        'A rule says who may decide: the action guard lists it too, and it is one decision.'}
    </p>
  );
}

function Buttons({ approval: { id, gateway_id: gatewayId } }: { approval: Approval }) {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      agentGateway.decideApproval({
        params: { gateway_id: gatewayId, approval_id: id },
        body: { decision },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.gateways }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <>
      <Button size="small" kind="danger" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
        Deny
      </Button>
      <Button
        size="small"
        kind="primary"
        disabled={decide.isPending}
        onClick={() => decide.mutate('approve')}
      >
        Approve
      </Button>
    </>
  );
}
