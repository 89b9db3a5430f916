import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys, policyGuard } from '../../api/policy-guard.ts';

/** The names of the guards that the person may see, by id; undefined until they are known. */
export function useGuardNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: keys.guards,
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000 } }),
  });
  return useMemo(
    () => data && new Map(data.guards.map(({ guard_uuid: uuid, name }) => [uuid, name])),
    [data],
  );
}
