import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** Open decisions: calls that need approval, and tools that have changed. */
export const Oversight = ({ gateway }: { gateway: Gateway }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Approvals gateway={gateway} />
    <ToolChanges gateway={gateway} />
  </div>
);

function Approvals({ gateway }: { gateway: Gateway }) {
  const queries = useQueryClient();
  const params = { gateway_id: gateway.id };
  const approvals = useQuery({
    queryKey: gatewayKeys.approvals(gateway.id),
    queryFn: () => agentGateway.listApprovals({ params, query: { limit: 50 } }),
    refetchInterval: 3_000,
  });
  const decide = useMutation({
    mutationFn: ({ id, decision }: { id: string; decision: 'approve' | 'deny' }) =>
      agentGateway.decideApproval({ params: { ...params, approval_id: id }, body: { decision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.approvals(gateway.id) }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Panel title="Approvals" note="A call that is not decided in time is denied.">
      <QueryView query={approvals}>
        {({ approvals: all }) =>
          all.length === 0 ? (
            <p className="text-sm text-ink-soft">No call is waiting for approval.</p>
          ) : (
            <ul className="grid gap-3">
              {all.map((approval) => (
                <li key={approval.id} className="rounded-lg border border-line p-4 text-sm">
                  <p className="flex items-center justify-between gap-3">
                    <code className="font-mono">{approval.tool_name}</code>
                    <Badge tone={approval.status === 'pending' ? 'warn' : 'plain'}>{approval.status}</Badge>
                  </p>
                  <p className="mt-1">
                    {approval.user_name ?? 'An unknown user'} asks for a call of{' '}
                    {approval.server_name ?? 'an unknown server'}.
                  </p>
                  <ul className="mt-1 text-ink-soft">
                    {approval.reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                  <pre
                    tabIndex={0}
                    className="mt-2 max-h-40 overflow-auto font-mono text-xs whitespace-pre-wrap break-words"
                  >
                    {approval.arguments}
                  </pre>
                  <p className="mt-2 flex items-center gap-2">
                    <span className="mr-auto text-[13px] text-ink-soft">
                      <Ago at={approval.created_at} />
                      {approval.decided_by !== null &&
                        `, decided by ${approval.decided_by_name ?? 'unknown user'}`}
                    </span>
                    {approval.status === 'pending' && (
                      <>
                        <Button
                          size="small"
                          kind="danger"
                          onClick={() => decide.mutate({ id: approval.id, decision: 'deny' })}
                        >
                          Deny
                        </Button>
                        <Button
                          size="small"
                          kind="primary"
                          onClick={() => decide.mutate({ id: approval.id, decision: 'approve' })}
                        >
                          Approve
                        </Button>
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function ToolChanges({ gateway }: { gateway: Gateway }) {
  const queries = useQueryClient();
  const params = { gateway_id: gateway.id };
  const pins = useQuery({
    queryKey: gatewayKeys.pins(gateway.id),
    queryFn: () => agentGateway.listToolPins({ params, query: { changed: 'true' } }),
    refetchInterval: 10_000,
  });
  const approve = useMutation({
    mutationFn: (body: { server_id: string; tool_name: string; changed_hash: string }) =>
      agentGateway.approveToolChange({ params, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.pins(gateway.id) }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Panel
      title="Changed tools"
      note="A tool whose description or schema changed after it was first seen may have been tampered with."
    >
      <QueryView query={pins}>
        {({ pins: all }) =>
          all.length === 0 ? (
            <p className="text-sm text-ink-soft">No tool has changed since it was first seen.</p>
          ) : (
            <ul className="grid gap-3">
              {all.map((pin) => (
                <li
                  key={`${pin.server_id} ${pin.tool_name}`}
                  className="rounded-lg border border-line p-4 text-sm"
                >
                  <p className="flex items-center justify-between gap-3">
                    <span className="min-w-0">
                      <code className="font-mono">{pin.tool_name}</code>
                      <span className="block text-[13px] text-ink-soft">
                        {pin.server_name ?? 'unknown server'}
                      </span>
                    </span>
                    <Button
                      size="small"
                      onClick={() =>
                        approve.mutate({
                          server_id: pin.server_id,
                          tool_name: pin.tool_name,
                          changed_hash: pin.changed_hash ?? '',
                        })
                      }
                    >
                      Accept the change
                    </Button>
                  </p>
                  {pin.differences.map(({ field, before, after }) => (
                    <div key={field} className="mt-2 grid gap-1 font-mono text-xs">
                      <span className="text-ink-soft">{field}</span>
                      <pre className="rounded bg-flag-soft px-2 py-1 whitespace-pre-wrap break-words text-flag">
                        − {shown(before)}
                      </pre>
                      <pre className="rounded bg-good-soft px-2 py-1 whitespace-pre-wrap break-words text-good">
                        + {shown(after)}
                      </pre>
                    </div>
                  ))}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
