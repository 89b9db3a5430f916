import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getScan, isRunning, modelScan, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { FailuresTab } from './failures-tab.tsx';
import { ReportTab } from './report-tab.tsx';
import { ScanActions } from './scan-actions.tsx';
import { ScanProgress } from './scan-progress.tsx';
import { ScanSharing } from './scan-sharing.tsx';
import { StatusBadge } from './status-badge.tsx';
import { SummaryTab } from './summary-tab.tsx';

const list = { to: '/model-scans', name: 'Model scans' } as const;
const refreshMs = 1000;

/** One scan: how far it is, then what it found. */
export function ModelScanPage() {
  const { scanId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...modelScanKey, 'scan', scanId],
    queryFn: () => getScan(scanId),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? refreshMs : false),
  });
  return (
    <QueryView query={query} list={list}>
      {(scan) => <Shown scan={scan} />}
    </QueryView>
  );
}

function Shown({ scan }: { scan: Scan }) {
  return (
    <>
      <PageHead
        list={list}
        title={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            {scan.scan_name} <StatusBadge {...scan} />
          </span>
        }
        lead={`${scan.model_name}${scan.sandbox ? ', sandbox scan of 24 fixed cases' : ''}`}
        actions={<ScanActions scan={scan} />}
      />
      <ScanSharing scan={scan} />
      {scan.status === 'Finished' ? <Finished scan={scan} /> : <ScanProgress scan={scan} />}
    </>
  );
}

function Finished({ scan }: { scan: Scan }) {
  const query = useQuery({
    queryKey: [...modelScanKey, 'summary', scan.scan_id],
    queryFn: () => modelScan.getSummary({ body: { scan_id: scan.scan_id } }),
    staleTime: Infinity,
  });
  return (
    <QueryView query={query}>
      {(summary) => (
        <Tabs
          label="Parts of the scan"
          parts={[
            { value: 'summary', name: 'Summary', content: () => <SummaryTab summary={summary} /> },
            { value: 'results', name: 'Results', content: () => <FailuresTab scan={scan} /> },
            { value: 'report', name: 'Report', content: () => <ReportTab {...{ scan, summary }} /> },
          ]}
        />
      )}
    </QueryView>
  );
}
