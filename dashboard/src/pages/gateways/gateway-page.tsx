import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Play, Square, Trash2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { AttachedServers } from './attached-servers.tsx';
import { ConnectClient } from './connect-client.tsx';
import { GatewayCalls } from './gateway-calls.tsx';
import { GatewaySettings } from './gateway-settings.tsx';
import { GatewayStatusBadge, useGatewayStatus } from './gateway-status-badge.tsx';
import { Oversight } from './oversight.tsx';

const tab =
  'border-b-2 border-transparent px-1 py-2.5 text-sm whitespace-nowrap text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink';

/** One gateway: how it is, what is behind it, who called what, and what waits for a person. */
export function GatewayPage() {
  const { gatewayId } = useParams({ from: '/gateways/$gatewayId' });
  const gateway = useQuery({
    queryKey: gatewayKeys.gateway(gatewayId),
    queryFn: () => agentGateway.getGateway({ params: { gateway_id: gatewayId } }),
  });
  return <QueryView query={gateway}>{(data) => <GatewayView gateway={data} />}</QueryView>;
}

const parts = [
  { value: 'servers', name: 'Servers', part: AttachedServers },
  { value: 'connect', name: 'Connect a client', part: ConnectClient },
  { value: 'calls', name: 'Calls', part: GatewayCalls },
  { value: 'oversight', name: 'To decide', part: Oversight },
  { value: 'settings', name: 'Settings', part: GatewaySettings },
] as const;

function GatewayView({ gateway }: { gateway: Gateway }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await agentGateway.deleteGateway({ params: { gateway_id: gateway.id } });
    toast.success(`“${gateway.name}” is deleted.`);
    await navigate({ to: '/gateways' });
    await queries.invalidateQueries({ queryKey: gatewayKeys.gateways, exact: true });
  };
  return (
    <>
      <PageHead
        above={
          <Link to="/gateways" className="hover:underline">
            Gateways
          </Link>
        }
        title={
          <span className="flex items-center gap-3">
            {gateway.name} <GatewayStatusBadge gatewayId={gateway.id} />
          </span>
        }
        actions={
          <>
            <StartStop gateway={gateway} />
            <Confirm
              trigger={
                <Button kind="danger">
                  <Trash2 className="size-4" aria-hidden /> Delete
                </Button>
              }
              title={`Delete “${gateway.name}”?`}
              action="Delete gateway"
              run={remove}
            >
              Agents that use it are cut off. Its audit log stays.
            </Confirm>
          </>
        }
      />
      <Tabs.Root defaultValue="servers">
        <Tabs.List
          aria-label="Parts of the gateway"
          className="mb-6 flex gap-6 overflow-x-auto border-b border-line"
        >
          {parts.map(({ value, name }) => (
            <Tabs.Trigger key={value} value={value} className={tab}>
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {parts.map(({ value, part: Part }) => (
          <Tabs.Content key={value} value={value} tabIndex={-1}>
            <Part gateway={gateway} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </>
  );
}

function StartStop({ gateway }: { gateway: Gateway }) {
  const queries = useQueryClient();
  const status = useGatewayStatus(gateway.id);
  const params = { gateway_id: gateway.id };
  const change = useMutation({
    mutationFn: async (start: boolean) => {
      if (start) await agentGateway.startGateway({ params });
      else await agentGateway.stopGateway({ params });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: gatewayKeys.gateway(gateway.id) }),
    onError: (error) => toast.error(messageOf(error)),
  });
  if (status.data === undefined) return null;
  return status.data.status === 'stopped' ? (
    <Button kind="primary" busy={change.isPending} onClick={() => change.mutate(true)}>
      <Play className="size-4" aria-hidden /> Start
    </Button>
  ) : (
    <Button busy={change.isPending} onClick={() => change.mutate(false)}>
      <Square className="size-4" aria-hidden /> Stop
    </Button>
  );
}
