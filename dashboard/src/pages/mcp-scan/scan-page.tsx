import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Download, GitCompareArrows, RefreshCw } from 'lucide-react';
import { toast } from 'sonner';
import {
  download,
  getScan,
  isUnderWay,
  mcpScan,
  scanKey,
  type Scan,
  type ScanResult,
} from '../../api/mcp-scan.ts';
import { Button } from '../../parts/button.tsx';
import { DeletePageButton } from '../../parts/delete-button.tsx';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure, messageOf } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useMayChange } from '../../session/use-session.ts';
import { StatusBadge } from './badges.tsx';
import { Coverage } from './coverage.tsx';
import { FindingList } from './finding-list.tsx';
import { useLiveStatus } from './live-stage.tsx';
import { NeedsToken } from './needs-token.tsx';
import { Ratings } from './ratings.tsx';
import { ToolList } from './tool-list.tsx';

const list = { to: '/mcp-scans', name: 'Scans' } as const;
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** One scan: what is done now, or what was found. */
export function ScanPage() {
  const { scanId } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...scanKey, 'scan', scanId],
    queryFn: () => getScan(Number(scanId)),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? 2000 : false),
  });
  return (
    <QueryView query={query} list={list}>
      {(scan) => <Shown key={scan.id} scan={scan} />}
    </QueryView>
  );
}

function Shown({ scan }: { scan: Scan }) {
  const what = scan.github_url ?? scan.server_name ?? scan.filename;
  const commit = scan.commit_hash === null ? '' : ` at ${scan.commit_hash.slice(0, 12)}`;
  return (
    <>
      <PageHead
        list={list}
        title={
          <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 break-all">
            {scan.filename} <StatusBadge status={scan.status} />
          </span>
        }
        lead={`${what}${commit}, scanned by ${scan.user_name ?? 'somebody'} on ${exact.format(new Date(scan.upload_time))}`}
        actions={<Actions scan={scan} />}
      />
      <Body scan={scan} />
    </>
  );
}

function Body({ scan }: { scan: Scan }) {
  const { result_data: result } = scan;
  if (isUnderWay(scan)) return <UnderWay scan={scan} />;
  if (scan.status !== 'completed' || result === null)
    return (
      <>
        {scan.status === 'needs_auth' ? (
          <NeedsToken scan={scan} />
        ) : (
          <Failure error={new Error(scan.error_message ?? 'The scan has no results.')} />
        )}
        {result !== null && <OfConfiguration scan={scan} result={result} />}
      </>
    );
  const flagged = Object.values(result.offers).reduce((sum, kind) => sum + kind.flagged, 0);
  return (
    <>
      <Ratings scan={scan} />
      <p className="mb-6 max-w-[85ch] text-sm text-pretty">{result.summary}</p>
      <Tabs
        label="Results"
        parts={[
          {
            value: 'findings',
            name: `Findings (${scan.vulnerability_count})`,
            content: () => <FindingList findings={result.vulnerabilities} scanId={scan.id} />,
          },
          {
            value: 'tools',
            name: `${result.offers.tool.total === result.tools.length ? 'Tools' : 'Tools and more'} (${result.tools.length}${flagged > 0 ? `, ${flagged} flagged` : ''})`,
            content: () => <ToolList scan={scan} />,
          },
          { value: 'coverage', name: 'Coverage', content: () => <Coverage result={result} /> },
        ]}
      />
    </>
  );
}

/** What is known of a server that could not be asked. */
const OfConfiguration = ({ scan, result }: { scan: Scan; result: ScanResult }) => (
  <section aria-label="Findings of the configuration" className="mt-8">
    <h2 className="mb-1 text-base font-semibold">
      {`Findings of the configuration (${scan.vulnerability_count})`}
    </h2>
    <p className="mb-4 max-w-[85ch] text-sm text-pretty text-ink-soft">{result.summary}</p>
    <FindingList findings={result.vulnerabilities} scanId={scan.id} />
  </section>
);

/** File by file, where the stage has files. */
const filesOf = ({ progress }: Pick<Scan, 'progress'>) =>
  progress !== null && progress.total !== null && progress.total > 0
    ? { done: progress.done, total: progress.total }
    : undefined;

function UnderWay({ scan }: { scan: Scan }) {
  const status = useLiveStatus(scan);
  const now = status ?? scan;
  const files = filesOf(now);
  const isWaiting = status?.status === 'pending';
  const stage = now.processing_stage ?? 'Beginning';
  return (
    <Panel title={isWaiting ? 'It waits' : 'It is under way'} className="max-w-2xl">
      <progress
        aria-label="Progress of the scan"
        className="h-2 w-full accent-(--accent)"
        value={files?.done}
        max={files?.total}
      />
      <p className="mt-2 text-sm text-ink-soft tabular-nums" aria-live="polite">
        {isWaiting ? (
          `Number ${status.queue_position ?? '–'} of ${status.queue_size ?? '–'} in the queue`
        ) : (
          <>
            {stage}
            {files !== undefined && `, file ${files.done} of ${files.total}`}
          </>
        )}
      </p>
    </Panel>
  );
}

function Actions({ scan }: { scan: Scan }) {
  const navigate = useNavigate();
  const mayChange = useMayChange(scan.user_id);
  const rescan = useMutation({
    mutationFn: () => mcpScan.rescan({ params: { scan_id: scan.id }, headers: {} }),
    onSuccess: async (made) => {
      if (!('scan_id' in made)) toast.success('Nothing has changed since this scan.');
      else await navigate({ to: '/mcp-scans/$scanId', params: { scanId: String(made.scan_id) } });
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const save = (path: string, name: string) =>
    void download(`/scan/${scan.id}/${path}`, name).catch((error: unknown) => toast.error(messageOf(error)));
  return (
    <>
      {scan.rescannable && mayChange && (
        <Button busy={rescan.isPending} onClick={() => rescan.mutate()}>
          <RefreshCw className="size-4" aria-hidden /> Scan again
        </Button>
      )}
      {scan.status === 'completed' && (
        <Button
          onClick={() =>
            void navigate({ to: '/mcp-scans/compare', search: { after: String(scan.id) } as never })
          }
        >
          <GitCompareArrows className="size-4" aria-hidden /> Compare
        </Button>
      )}
      {!isUnderWay(scan) && scan.result_data !== null && (
        <Button onClick={() => save('sarif', `scan-${scan.id}.sarif`)}>
          <Download className="size-4" aria-hidden /> SARIF
        </Button>
      )}
      {scan.status === 'completed' && (
        <Button onClick={() => save('cyclonedx', `scan-${scan.id}.cdx.json`)}>
          <Download className="size-4" aria-hidden /> CycloneDX
        </Button>
      )}
      {mayChange && (
        <DeletePageButton
          noun="scan"
          name={scan.filename}
          list="/mcp-scans"
          run={() => mcpScan.deleteScan({ params: { scan_id: scan.id } })}
          changes={scanKey}
        >
          Its results are gone, also from comparisons and from the leaderboard.
        </DeletePageButton>
      )}
    </>
  );
}
