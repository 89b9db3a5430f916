import { useMemo } from 'react';
import type { Summary } from '../../api/model-scan.ts';
import { Figure } from '../../parts/figure.tsx';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { SvgChart } from '../../parts/svg-chart.tsx';
import { AttackTable, CategoryTable, DataSetTable } from './score-tables.tsx';
import { FailureMap } from './heat-map.tsx';
import { RiskBadge } from './status-badge.tsx';

/** A radar needs three axes to be an area. */
const leastAxes = 3;

/** What a scan found, on one page. */
export function SummaryTab({ summary }: { summary: Summary }) {
  const { intervals } = summary;
  const names = Object.keys(summary.averages);
  const radar = useMemo(
    () => ({
      kind: 'radar' as const,
      title: 'Mean score of each data set',
      axes: Object.keys(summary.averages),
      series: [{ name: 'Score', values: Object.values(summary.averages) }],
      max: 100,
      format: 'number' as const,
    }),
    [summary],
  );
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Average score" value={summary.avg_score.toFixed(1)} note="of 100" />
        <Figure
          name="Critical failures"
          value={count(intervals.critical_failures.count)}
          note={`of ${count(intervals.critical_failures.of)}`}
        />
        <Figure name="Harmless requests refused" value={share(intervals.over_caution.share)} />
        <Figure name="Not assessed" value={share(intervals.unassessed.share)} />
      </dl>
      <Panel title="Risk level" actions={<RiskBadge level={summary.risk_level} />}>
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          {summary.risk_reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Panel>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Panel title="Data sets" note="Mean score of the cases as they are, and the share that passed.">
          {names.length >= leastAxes && <SvgChart chart={radar} />}
          <DataSetTable summary={summary} />
        </Panel>
        <div className="grid gap-6">
          <Panel title="Attacks" note="How often an attack succeeded on the cases that it was tried on.">
            <AttackTable summary={summary} />
          </Panel>
          <Panel title="Risk categories" note="All tests, with and without attacks.">
            <CategoryTable summary={summary} />
          </Panel>
        </div>
      </div>
      <Panel
        title="Failures by data set and attack"
        note="Share of the assessed tests that failed; each opens its results."
      >
        <FailureMap coverage={summary.coverage} />
      </Panel>
    </div>
  );
}
