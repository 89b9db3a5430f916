import { useQuery } from '@tanstack/react-query';
import { agentGateway, gatewayKeys, type OpenDecisions } from '../../api/agent-gateway.ts';
import { useRunning } from '../../frame/use-running.ts';

const everyQuarterMinute = 15_000;

/** What waits for this user at gateways; nothing until it is known. */
export function useOpenDecisions(refetchInterval = everyQuarterMinute): readonly OpenDecisions[] {
  const { data } = useQuery({
    queryKey: gatewayKeys.decisions,
    queryFn: () => agentGateway.listDecisions(),
    enabled: useRunning()('agent-gateway'),
    refetchInterval,
  });
  return data?.decisions ?? [];
}

/** How much it is together. */
export const decisionCount = (open: readonly OpenDecisions[]): number =>
  open.reduce((sum, { calls, changed_tools: tools, descriptions }) => sum + calls + tools + descriptions, 0);
