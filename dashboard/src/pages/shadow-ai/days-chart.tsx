import { BarChart } from '../../parts/bar-chart.tsx';
import { count } from '../../parts/numbers.ts';

const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayMs = 86_400_000;

/** This many days have a label below their bars. */
const mostNamed = 5;

/** Detections per day, with those of allowed tools separate. */
export function DaysChart({
  end,
  days,
}: {
  end: string;
  days: readonly { other: number; allowed: number }[];
}) {
  const lastMs = Math.floor(Date.parse(end) / dayMs) * dayMs;
  const each = Math.ceil(days.length / mostNamed);
  const bars = days.map(({ other, allowed }, i) => {
    const at = new Date(lastMs - (days.length - 1 - i) * dayMs);
    return {
      key: at.toISOString(),
      title: full.format(at),
      tick: (days.length - i) % each === Math.floor(each / 2) ? short.format(at) : undefined,
      values: [allowed, other],
    };
  });
  return (
    <BarChart
      label="Detections by day"
      per="Day"
      height="h-40"
      bars={bars}
      series={[
        { name: 'allowed tools', className: 'bg-(--series-3)' },
        { name: 'not allowed', className: 'bg-(--series-1)/70' },
      ]}
      format={count}
    />
  );
}
