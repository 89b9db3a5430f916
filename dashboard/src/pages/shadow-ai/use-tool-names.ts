import { useQuery } from '@tanstack/react-query';
import { shadowAi, shadowAiKey } from '../../api/shadow-ai.ts';
import { useRunning } from '../../frame/use-running.ts';

const dayMs = 86_400_000;

/** What a rule of the catalogue calls its tool; the rule’s id where the tool was not seen in the last 90 days. */
export function useToolNames(): (ruleId: string) => string {
  const { data } = useQuery({
    queryKey: [...shadowAiKey, 'tools', 'names'],
    queryFn: async () => {
      const start = new Date(Date.now() - 90 * dayMs).toISOString().slice(0, 10);
      const { tools } = await shadowAi.listTools({ query: { start_date: start } });
      return tools.map(({ agent_framework: id, name }) => [id, name] as const);
    },
    enabled: useRunning()('shadow-ai'),
    staleTime: 300_000,
  });
  const names = new Map(data);
  return (ruleId) => names.get(ruleId) ?? ruleId;
}
