import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { agentGateway, gatewayKeys, type McpServer } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { serverShared } from './gateway-sharing.tsx';
import { NameCell } from './name-cell.tsx';
import { NewServer } from './new-server.tsx';
import { addressOf } from './server-draft.ts';

const column = columnsOf<McpServer>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Server',
    cell: ({ row: { original } }) => (
      <span className="min-w-0">
        <NameCell
          name={original.name}
          link={{ to: '/mcp-servers/$serverId', params: { serverId: original.id } }}
          at={({ server_id: id }) => id === original.id}
        />
        <span className="block max-w-md truncate font-mono text-[13px] text-ink-soft">
          {addressOf(original)}
        </span>
      </span>
    ),
  }),
  ownerColumn(serverShared),
  column.display({
    id: 'transport',
    header: 'Transport',
    cell: ({ row }) => <Badge>{row.original.transport}</Badge>,
  }),
  column.display({
    id: '#gateways',
    header: 'Gateways',
    cell: ({ row }) => row.original.gateway_ids.length,
  }),
  column.display({
    id: 'made',
    header: 'Registered',
    cell: ({ row }) => <Ago at={row.original.created_at} />,
  }),
]);

/** The MCP servers that the user may see. */
export function ServersPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const servers = useQuery({
    queryKey: gatewayKeys.serverList(owner),
    queryFn: () => agentGateway.listServers({ query: { limit: 1000, owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="MCP servers"
      lead="What gateways can offer to agents: servers elsewhere, and commands on the gateway’s own machine."
      query={servers}
      rowsOf={({ items }) => items}
      columns={columns}
      byOwner
      rowKey={(row) => row.id}
      onOpen={({ id }) => void navigate({ to: '/mcp-servers/$serverId', params: { serverId: id } })}
      create={{ action: 'Register a server', form: (close) => <NewServer onClose={close} /> }}
      empty={{
        icon: Server,
        title: 'No server yet',
        text: 'Register one by its URL or its command, then attach it to a gateway.',
      }}
    />
  );
}
