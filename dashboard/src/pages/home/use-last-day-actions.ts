import { useQuery } from '@tanstack/react-query';
import { actionGuard, actionKeys } from '../../api/action-guard.ts';
import { useRunning } from '../../frame/use-running.ts';

const dayMs = 86_400_000;
/** Of what happens the page is told. */
const refetchInterval = 120_000;
const lastDay = () => new Date(Date.now() - dayMs).toISOString();

/** The newest blocked actions of the last 24 hours. */
export const useBlockedActions = (limit: number) =>
  useQuery({
    queryKey: [...actionKeys.logs, 'blocked', limit],
    queryFn: () => actionGuard.listBlocked({ query: { limit, start_date: lastDay() } }),
    enabled: useRunning()('action-guard'),
    refetchInterval,
  });

/** The statistics of the actions of the last 24 hours. */
export const useActionStats = () =>
  useQuery({
    queryKey: [...actionKeys.logs, 'last-day'],
    queryFn: () => actionGuard.listLogs({ query: { stats_only: 'true', start_date: lastDay() } }),
    enabled: useRunning()('action-guard'),
    refetchInterval,
  });
