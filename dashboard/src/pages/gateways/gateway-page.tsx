import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play, Square } from 'lucide-react';
import { toast } from 'sonner';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { messageOf } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { AccessRules } from './access-rules.tsx';
import { AttachedServers } from './attached-servers.tsx';
import { ConnectClient } from './connect-client.tsx';
import { GatewayCalls } from './gateway-calls.tsx';
import { GatewaySettings } from './gateway-settings.tsx';
import { GatewaySharing } from './gateway-sharing.tsx';
import { GatewayProblems, GatewayStatusBadge, useGatewayStatus } from './gateway-status-badge.tsx';
import { OAuthClients } from './oauth-clients.tsx';
import { Oversight } from './oversight.tsx';
import { hasSameName } from './same-name.tsx';
import { decisionCount, useOpenDecisions } from './use-open-decisions.ts';

const list = { to: '/gateways', name: 'Gateways' } as const;

/** One gateway: status, servers, calls, approvals, access rules and settings. */
export function GatewayPage() {
  const { gatewayId } = useParams({ from: '/gateways/$gatewayId' });
  const gateway = useQuery({
    queryKey: gatewayKeys.gateway(gatewayId),
    queryFn: () => agentGateway.getGateway({ params: { gateway_id: gatewayId } }),
  });
  return (
    <QueryView query={gateway} list={list}>
      {(data) => <GatewayView gateway={data} />}
    </QueryView>
  );
}

/** Tabs that show other users' actions or secrets are only for users who may change the gateway. */
const parts = [
  { value: 'servers', name: 'Servers', part: AttachedServers },
  { value: 'connect', name: 'Connect a client', part: ConnectClient },
  { value: 'calls', name: 'Calls', part: GatewayCalls, changersOnly: true },
  { value: 'oversight', name: 'To decide', part: Oversight, changersOnly: true },
  { value: 'access', name: 'Access', part: AccessRules },
  { value: 'clients', name: 'OAuth clients', part: OAuthClients },
  { value: 'settings', name: 'Settings', part: GatewaySettings },
] as const;

function GatewayView({ gateway }: { gateway: Gateway }) {
  const mayChange = useMayChange(gateway.created_by);
  const waiting = decisionCount(useOpenDecisions().filter(({ gateway_id: id }) => id === gateway.id));
  return (
    <>
      <PageHead
        list={list}
        title={
          <span className="flex flex-wrap items-center gap-3">
            {gateway.name}
            {hasSameName(gateway) && (
              <code className="font-mono text-sm font-normal text-ink-soft">{gateway.id}</code>
            )}
            <GatewayStatusBadge gatewayId={gateway.id} />
          </span>
        }
        actions={
          mayChange && (
            <>
              <StartStop gateway={gateway} />
              <DeletePageButton
                noun="gateway"
                name={gateway.name}
                run={() => agentGateway.deleteGateway({ params: { gateway_id: gateway.id } })}
                list="/gateways"
                changes={gatewayKeys.gatewayLists}
              >
                Agents that use it are cut off. Its audit log stays.
              </DeletePageButton>
            </>
          )
        }
      />
      <GatewayProblems gatewayId={gateway.id} />
      <GatewaySharing gateway={gateway} />
      <Tabs
        label="Parts of the gateway"
        parts={parts
          .filter((each) => mayChange || !('changersOnly' in each))
          .map(({ value, name, part: Part }) => ({
            value,
            name:
              value === 'oversight' && waiting > 0 ? (
                <span className="flex items-center gap-1.5">
                  {name} <Badge tone="warn">{waiting}</Badge>
                </span>
              ) : (
                name
              ),
            content: () => <Part gateway={gateway} editable={mayChange} />,
          }))}
      />
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
