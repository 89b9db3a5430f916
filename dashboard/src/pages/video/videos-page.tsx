import { PageHead } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CheckTab } from './check-tab.tsx';
import { DetectorsTab } from './detectors-tab.tsx';
import { LiveTab } from './live-tab.tsx';

/** Checks of videos, live sessions, and the set-up of their detectors. */
export function VideosPage() {
  return (
    <>
      <PageHead
        title="Videos"
        lead="Judges videos and live streams by frames and clips. Each category says how it was looked for; where nothing has looked, a probability of 0 means nothing."
      />
      <Tabs
        label="Videos"
        parts={[
          { value: 'check', name: 'Check a video', content: () => <CheckTab /> },
          { value: 'live', name: 'Live streams', content: () => <LiveTab /> },
          { value: 'detectors', name: 'Detectors', content: () => <DetectorsTab /> },
        ]}
      />
    </>
  );
}
