import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type McpServer } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

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
  column.display({
    id: 'transport',
    header: 'Transport',
    cell: ({ row }) => <Badge>{row.original.transport}</Badge>,
  }),
  column.display({
    id: 'gateways',
    header: 'Gateways',
    cell: ({ row }) => <span className="tabular-nums">{row.original.gateway_ids.length}</span>,
  }),
  column.display({
    id: 'made',
    header: 'Registered',
    cell: ({ row }) => <Ago at={row.original.created_at} />,
  }),
]);

/** The MCP servers of the tenant. */
export function ServersPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const servers = useQuery({
    queryKey: gatewayKeys.servers,
    queryFn: () => agentGateway.listServers({ query: { limit: 1000 } }),
  });
  const newServer = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> Register a server
    </Button>
  );
  return (
    <>
      <PageHead
        title="MCP servers"
        lead="What gateways can offer to agents: servers elsewhere, and commands on the gateway’s own machine."
        actions={newServer}
      />
      <QueryView query={servers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Server} title="No server yet" action={newServer}>
              Register one by its URL or its command, then attach it to a gateway.
            </Empty>
          ) : (
            <DataTable
              label="MCP servers"
              columns={columns}
              rows={items}
              rowKey={(row) => row.id}
              onOpen={({ id }) => void navigate({ to: '/mcp-servers/$serverId', params: { serverId: id } })}
            />
          )
        }
      </QueryView>
      {creating && <NewServer onClose={() => setCreating(false)} />}
    </>
  );
}

const transports = [
  { value: 'http', label: 'HTTP (streamable)' },
  { value: 'sse', label: 'HTTP with SSE (old)' },
  { value: 'stdio', label: 'A command (stdio)' },
];

/** `NAME=value`, a line each. */
const envOf = (text: string) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1)]];
    }),
  );

function NewServer({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [transport, setTransport] = useState<McpServer['transport']>('http');
  const [url, setUrl] = useState('');
  const [command, setCommand] = useState('');
  const [env, setEnv] = useState('');
  const create = useMutation({
    mutationFn: () => {
      const [program = '', ...args] = command.split(' ').filter((part) => part !== '');
      return agentGateway.createServer({
        body:
          transport === 'stdio'
            ? { name, transport, command: program, args, env: envOf(env) }
            : { name, transport, connection_url: url },
      });
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: gatewayKeys.servers });
      await navigate({ to: '/mcp-servers/$serverId', params: { serverId: id } });
    },
  });
  return (
    <Dialog open onClose={onClose} title="Register an MCP server">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} required />
        <SelectField
          label="Transport"
          value={transport}
          options={transports}
          onChange={({ target }) => setTransport(target.value as typeof transport)}
        />
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
              hint="One variable a line; kept encrypted. The process gets these alone."
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Register
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
