import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway, type ToolPin } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { LineDifference } from '../../parts/line-difference.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const fieldNames: Readonly<Record<string, string>> = {
  description: 'Description',
  title: 'Title',
  inputSchema: 'What it takes',
  outputSchema: 'What it gives',
  annotations: 'Annotations',
};

/** Tools that differ from what was first seen, line by line. */
export function ToolChanges({ gateway }: { gateway: Gateway }) {
  const pins = useQuery({
    queryKey: gatewayKeys.pins(gateway.id),
    queryFn: () =>
      agentGateway.listToolPins({ params: { gateway_id: gateway.id }, query: { changed: 'true' } }),
    refetchInterval: 10_000,
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
            <ul className="grid grid-cols-1 gap-3">
              {all.map((pin) => (
                <li
                  key={`${pin.server_id} ${pin.tool_name}`}
                  className="min-w-0 rounded-lg border border-line p-4 text-sm"
                >
                  <Change gatewayId={gateway.id} pin={pin} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function Change({ gatewayId, pin }: { gatewayId: string; pin: ToolPin }) {
  const queries = useQueryClient();
  const approve = useMutation({
    mutationFn: () =>
      agentGateway.approveToolChange({
        params: { gateway_id: gatewayId },
        body: { server_id: pin.server_id, tool_name: pin.tool_name, changed_hash: pin.changed_hash ?? '' },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.gateways }),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0">
          <code className="font-mono break-words">{pin.tool_name}</code>
          <span className="block text-[13px] text-ink-soft">
            {pin.server_name ?? 'unknown server'}, changed <Ago at={pin.changed_at} />
          </span>
        </span>
        <Button size="small" busy={approve.isPending} onClick={() => approve.mutate()}>
          Accept the change
        </Button>
      </div>
      {pin.differences.map(({ field, lines }) => {
        const name = fieldNames[field] ?? field;
        return (
          <div key={field} className="mt-3">
            <h3 className="mb-1 text-[13px] font-medium">{name}</h3>
            <LineDifference label={`${name} of ${pin.tool_name}`} lines={lines} />
          </div>
        );
      })}
    </>
  );
}
