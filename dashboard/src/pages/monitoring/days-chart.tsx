import type { Governance } from '../../api/monitoring.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { count } from '../../parts/numbers.ts';
import { textSeries } from './text-series.ts';

const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** This many days have a label below their bars. */
const mostNamed = 7;

/** Texts of each day, by the outcome. */
export function DaysChart({ days }: { days: Governance['days'] }) {
  const each = Math.ceil(days.length / mostNamed);
  const bars = days.map(({ day, requests, flagged, observed }, i) => {
    const at = new Date(day);
    return {
      key: day,
      title: full.format(at),
      tick: (days.length - i) % each === Math.floor(each / 2) ? short.format(at) : undefined,
      values: [requests - flagged - observed, observed, flagged],
    };
  });
  return (
    <BarChart label="Texts by day" per="Day" height="h-52" bars={bars} series={textSeries} format={count} />
  );
}
