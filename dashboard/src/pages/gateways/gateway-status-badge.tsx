import { useQuery } from '@tanstack/react-query';
import { agentGateway, gatewayKeys } from '../../api/agent-gateway.ts';
import { Badge } from '../../parts/badge.tsx';

const tones = { running: 'good', starting: 'warn', stopped: 'plain' } as const;

/** The state of a gateway, refreshed every few seconds. */
export const useGatewayStatus = (gatewayId: string) =>
  useQuery({
    queryKey: gatewayKeys.status(gatewayId),
    queryFn: () => agentGateway.getGatewayStatus({ params: { gateway_id: gatewayId } }),
    refetchInterval: 5_000,
  });

export function GatewayStatusBadge({ gatewayId }: { gatewayId: string }) {
  const { data } = useGatewayStatus(gatewayId);
  return data === undefined ? null : <Badge tone={tones[data.status]}>{data.status}</Badge>;
}
