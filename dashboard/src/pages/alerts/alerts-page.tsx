import { useAlertsClient, type AlertsClient } from '../../api/alerts.ts';
import { PageHead } from '../../parts/page.tsx';
import { LoadingRows } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Channels } from './channels.tsx';
import { History } from './history.tsx';
import { Rules } from './rules.tsx';

/** Rules on what the services count, when they fired, and who is told. For administrators. */
export function AlertsPage() {
  const alerts = useAlertsClient();
  return (
    <>
      <PageHead
        title="Alerts"
        lead="Be told when texts are flagged, actions blocked or calls fail more than they should."
      />
      {alerts === undefined ? <LoadingRows rows={3} /> : <Parts alerts={alerts} />}
    </>
  );
}

const Parts = ({ alerts }: { alerts: AlertsClient }) => (
  <Tabs
    label="Parts of alerts"
    parts={[
      { value: 'rules', name: 'Rules', content: () => <Rules alerts={alerts} /> },
      { value: 'history', name: 'History', content: () => <History alerts={alerts} /> },
      { value: 'channels', name: 'Who is told', content: () => <Channels alerts={alerts} /> },
    ]}
  />
);
