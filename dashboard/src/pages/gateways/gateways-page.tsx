import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { NameField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
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
  const gateways = useQuery({
    queryKey: gatewayKeys.gateways,
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000 } }),
  });
  return (
    <ListPage
      title="Gateways"
      lead="One guarded MCP endpoint in front of many servers: every call of an agent is authenticated, judged and logged."
      query={gateways}
      rowsOf={({ items }) => items}
      columns={columns}
      rowKey={(row) => row.id}
      onOpen={({ id }) => void navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id } })}
      create={{ action: 'New gateway', form: (close) => <NewGateway onClose={close} /> }}
      empty={{
        icon: Waypoints,
        title: 'No gateway yet',
        text: 'Make one, attach the MCP servers that your agents use, and point the agents to it.',
      }}
    />
  );
}

function NewGateway({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New gateway"
      lead="It judges by the built-in rules of the action guard; you can choose others later."
      action="Create"
      onClose={onClose}
      run={() => agentGateway.createGateway({ body: { name, action_guard_policy_id: 'agp_default' } })}
      onDone={async ({ id }) => {
        await queries.invalidateQueries({ queryKey: gatewayKeys.gateways, exact: true });
        await navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id } });
      }}
    >
      <NameField name={name} onName={setName} />
    </FormDialog>
  );
}
