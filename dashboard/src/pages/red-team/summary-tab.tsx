import { useQuery } from '@tanstack/react-query';
import { redTeam, redTeamKey, type Run, type RunStats } from '../../api/red-team.ts';
import { Figure } from '../../parts/figure.tsx';
import { Facts } from '../../parts/facts.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { AttackMap } from './heat-map.tsx';
import { PartTable, RateTable } from './rates.tsx';
import { useCategoryNames } from './use-category-names.ts';
import { countText, outcomeWords, rateText, spoken, vectorWords } from './words.ts';

/** What a run found, on one page. */
export function SummaryTab({ run }: { run: Run }) {
  const query = useQuery({
    queryKey: [...redTeamKey, 'stats', run.run_id],
    queryFn: () => redTeam.getRunStats({ params: { run_id: run.run_id } }),
  });
  return <QueryView query={query}>{(stats) => <Summary stats={stats} />}</QueryView>;
}

function Summary({ stats }: { stats: RunStats }) {
  const nameOf = useCategoryNames();
  const { asr, asr_delivered: delivered, utility, error_rate: errors } = stats.total;
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Attack success" value={rateText(asr)} note={countText(asr)} />
        <Figure name="… given delivery" value={rateText(delivered)} note={countText(delivered)} />
        <Figure name="Work done" value={rateText(utility)} note={countText(utility)} />
        <Figure name="Not assessed" value={rateText(errors)} note={countText(errors)} />
      </dl>
      <Panel
        title="Category by domain"
        note="Share of assessed attacks that succeeded; each cell opens its results."
      >
        <AttackMap map={stats.heat_map} nameOf={nameOf} />
      </Panel>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="grid gap-6">
          <Panel title="All figures" note="With Wilson intervals. Errors count in no other figure.">
            <RateTable rates={stats.total} label="All figures" />
          </Panel>
          <Panel title="Outcomes" note="Why attacks did not succeed, and what became of ordinary work.">
            <Facts
              facts={Object.entries(stats.outcomes).map(([id, n]) => [
                spoken(outcomeWords[id] ?? id),
                count(n),
              ])}
            />
          </Panel>
        </div>
        <div className="grid gap-6">
          <Panel title="Attack success by category">
            <PartTable label="Attack success by category" parts={stats.by_risk_category} nameOf={nameOf} />
          </Panel>
          <Panel title="Attack success by vector">
            <PartTable
              label="Attack success by vector"
              parts={stats.by_vector}
              nameOf={(id) => spoken(vectorWords[id] ?? id)}
            />
          </Panel>
          <Panel title="Attack success by threat model">
            <PartTable label="Attack success by threat model" parts={stats.by_threat_model} nameOf={spoken} />
          </Panel>
        </div>
      </div>
    </div>
  );
}
