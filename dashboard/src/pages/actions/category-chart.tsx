import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { tooltip } from '../../parts/chart.ts';

const rowHeightPx = 34;

/** The number of findings in each category, most frequent first. */
export function CategoryChart({ data }: { data: { category: string; n: number }[] }) {
  return (
    <div
      role="img"
      aria-label={data.map(({ category, n }) => `${category}: ${n}`).join('; ')}
      style={{ height: data.length * rowHeightPx + 8 }}
    >
      <ResponsiveContainer>
        <BarChart data={data} layout="vertical" margin={{ left: 0, right: 24, top: 0, bottom: 0 }}>
          <XAxis type="number" hide />
          <YAxis
            type="category"
            dataKey="category"
            width={190}
            axisLine={false}
            tickLine={false}
            tick={{ fill: 'var(--ink-soft)', fontSize: 13 }}
          />
          <Tooltip {...tooltip} />
          <Bar
            dataKey="n"
            name="blocked"
            fill="var(--series-2)"
            radius={4}
            barSize={14}
            isAnimationActive={false}
            label={{ position: 'right', fill: 'var(--ink)', fontSize: 13 }}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
