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
  if (data === undefined) return null;
  return data.problems.length === 0 ? (
    <Badge tone={tones[data.status]}>{data.status}</Badge>
  ) : (
    <span title={data.problems.join(' ')}>
      <Badge tone="flag">{data.status}, with a problem</Badge>
    </span>
  );
}

/** Why all calls of the gateway are refused. */
export function GatewayProblems({ gatewayId }: { gatewayId: string }) {
  const { data } = useGatewayStatus(gatewayId);
  return data?.problems.map((problem) => (
    <p key={problem} role="alert" className="mb-4 rounded-md bg-flag-soft px-3 py-2 text-sm text-flag">
      {problem}
    </p>
  ));
}
