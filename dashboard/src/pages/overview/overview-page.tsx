import { useRunning } from '../../frame/use-running.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { LoadingRows } from '../../parts/states.tsx';
import { TopPolicies } from '../monitoring/top-policies.tsx';
import { wholeDays } from '../monitoring/whole-days.ts';
import { BusiestGuards } from './busiest-guards.tsx';
import { DayBars } from './day-bars.tsx';
import { DayFigures } from './day-figures.tsx';
import { Incidents } from './incidents.tsx';
import { Running } from './running.tsx';
import { useLastDays } from './use-last-days.ts';

/** What happened in the last day, what needs a look, and what runs. */
export function OverviewPage() {
  const runs = useRunning();
  return (
    <>
      <PageHead
        title="Overview"
        lead="What your guards have seen in the last day, and how everything is doing."
      />
      <div className="grid gap-6">
        <DayFigures />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="grid min-w-0 gap-6">
            {runs('policy-guard') && <Days />}
            <Incidents />
          </div>
          <div className="grid min-w-0 gap-6">
            <Running />
            {runs('policy-guard') && (
              <>
                <Top />
                <BusiestGuards />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function Days() {
  const { data } = useLastDays();
  if (data === undefined) return <LoadingRows rows={4} />;
  return (
    <Panel title="Texts, by day" note="The last 14 days, in UTC.">
      <DayBars days={wholeDays(data)} />
    </Panel>
  );
}

function Top() {
  const { data } = useLastDays();
  return data === undefined ? null : <TopPolicies policies={data.top_policies.slice(0, 5)} />;
}
