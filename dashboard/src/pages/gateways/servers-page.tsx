import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type McpServer } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn, SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { serverShared } from './gateway-sharing.tsx';

const column = columnsOf<McpServer>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Server',
    cell: ({ row: { original } }) => (
      <span>
        <Link
          to="/mcp-servers/$serverId"
          params={{ serverId: original.id }}
          className="font-medium hover:underline"
        >
          {original.name}
        </Link>
        <span className="block max-w-md truncate font-mono text-[13px] text-ink-soft">
          {original.connection_url ?? [original.command, ...original.args].join(' ')}
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

const transports = [
  { value: 'http', label: 'HTTP (streamable)' },
  { value: 'sse', label: 'HTTP with SSE (old)' },
  { value: 'stdio', label: 'A command (stdio)' },
] as const;

/** `NAME=value`, one per line. */
const envOf = (text: string) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
    }),
  );

function NewServer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [visibility, setVisibility] = useState<Visibility>('private');
  const [transport, setTransport] = useState<McpServer['transport']>('http');
  const [url, setUrl] = useState('');
  const [command, setCommand] = useState('');
  const [env, setEnv] = useState('');
  const create = () => {
    const [program = '', ...args] = command.split(' ').filter((part) => part !== '');
    return agentGateway.createServer({
      body:
        transport === 'stdio'
          ? { name, visibility, transport, command: program, args, env: envOf(env) }
          : { name, visibility, transport, connection_url: url },
    });
  };
  return (
    <FormDialog
      title="Register an MCP server"
      action="Register"
      onClose={onClose}
      run={create}
      changes={gatewayKeys.servers}
      onDone={({ id }) => navigate({ to: '/mcp-servers/$serverId', params: { serverId: id } })}
    >
      <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} required />
      <SelectField label="Transport" value={transport} options={transports} onChoice={setTransport} />
      {transport === 'stdio' ? (
        <>
          <TextField
            label="Command"
            value={command}
            placeholder="mcp-server-filesystem /srv/notes"
            onChange={({ target }) => setCommand(target.value)}
            required
          />
          <TextArea
            label="Environment"
            rows={3}
            value={env}
            placeholder="NAME=value"
            hint="One variable per line; stored encrypted. The process gets only these."
            onChange={({ target }) => setEnv(target.value)}
          />
        </>
      ) : (
        <TextField
          label="URL"
          type="url"
          value={url}
          placeholder="https://mcp.example.com/mcp"
          onChange={({ target }) => setUrl(target.value)}
          required
        />
      )}
      <SharingChoice kind="server" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
