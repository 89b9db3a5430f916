import { useQuery } from '@tanstack/react-query';
import { agentGateway, gatewayKeys, type Gateway } from '../../api/agent-gateway.ts';
import { useUser } from '../../session/use-session.ts';

/** The gateways that the user may change: their own, and for an administrator those of the tenant. */
export function useOwnGateways(): readonly Gateway[] {
  const owner = useUser().isAdmin ? 'all' : 'me';
  const { data } = useQuery({
    queryKey: gatewayKeys.gatewayList(owner),
    queryFn: () => agentGateway.listGateways({ query: { limit: 1000, owner } }),
  });
  return data?.items ?? [];
}
