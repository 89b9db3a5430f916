import { PageHead } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CheckTab } from './check-tab.tsx';
import { DetectorsTab } from './detectors-tab.tsx';

/** Checks of videos, and the set-up of their detectors. */
export function VideosPage() {
  return (
    <>
      <PageHead
        title="Videos"
        lead="Judges a video by frames and clips. Beside each category it says how it was looked for: a 0 from nobody who looked says nothing."
      />
      <Tabs
        label="Videos"
        parts={[
          { value: 'check', name: 'Check a video', content: () => <CheckTab /> },
          { value: 'detectors', name: 'Detectors', content: () => <DetectorsTab /> },
        ]}
      />
    </>
  );
}
