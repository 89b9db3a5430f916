import { useQuery } from '@tanstack/react-query';
import { keys, policyGuard } from '../../api/policy-guard.ts';
import { useRunning } from '../../frame/use-running.ts';
import { Figure } from '../../parts/figure.tsx';
import { count, milliseconds, share } from '../../parts/numbers.ts';
import { wholeDays } from '../monitoring/whole-days.ts';
import { useLastDayActions } from './use-last-day-actions.ts';
import { useLastDays } from './use-last-days.ts';

/** The day in numbers: texts of today, actions of the last 24 hours, and how long people waited. */
export function DayFigures() {
  const runs = useRunning();
  return (
    <dl className="grid grid-cols-2 gap-4 last:*:col-span-2 lg:grid-cols-5 lg:last:*:col-span-1">
      {runs('policy-guard') && <TextFigures />}
      {runs('action-guard') && <ActionFigures />}
      {runs('policy-guard') && <Latency />}
    </dl>
  );
}

function TextFigures() {
  const { data } = useLastDays();
  const days = data && wholeDays(data);
  const today = days?.at(-1);
  const yesterday = days?.at(-2)?.requests ?? 0;
  return (
    <>
      <Figure
        name="Texts judged today"
        value={today === undefined ? '…' : count(today.requests)}
        note={yesterday > 0 ? `${count(yesterday)} yesterday` : undefined}
      />
      <Figure
        name="Flagged today"
        value={today === undefined ? '…' : count(today.flagged)}
        note={today !== undefined && today.requests > 0 ? share(today.flag_rate) : undefined}
      />
    </>
  );
}

function ActionFigures() {
  const { data } = useLastDayActions();
  const stats = data?.stats;
  return (
    <>
      <Figure
        name="Actions, last 24 hours"
        value={stats === undefined ? '…' : count(stats.total_evaluations)}
        note={
          stats !== undefined && stats.unique_sessions > 0 ? `${stats.unique_sessions} sessions` : undefined
        }
      />
      <Figure
        name="Actions blocked"
        value={stats === undefined ? '…' : count(stats.total_violations)}
        note={
          stats !== undefined && stats.total_evaluations > 0
            ? share(stats.total_violations / stats.total_evaluations)
            : undefined
        }
      />
    </>
  );
}

function Latency() {
  const guards = useQuery({
    queryKey: keys.guards,
    queryFn: () => policyGuard.listGuards({ query: { limit: 1000 } }),
    refetchInterval: 15_000,
  });
  const slowest = Math.max(
    0,
    ...(guards.data?.guards.map(({ metrics }) => metrics.latency_ms_p95 ?? 0) ?? []),
  );
  return <Figure name="Slowest guard’s p95" value={slowest === 0 ? '–' : milliseconds(slowest)} />;
}
