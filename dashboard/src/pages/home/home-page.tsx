import { actionKeys } from '../../api/action-guard.ts';
import { gatewayKeys } from '../../api/agent-gateway.ts';
import { useChanges } from '../../api/changes.ts';
import { useRunning } from '../../frame/use-running.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { TopPolicies } from '../monitoring/top-policies.tsx';
import { BusiestGuards } from './busiest-guards.tsx';
import { DayFigures } from './day-figures.tsx';
import { Decisions } from './decisions.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ActionsByHour, LatencyByHour, TextsByHour } from './hour-charts.tsx';
import { Incidents } from './incidents.tsx';
import { Running } from './running.tsx';
import { useLastDays } from './use-last-days.ts';
import { useActionHours, useTextHours } from './use-last-hours.ts';

/** What is loaded again when something was judged, or waits. */
const loadedOn = {
  texts: [['governance'], ['queries', 'incidents']],
  actions: [actionKeys.logs],
  calls: [['gateway-calls', 'refused']],
  decisions: [actionKeys.approvals, gatewayKeys.decisions],
};

/** What waits for a decision, the last day in figures, incidents, and the state of the services. */
export function HomePage() {
  const runs = useRunning();
  useChanges(loadedOn);
  return (
    <>
      <PageHead title="Home" lead="What waits for you, and the last 24 hours of your guards." />
      <div className="grid gap-6">
        <div className="grid items-start gap-6 lg:grid-cols-2 lg:*:only:col-span-2">
          <Decisions />
          <FirstSteps />
        </div>
        <DayFigures />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="grid min-w-0 gap-6">
            {runs('policy-guard') && <Texts />}
            <div className="grid gap-6 sm:auto-cols-fr sm:grid-flow-col">
              {runs('action-guard') && <Actions />}
              {runs('policy-guard') && <Latency />}
            </div>
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

const Texts = () => <QueryView query={useTextHours()}>{(hours) => <TextsByHour hours={hours} />}</QueryView>;

const Actions = () => (
  <QueryView query={useActionHours()}>{(hours) => <ActionsByHour hours={hours} />}</QueryView>
);

/** If the hourly figures cannot be loaded, the panel above says why. */
function Latency() {
  const { data } = useTextHours();
  return data === undefined ? null : <LatencyByHour hours={data} />;
}

function Top() {
  const { data } = useLastDays();
  return data === undefined ? null : (
    <TopPolicies policies={data.top_policies.slice(0, 5)} note="The last 14 days." />
  );
}
