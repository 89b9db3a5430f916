import type { ReactNode } from 'react';
import type { ActionHours } from '../../api/action-guard.ts';
import type { Hours } from '../../api/monitoring.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { count, milliseconds } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { textSeries } from '../monitoring/text-series.ts';

const time = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' });
const hourMs = 3_600_000;

/** An hour in the user's time zone; every sixth has a label below its bar. */
function named(hour: string, index: number) {
  const from = new Date(hour);
  const to = new Date(from.getTime() + hourMs);
  return {
    key: hour,
    title: `${weekday.format(from)} ${time.format(from)}–${time.format(to)}`,
    tick: index % 6 === 5 ? time.format(from) : undefined,
  };
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="text-sm text-ink-soft">{children}</p>
);

/** Texts of each hour, by the outcome. */
export const TextsByHour = ({ hours: { hours, totals } }: { hours: Hours }) => (
  <Panel title="Texts by the hour" note="Texts sent to guards in the last 24 hours.">
    {totals.requests === 0 ? (
      <Nothing>No guard was asked in the last day.</Nothing>
    ) : (
      <BarChart
        label="Texts by the hour"
        per="Hour"
        bars={hours.map(({ hour, requests, flagged, observed }, i) => ({
          ...named(hour, i),
          values: [requests - flagged - observed, observed, flagged],
        }))}
        series={textSeries}
        format={count}
      />
    )}
  </Panel>
);

const actionSeries = [
  { name: 'allowed', className: 'bg-(--series-1)/45' },
  { name: 'held', className: 'bg-(--series-4)' },
  { name: 'blocked', className: 'bg-(--series-2)' },
];

/** Actions of each hour: allowed, held for approval and blocked. */
export const ActionsByHour = ({ hours: { hours } }: { hours: ActionHours }) => (
  <Panel title="Actions by the hour" note="What agents wanted to do.">
    {hours.every(({ evaluations }) => evaluations === 0) ? (
      <Nothing>No action was judged in the last day.</Nothing>
    ) : (
      <BarChart
        label="Actions by the hour"
        per="Hour"
        height="h-28"
        bars={hours.map(({ hour, evaluations, violations, held }, i) => ({
          ...named(hour, i),
          values: [evaluations - violations, held, violations - held],
        }))}
        series={actionSeries}
        format={count}
      />
    )}
  </Panel>
);

const latencySeries = [{ name: 'p95', className: 'bg-(--series-3)/70' }];

/** How long callers waited for a verdict on a text in each hour. */
export const LatencyByHour = ({ hours: { hours, totals } }: { hours: Hours }) => (
  <Panel title="Latency by the hour" note="p95: 95 of 100 texts took no longer.">
    {totals.latency_ms_p95 === null ? (
      <Nothing>No guard was asked in the last day.</Nothing>
    ) : (
      <BarChart
        label="Latency by the hour"
        per="Hour"
        height="h-28"
        bars={hours.map(({ hour, latency_ms_p95: p95 }, i) => ({ ...named(hour, i), values: [p95] }))}
        series={latencySeries}
        format={milliseconds}
      />
    )}
  </Panel>
);
