import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys, policyGuard } from '../../api/policy-guard.ts';

/** Names of the guards that the user may see, by id; undefined until they are loaded. */
export function useGuardNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: keys.guardList('all'),
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000, owner: 'all' } }),
  });
  return useMemo(
    () => data && new Map(data.guards.map(({ guard_uuid: uuid, name }) => [uuid, name])),
    [data],
  );
}
