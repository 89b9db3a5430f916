import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isRunning, modelScan, modelScanKey, type Scan } from '../../api/model-scan.ts';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { duration } from './duration.ts';
import { ResultList } from './result-list.tsx';

const refreshMs = 2000;
const mostShown = 25;

/** How far a scan is, and its failures as they come. */
export function ScanProgress({ scan }: { scan: Scan }) {
  const running = isRunning(scan);
  return (
    <div className="grid gap-6">
      {scan.error !== null && (
        <p role="alert" className="rounded-xl border border-flag/30 bg-flag-soft p-4 text-sm break-words">
          {scan.error}
        </p>
      )}
      <Panel>
        <div className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
          <span>
            {count(scan.passed_line)} of {count(scan.total)} tests
          </span>
          <span className="text-ink-soft" aria-live="off">
            {running ? `about ${duration(scan.remaining_time)} left` : `${scan.percentage} % done`}
          </span>
        </div>
        <div
          role="progressbar"
          aria-label="Progress of the scan"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(scan.percentage)}
          className="h-2.5 overflow-hidden rounded-full bg-raised"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-500"
            style={{ width: `${scan.percentage}%` }}
          />
        </div>
      </Panel>
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Done" value={`${scan.percentage} %`} />
        <Figure name="Requests" value={count(scan.requests)} note="retries included" />
        <Figure name="Tokens sent" value={count(scan.prompt_tokens)} />
        <Figure name="Tokens received" value={count(scan.completion_tokens)} />
      </dl>
      <NewestFailures scan={scan} refresh={running} />
    </div>
  );
}

function NewestFailures({ scan, refresh }: { scan: Scan; refresh: boolean }) {
  const query = useQuery({
    // What is done last is asked for once more when the scan has stopped.
    queryKey: [...modelScanKey, 'newest-failures', scan.scan_id, scan.status],
    queryFn: () =>
      modelScan.listResults({
        params: { scan_id: scan.scan_id },
        query: { result: 'failed', order: 'newest', limit: mostShown },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refresh ? refreshMs : false,
  });
  return (
    <QueryView query={query}>
      {({ results, total }) => (
        <section aria-label="Failures so far">
          <h2 className="mb-3 font-semibold tracking-tight">
            Failures so far <span className="font-normal text-ink-soft">{count(total)}</span>
          </h2>
          {results.length === 0 ? (
            <p className="text-sm text-ink-soft">None yet.</p>
          ) : (
            <ResultList scanId={scan.scan_id} results={results} />
          )}
        </section>
      )}
    </QueryView>
  );
}
