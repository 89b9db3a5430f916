import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Pencil, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type ServerDetail } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { EditServer } from './edit-server.tsx';
import { ServerSharing } from './gateway-sharing.tsx';
import { addressOf } from './server-draft.ts';
import { ServerGateways } from './server-gateways.tsx';
import { ServerIdentity } from './server-identity.tsx';
import { ServerSignIn } from './server-sign-in.tsx';
import { ServerTools } from './server-tools.tsx';
import { useDiscovery } from './use-discovery.ts';
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
  const [editing, setEditing] = useState(false);
  const mayChange = useMayChange(server.registered_by);
  const discovery = useDiscovery(server.id);
  return (
    <>
      <PageHead
        list={list}
        title={server.name}
        lead={<span className="font-mono text-[13px] break-all">{addressOf(server)}</span>}
        actions={
          <>
            <Button kind="primary" busy={discovery.isPending} onClick={discovery.ask}>
              <RefreshCw className="size-4" aria-hidden /> Ask for its tools
            </Button>
            {mayChange && (
              <>
                <Button onClick={() => setEditing(true)}>
                  <Pencil className="size-4" aria-hidden /> Edit
                </Button>
                <DeletePageButton
                  noun="server"
                  name={server.name}
                  run={() => agentGateway.deleteServer({ params: { server_id: server.id } })}
                  list="/mcp-servers"
                  changes={gatewayKeys.serverLists}
                >
                  It is detached from {server.gateways.length} gateways; their agents lose its tools at once.
                </DeletePageButton>
              </>
            )}
          </>
        }
      />
      <ServerSharing server={server} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-1 gap-6">
          <ServerTools server={server} discovery={discovery} mayCall={mayChange} />
          {server.identity_scheme === 'user_oauth' && <UsersSignedIn server={server} />}
          {server.transport !== 'stdio' && (
            <ServerIdentity
              key={`${server.identity_scheme} ${server.auth_type}`}
              server={server}
              editable={mayChange}
            />
          )}
        </div>
        <div className="grid grid-cols-1 gap-6">
          <ServerSignIn server={server} />
          <ServerGateways server={server} />
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
      {editing && <EditServer server={server} onClose={() => setEditing(false)} />}
    </>
  );
}
