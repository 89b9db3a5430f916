import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followRun, isUnderWay, redTeam, redTeamKey, type Run, type RunStatus } from '../../api/red-team.ts';
import { PageHead } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { RunBadge } from './badges.tsx';
import { ReportTab } from './report-tab.tsx';
import { ResultsTab } from './results-tab.tsx';
import { RunActions } from './run-actions.tsx';
import { RunProgress } from './run-progress.tsx';
import { SummaryTab } from './summary-tab.tsx';

const list = { to: '/red-team', name: 'Evaluations' } as const;

/** One run: it moves while the agent works, then shows what was found. */
export function RunPage() {
  const { runId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [...redTeamKey, 'run', runId],
    queryFn: () => redTeam.getRun({ params: { run_id: runId } }),
  });
  const status = useRunEvents(query.data);
  return (
    <QueryView query={query} list={list}>
      {(run) => <Shown run={run} live={status} />}
    </QueryView>
  );
}

/** Keeps the newest status of a run that is under way, told by the service; loads everything again at its end. */
function useRunEvents(run: Run | undefined): RunStatus | undefined {
  const queries = useQueryClient();
  const runId = run?.run_id;
  const follows = run !== undefined && isUnderWay(run);
  const key = [...redTeamKey, 'live', runId];
  useEffect(() => {
    if (!follows || runId === undefined) return undefined;
    const stop = new AbortController();
    const onStatus = (status: RunStatus) => {
      queries.setQueryData([...redTeamKey, 'live', runId], status);
      if (status.status !== 'running') void queries.invalidateQueries({ queryKey: redTeamKey });
    };
    followRun(runId, onStatus, stop.signal).catch(() => {
      // The run itself is asked for again: its page then shows what it is now, or why it cannot be read.
      if (!stop.signal.aborted) void queries.invalidateQueries({ queryKey: [...redTeamKey, 'run', runId] });
    });
    return () => stop.abort();
  }, [follows, runId, queries]);
  return useQuery<RunStatus>({
    queryKey: key,
    queryFn: () => redTeam.getRunStatus({ params: { run_id: runId ?? '' } }),
    enabled: false,
  }).data;
}

function Shown({ run, live }: { run: Run; live: RunStatus | undefined }) {
  const { config } = run;
  const agents = useQuery({
    queryKey: [...redTeamKey, 'agents', 'all'],
    queryFn: () => redTeam.listAgents({ query: { limit: 500 } }),
  });
  const agent = agents.data?.agents.find(({ endpoint }) => endpoint === config.agent_endpoint)?.name;
  return (
    <>
      <PageHead
        list={list}
        title={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            {run.evaluation_name} <RunBadge {...run} />
          </span>
        }
        lead={`${agent ?? config.agent_endpoint}, ${config.gateway_name === null ? 'without a gateway' : `through the gateway ${config.gateway_name}`}`}
        actions={<RunActions run={run} />}
      />
      {run.error !== null && (
        <p
          role="alert"
          className="mb-6 rounded-xl border border-flag/30 bg-flag-soft p-4 text-sm break-words"
        >
          {run.error}
        </p>
      )}
      {run.status === 'created' || isUnderWay(run) ? (
        <RunProgress run={run} counts={live ?? run.counts} />
      ) : (
        <Tabs
          label="Parts of the run"
          parts={[
            { value: 'summary', name: 'Summary', content: () => <SummaryTab run={run} /> },
            { value: 'results', name: 'Results', content: () => <ResultsTab run={run} /> },
            { value: 'report', name: 'Report', content: () => <ReportTab run={run} /> },
          ]}
        />
      )}
    </>
  );
}
