import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { OptimizedPolicy } from '../../api/policy-guard.ts';
import { axis, tooltip } from '../../parts/chart.ts';

type Curve = OptimizedPolicy['curves']['before'];

const pointsOf = (curve: Curve) =>
  curve
    .filter(({ precision }) => precision !== null)
    .map(({ recall, precision }) => ({ recall, precision }))
    .toSorted((a, b) => a.recall - b.recall);

/** Precision-recall curves before and after. */
export function PrecisionRecall({ before, after }: { before: Curve; after: Curve | null }) {
  return (
    <figure>
      <div role="img" aria-label="Precision over recall, before and after" className="h-64">
        <ResponsiveContainer>
          <LineChart margin={{ left: 0, right: 12, top: 8, bottom: 4 }}>
            <CartesianGrid stroke="var(--line)" />
            <XAxis dataKey="recall" type="number" domain={[0, 1]} {...axis} />
            <YAxis dataKey="precision" type="number" domain={[0, 1]} width={34} {...axis} />
            <Tooltip {...tooltip} formatter={(value) => Number(value).toFixed(2)} />
            <Legend />
            <Line
              name="before"
              data={pointsOf(before)}
              dataKey="precision"
              stroke="var(--series-4)"
              dot={false}
              isAnimationActive={false}
            />
            {after !== null && (
              <Line
                name="after"
                data={pointsOf(after)}
                dataKey="precision"
                stroke="var(--series-1)"
                strokeWidth={2}
                dot={false}
                isAnimationActive={false}
              />
            )}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="mt-1 text-center text-[13px] text-ink-soft">Precision over recall</figcaption>
    </figure>
  );
}
