import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronRight, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type ServerDetail, type Tool } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { Raw } from '../../parts/facts.tsx';
import { JsonEditor } from '../../parts/json-editor.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure, messageOf } from '../../parts/states.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { ServerSharing } from './gateway-sharing.tsx';
import { ServerIdentity } from './server-identity.tsx';
import { ServerSignIn } from './server-sign-in.tsx';
import { UsersSignedIn } from './users-signed-in.tsx';

const list = { to: '/mcp-servers', name: 'MCP servers' } as const;

/** One MCP server: its tools and resources, its sign-in, and how it learns the caller's identity. */
export function ServerPage() {
  const { serverId } = useParams({ from: '/mcp-servers/$serverId' });
  const server = useQuery({
    queryKey: gatewayKeys.server(serverId),
    queryFn: () => agentGateway.getServer({ params: { server_id: serverId } }),
    // The user consents in another window; this page polls to show when that is done.
    refetchInterval: ({ state }) => (state.data?.authorization_url ? 4000 : false),
  });
  return (
    <QueryView query={server} list={list}>
      {(data) => <ServerView server={data} />}
    </QueryView>
  );
}

function ServerView({ server }: { server: ServerDetail }) {
  const queries = useQueryClient();
  const params = { server_id: server.id };
  const mayChange = useMayChange(server.registered_by);
  const discover = useMutation({
    mutationFn: () => agentGateway.discoverTools({ params }),
    onSuccess: async ({ count }) => {
      toast.success(`${count} tools found.`);
      await queries.invalidateQueries({ queryKey: gatewayKeys.servers });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <>
      <PageHead
        list={list}
        title={server.name}
        lead={
          <span className="font-mono text-[13px] break-all">
            {server.connection_url ?? [server.command, ...server.args].join(' ')}
          </span>
        }
        actions={
          <>
            <Button kind="primary" busy={discover.isPending} onClick={() => discover.mutate()}>
              <RefreshCw className="size-4" aria-hidden /> Ask for its tools
            </Button>
            {mayChange && (
              <DeletePageButton
                noun="server"
                name={server.name}
                run={() => agentGateway.deleteServer({ params })}
                list="/mcp-servers"
                changes={gatewayKeys.serverLists}
              >
                It is detached from {server.gateways.length} gateways; their agents lose its tools at once.
              </DeletePageButton>
            )}
          </>
        }
      />
      <ServerSharing server={server} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <Panel title={`${server.tools.length} tools`}>
            {server.tools.length === 0 && (
              <p className="text-sm text-ink-soft">No tools known yet: ask the server for them.</p>
            )}
            <ul className="divide-y divide-line">
              {server.tools.map((tool) => (
                <ToolItem key={tool.name} serverId={server.id} tool={tool} mayCall={mayChange} />
              ))}
            </ul>
          </Panel>
          {server.identity_scheme === 'user_oauth' && <UsersSignedIn server={server} />}
          {server.transport !== 'stdio' && (
            <ServerIdentity
              key={`${server.identity_scheme} ${server.auth_type}`}
              server={server}
              editable={mayChange}
            />
          )}
        </div>
        <div className="grid gap-6">
          <ServerSignIn server={server} />
          <Panel title="Gateways">
            {server.gateways.length === 0 && (
              <p className="text-sm text-ink-soft">Not attached to any gateway.</p>
            )}
            <ul className="grid gap-2 text-sm">
              {server.gateways.map(({ id, name, tool_prefix: prefix }) => (
                <li key={id} className="flex items-center justify-between gap-3">
                  <Link
                    to="/gateways/$gatewayId"
                    params={{ gatewayId: id }}
                    className="text-accent hover:underline"
                  >
                    {name}
                  </Link>
                  <code className="font-mono text-[13px] text-ink-soft">{prefix}</code>
                </li>
              ))}
            </ul>
          </Panel>
          <Panel title={`${server.resources.length} resources`}>
            {server.resources.length === 0 && (
              <p className="text-sm text-ink-soft">The server offers no resources.</p>
            )}
            <ul className="grid gap-2 text-sm">
              {server.resources.map(({ uri, name }) => (
                <li key={uri}>
                  {name} <code className="block font-mono text-[13px] break-all text-ink-soft">{uri}</code>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </>
  );
}

function ToolItem({ serverId, tool, mayCall }: { serverId: string; tool: Tool; mayCall: boolean }) {
  const [args, setArgs] = useState('{}');
  const call = useMutation({
    mutationFn: () =>
      agentGateway.callTool({
        params: { server_id: serverId },
        body: { name: tool.name, arguments: JSON.parse(args) as Record<string, unknown> },
      }),
  });
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <details>
        <summary className="group flex cursor-pointer items-start gap-2">
          <ChevronRight
            className="mt-0.5 size-4 shrink-0 text-ink-soft transition-transform in-open:rotate-90"
            aria-hidden
          />
          <span className="min-w-0">
            <code className="font-mono text-sm font-medium break-words">{tool.name}</code>
            {tool.description !== undefined && (
              <span className="block text-[13px] text-ink-soft">{tool.description}</span>
            )}
          </span>
        </summary>
        <div className="mt-3 grid gap-3">
          <Raw className="max-h-64 text-xs">{JSON.stringify(tool.inputSchema, null, 2)}</Raw>
          {mayCall && (
            <>
              <JsonEditor label={`Arguments of ${tool.name}`} initial="{}" onChange={setArgs} />
              <p className="flex items-center gap-3">
                <Button size="small" busy={call.isPending} onClick={() => call.mutate()}>
                  Try it
                </Button>
                <span className="text-[13px] text-ink-soft">
                  The server is called directly: no guard checks the call.
                </span>
              </p>
            </>
          )}
          {call.isError && <Failure error={call.error} />}
          {call.data !== undefined && (
            <div>
              {call.data.isError ? <Badge tone="flag">error</Badge> : <Badge tone="good">answered</Badge>}
              <Raw className="mt-2 text-xs">
                {call.data.content.map(({ text, type }) => text ?? `[${type}]`).join('\n')}
              </Raw>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}
