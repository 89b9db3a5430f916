import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { monitoring } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';

const lastDay = { query: { hours: 24 } };

/** What guards judged in the last 24 hours, hour by hour. */
export const useTextHours = () =>
  useQuery({
    queryKey: ['governance', 'last-hours'],
    queryFn: () => monitoring.getGovernanceHours(lastDay),
    enabled: useRunning()('policy-guard'),
    // Texts are told of as they are judged.
    refetchInterval: 60_000,
  });

/** The actions of the last 24 hours, hour by hour. */
export const useActionHours = () =>
  useQuery({
    queryKey: [...actionKeys.logs, 'last-hours'],
    queryFn: () => actionGuard.listLogHours(lastDay),
    enabled: useRunning()('action-guard'),
    refetchInterval: 15_000,
  });
