import { useQuery } from '@tanstack/react-query';
import { monitoring } from '../../api/monitoring.ts';
import { useRunning } from '../../frame/use-running.ts';

const dayMs = 86_400_000;
const spannedDays = 14;

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

/** What guards judged in the last two weeks; days are of UTC, as the service counts them. */
export const useLastDays = () =>
  useQuery({
    queryKey: ['governance', 'last-days'],
    queryFn: () =>
      monitoring.getGovernanceSummary({
        query: { start: dayOf(Date.now() - (spannedDays - 1) * dayMs), end: dayOf(Date.now()) },
      }),
    enabled: useRunning()('policy-guard'),
    // The page is told of what is judged.
    refetchInterval: 120_000,
  });
