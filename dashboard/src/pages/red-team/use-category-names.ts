import { useQuery } from '@tanstack/react-query';
import { redTeam, redTeamKey } from '../../api/red-team.ts';

/** Names of risk categories by their ids: `RT-1 Goal hijack and instruction override`. */
export function useCategoryNames(): (id: string) => string {
  const { data } = useQuery({
    queryKey: [...redTeamKey, 'categories'],
    queryFn: () => redTeam.listRiskCategories({}),
    staleTime: Infinity,
  });
  const names = new Map(data?.risk_categories.map(({ id, name }) => [id, name]));
  return (id) => `${id} ${names.get(id) ?? ''}`.trim();
}
