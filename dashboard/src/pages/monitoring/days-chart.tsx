import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Governance } from '../../api/monitoring.ts';
import { axis, tooltip } from '../../parts/chart.ts';

/** Texts of each day, the flagged ones apart. */
export function DaysChart({ days }: { days: Governance['days'] }) {
  const data = days.map(({ day, requests, flagged, observed }) => ({
    day: day.slice(5),
    passed: requests - flagged - observed,
    flagged,
    observed,
  }));
  const total = days.reduce((sum, { flagged }) => sum + flagged, 0);
  return (
    <div role="img" aria-label={`${days.length} days, ${total} texts flagged in all`} className="h-60">
      <ResponsiveContainer>
        <BarChart data={data} maxBarSize={40} margin={{ left: 0, right: 8, top: 8, bottom: 0 }}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis dataKey="day" {...axis} />
          <YAxis width={44} allowDecimals={false} {...axis} />
          <Tooltip {...tooltip} />
          <Legend />
          <Bar
            dataKey="passed"
            stackId="texts"
            fill="var(--series-1)"
            fillOpacity={0.55}
            isAnimationActive={false}
          />
          <Bar dataKey="observed" stackId="texts" fill="var(--series-4)" isAnimationActive={false} />
          <Bar dataKey="flagged" stackId="texts" fill="var(--series-2)" isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
