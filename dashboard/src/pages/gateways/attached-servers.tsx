import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { AddableList } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty } from '../../parts/states.tsx';
import { AttachServer } from './attach-server.tsx';
import { useGatewayStatus } from './gateway-status-badge.tsx';
import { addressOf } from './server-draft.ts';

const tones = { connected: 'good', failed: 'flag', unknown: 'plain' } as const;

/** The servers behind a gateway, with their health. */
export function AttachedServers({ gateway, editable }: { gateway: Gateway; editable: boolean }) {
  const [attaching, setAttaching] = useState(false);
  const status = useGatewayStatus(gateway.id);
  const attached = useQuery({
    queryKey: gatewayKeys.attached(gateway.id),
    queryFn: () => agentGateway.listAttachedServers({ params: { gateway_id: gateway.id } }),
  });
  const attach = editable && (
    <Button kind="primary" onClick={() => setAttaching(true)}>
      <Plus className="size-4" aria-hidden /> Attach a server
    </Button>
  );
  return (
    <>
      <QueryView query={attached}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Plug} title="No server behind it yet" action={attach}>
              A gateway offers the tools, resources and prompts of the servers that are attached to it.
            </Empty>
          ) : (
            <AddableList note="Agents are offered what these servers offer." action={attach}>
              <ul className="grid gap-3">
                {items.map((server) => {
                  const health = status.data?.servers.find(({ server_id: id }) => id === server.id);
                  return (
                    <li
                      key={server.id}
                      className="flex items-start justify-between gap-3 rounded-xl border border-line bg-panel p-5 shadow-panel"
                    >
                      <div className="min-w-0">
                        <p className="flex items-center gap-2 font-medium">
                          {server.readable ? (
                            <Link
                              to="/mcp-servers/$serverId"
                              params={{ serverId: server.id }}
                              className="hover:underline"
                            >
                              {server.name}
                            </Link>
                          ) : (
                            server.name
                          )}
                          {health !== undefined && <Badge tone={tones[health.state]}>{health.state}</Badge>}
                          <Badge>{server.transport}</Badge>
                        </p>
                        <p className="mt-1 font-mono text-[13px] break-all text-ink-soft">
                          {server.readable
                            ? addressOf(server)
                            : `Private to ${server.registered_by_name ?? 'its owner'}: its address is not shown.`}
                        </p>
                        {health !== undefined && health.error !== null && (
                          <p className="mt-1 text-sm text-flag">{health.error}</p>
                        )}
                        <p className="mt-1 text-[13px] text-ink-soft">
                          {server.tool_prefix === '' ? (
                            'Its tools keep their names.'
                          ) : (
                            <>
                              Names of its tools begin with{' '}
                              <code className="font-mono">{server.tool_prefix}</code>
                            </>
                          )}
                        </p>
                      </div>
                      {editable && (
                        <DeleteRowButton
                          word="Detach"
                          noun="server"
                          name={server.name}
                          run={() =>
                            agentGateway.detachServer({
                              params: { gateway_id: gateway.id, server_id: server.id },
                            })
                          }
                          changes={gatewayKeys.gateway(gateway.id)}
                        >
                          Its tools are gone for the agents at once. The server itself stays registered.
                        </DeleteRowButton>
                      )}
                    </li>
                  );
                })}
              </ul>
            </AddableList>
          )
        }
      </QueryView>
      {attaching && <AttachServer gateway={gateway} onClose={() => setAttaching(false)} />}
    </>
  );
}
