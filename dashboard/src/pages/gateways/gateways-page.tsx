import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Waypoints } from 'lucide-react';
import { useState } from 'react';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { columnsOf } from '../../parts/data-table.tsx';
import { NameField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useOwnerFilter } from '../../parts/owner-filter.tsx';
import { ownerColumn, SharingChoice, type Visibility } from '../../parts/sharing.tsx';
import { Ago } from '../../parts/time.tsx';
import { gatewayShared } from './gateway-sharing.tsx';
import { GatewayStatusBadge } from './gateway-status-badge.tsx';
import { NameCell } from './name-cell.tsx';
import { hasSameName, namesTaken, SameNameNote } from './same-name.tsx';

const column = columnsOf<Gateway>();
const columns = column.columns([
  column.display({
    id: 'name',
    header: 'Gateway',
    cell: ({ row: { original } }) => (
      <NameCell
        name={original.name}
        id={hasSameName(original) ? original.id : undefined}
        link={{ to: '/gateways/$gatewayId', params: { gatewayId: original.id } }}
        at={({ gateway_id: id }) => id === original.id}
      />
    ),
  }),
  ownerColumn(gatewayShared),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row }) => <GatewayStatusBadge gatewayId={row.original.id} />,
  }),
  column.display({
    id: 'guard',
    header: 'Action guard',
    cell: ({ row: { original } }) =>
      original.action_guard_policy_id === null ? (
        <Badge tone="warn">no action guard</Badge>
      ) : (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {original.action_guard_policy_name ?? 'unknown policy set'}
          <Badge tone={original.guard_mode === 'enforce' ? 'good' : 'warn'}>{original.guard_mode}</Badge>
        </span>
      ),
  }),
  column.display({ id: 'made', header: 'Made', cell: ({ row }) => <Ago at={row.original.created_at} /> }),
]);

/** The guarded MCP endpoints. */
export function GatewaysPage() {
  const navigate = useNavigate();
  const owner = useOwnerFilter();
  const gateways = useQuery({
    queryKey: gatewayKeys.gatewayList(owner),
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000, owner } }),
    placeholderData: (previous) => previous,
  });
  return (
    <ListPage
      title="Gateways"
      lead="One guarded MCP endpoint in front of many servers: every call of an agent is authenticated, judged and logged."
      query={gateways}
      rowsOf={({ items }) => items}
      columns={columns}
      byOwner
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
  const [visibility, setVisibility] = useState<Visibility>('private');
  const gateways = useQuery({
    queryKey: gatewayKeys.gatewayList('all'),
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000, owner: 'all' } }),
  });
  return (
    <FormDialog
      title="New gateway"
      lead="It judges by the built-in rules of the action guard; you can choose others later."
      action="Create"
      onClose={onClose}
      run={() =>
        agentGateway.createGateway({ body: { name, visibility, action_guard_policy_id: 'agp_default' } })
      }
      onDone={async ({ id }) => {
        await queries.invalidateQueries({ queryKey: gatewayKeys.gatewayLists });
        await navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id } });
      }}
    >
      <NameField name={name} onName={setName} />
      <SameNameNote ids={namesTaken(gateways.data?.items ?? [], name)} />
      <SharingChoice kind="gateway" value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
