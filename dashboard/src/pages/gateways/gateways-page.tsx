import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { columnsOf, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { GatewayStatusBadge } from './gateway-status-badge.tsx';

const column = columnsOf<Gateway>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Gateway',
    cell: ({ row: { original } }) => (
      <Link
        to="/gateways/$gatewayId"
        params={{ gatewayId: original.id }}
        className="font-medium hover:underline"
      >
        {original.name}
      </Link>
    ),
  }),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row }) => <GatewayStatusBadge gatewayId={row.original.id} />,
  }),
  column.display({
    id: 'guard',
    header: 'Guard',
    cell: ({ row: { original } }) =>
      original.action_guard_policy_id === null ? (
        <Badge tone="warn">no action guard</Badge>
      ) : (
        <Badge tone={original.guard_mode === 'enforce' ? 'good' : 'warn'}>{original.guard_mode}</Badge>
      ),
  }),
  column.display({ id: 'made', header: 'Made', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
]);

/** The guarded MCP endpoints. */
export function GatewaysPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const gateways = useQuery({
    queryKey: gatewayKeys.gateways,
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000 } }),
  });
  const newGateway = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden /> New gateway
    </Button>
  );
  return (
    <>
      <PageHead
        title="Gateways"
        lead="One guarded MCP endpoint in front of many servers: every call of an agent is authenticated, judged and logged."
        actions={newGateway}
      />
      <QueryView query={gateways}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Waypoints} title="No gateway yet" action={newGateway}>
              Make one, attach the MCP servers that your agents use, and point the agents to it.
            </Empty>
          ) : (
            <DataTable
              label="Gateways"
              columns={columns}
              rows={items}
              rowKey={(row) => row.id}
              onOpen={({ id }) => void navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id } })}
            />
          )
        }
      </QueryView>
      {creating && <NewGateway onClose={() => setCreating(false)} />}
    </>
  );
}

function NewGateway({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => agentGateway.createGateway({ body: { name, action_guard_policy_id: 'agp_default' } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: gatewayKeys.gateways, exact: true });
      await navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id } });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="New gateway"
      lead="It judges by the built-in rules of the action guard; you can choose others later."
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={255}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
