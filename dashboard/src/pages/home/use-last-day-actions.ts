import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { useRunning } from '../../frame/use-running.ts';

const dayMs = 86_400_000;
const mostLogs = 500;

/** The actions of the last 24 hours, with the newest entries. */
export const useLastDayActions = () =>
  useQuery({
    queryKey: [...actionKeys.logs, 'last-day'],
    queryFn: () =>
      actionGuard.listLogs({
        query: { limit: mostLogs, start_date: new Date(Date.now() - dayMs).toISOString() },
      }),
    enabled: useRunning()('action-guard'),
    refetchInterval: 15_000,
  });
