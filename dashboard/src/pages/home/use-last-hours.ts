import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { monitoring } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';

/** The page is told of what is judged; this moves the hours on. */
const refetchInterval = 120_000;
const lastDay = { query: { hours: 24 } };

/** What guards judged in the last 24 hours, hour by hour. */
export const useTextHours = () =>
  useQuery({
    queryKey: ['governance', 'last-hours'],
    queryFn: () => monitoring.getGovernanceHours(lastDay),
    enabled: useRunning()('policy-guard'),
    refetchInterval,
  });

/** The actions of the last 24 hours, hour by hour. */
export const useActionHours = () =>
  useQuery({
    queryKey: [...actionKeys.logs, 'last-hours'],
    queryFn: () => actionGuard.listLogHours(lastDay),
    enabled: useRunning()('action-guard'),
    refetchInterval,
  });
