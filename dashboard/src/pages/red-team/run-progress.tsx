import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { Figure } from '../../parts/figure.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ResultList } from './result-list.tsx';

type Counts = Run['counts'];
const mostShown = 20;
const refreshMs = 2000;

const parts = [
  ['passed', 'bg-good'],
  ['failed', 'bg-flag'],
  ['error', 'bg-warn'],
] as const;

/** How far a run is, told by the service as tasks end, and its failures as they come. */
export function RunProgress({ run, counts }: { run: Run; counts: Counts }) {
  const done = counts.passed + counts.failed + counts.error + counts.cancelled;
  const percent = counts.total === 0 ? 0 : (done / counts.total) * 100;
  return (
    <div className="grid gap-6">
      <Panel>
        <div className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
          <span>
            {count(done)} of {count(counts.total)} tasks
          </span>
          <span className="text-ink-soft">
            {run.status === 'created' ? 'not started yet' : `${count(counts.running)} under way`}
          </span>
        </div>
        <div
          role="progressbar"
          aria-label="Progress of the run"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(percent)}
          className="flex h-2.5 overflow-hidden rounded-full bg-raised"
        >
          {parts.map(([name, colour]) => (
            <div
              key={name}
              className={`h-full ${colour} transition-[width] duration-300`}
              style={{ width: `${counts.total === 0 ? 0 : (counts[name] / counts.total) * 100}%` }}
            />
          ))}
        </div>
      </Panel>
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Figure name="Passed" value={count(counts.passed)} />
        <Figure name="Failed" value={count(counts.failed)} />
        <Figure name="Not assessed" value={count(counts.error)} />
        <Figure name="Waiting" value={count(counts.pending)} />
      </dl>
      {run.status !== 'created' && <NewestFailures run={run} failed={counts.failed} />}
    </div>
  );
}

function NewestFailures({ run, failed }: { run: Run; failed: number }) {
  const query = useQuery({
    queryKey: [...redTeamKey, 'failures', run.run_id],
    queryFn: () =>
      redTeam.listResults({ query: { run_id: run.run_id, status: 'failed', limit: String(mostShown) } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  return (
    <section aria-label="Failures so far">
      <h2 className="mb-3 font-semibold tracking-tight">
        Failures so far <span className="font-normal text-ink-soft">{count(failed)}</span>
      </h2>
      <QueryView query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="text-sm text-ink-soft">None yet.</p>
          ) : (
            <ResultList results={results} />
          )
        }
      </QueryView>
    </section>
  );
}
