import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { redTeam, redTeamKey, type Run } from '../../api/red-team.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Facts } from '../../parts/facts.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Failure } from '../../parts/states.tsx';
import { ReportList } from './report-list.tsx';
import { ResultList } from './result-list.tsx';
import { RateTable } from './rates.tsx';

const mostShown = 50;
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const timeText = (at: string | null) => (at === null ? '–' : exact.format(new Date(at)));

/** What the report will hold, a button to make it, and the reports of this run. */
export const ReportTab = ({ run }: { run: Run }) => (
  <div className="grid gap-6">
    <MakeReport run={run} />
    <Preview run={run} />
  </div>
);

function MakeReport({ run }: { run: Run }) {
  const [cases, setCases] = useState('3');
  const queries = useQueryClient();
  const key = [...redTeamKey, 'reports', run.evaluation_id];
  const make = useMutation({
    mutationFn: () =>
      redTeam.createReport({
        params: { run_id: run.run_id },
        body: { failure_cases_per_category: Number(cases) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
  const reports = useQuery({
    queryKey: key,
    queryFn: () => redTeam.listReports({ params: { evaluation_id: run.evaluation_id } }),
    refetchInterval: ({ state }) =>
      state.data?.reports.some(({ status }) => status === 'queued' || status === 'rendering') === true
        ? 1000
        : false,
  });
  return (
    <Panel
      title="PDF reports"
      note="Starred cases are all in the report; of other failures, a few of each category."
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="w-48">
          <TextField
            label="Failures per category"
            inputMode="numeric"
            value={cases}
            onChange={({ target }) => setCases(target.value)}
          />
        </div>
        <Button
          kind="primary"
          busy={make.isPending}
          disabled={!/^\d{1,3}$/.test(cases)}
          onClick={() => make.mutate()}
        >
          <FileText className="size-4" aria-hidden /> Make a report
        </Button>
      </div>
      {make.isError && <Failure error={make.error} />}
      <QueryView query={reports}>
        {({ reports: all }) => <ReportList reports={all.filter(({ run_id: id }) => id === run.run_id)} />}
      </QueryView>
    </Panel>
  );
}

/** The parts of the report that can be read before it is made. */
function Preview({ run }: { run: Run }) {
  const stats = useQuery({
    queryKey: [...redTeamKey, 'stats', run.run_id],
    queryFn: () => redTeam.getRunStats({ params: { run_id: run.run_id } }),
  });
  const starred = useQuery({
    queryKey: [...redTeamKey, 'starred', run.run_id],
    queryFn: () =>
      redTeam.listResults({
        query: { run_id: run.run_id, included_report: 'true', limit: String(mostShown) },
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Panel title="Cover">
        <Facts
          facts={[
            ['Evaluation', run.evaluation_name],
            ['Agent', run.config.agent_endpoint],
            ['Protocol', run.config.protocol],
            ['Gateway', run.config.gateway_name ?? 'none'],
            ['Started', timeText(run.started_at)],
            ['Finished', timeText(run.finished_at)],
            ['Tasks', count(run.counts.total)],
            ['Tasks at a time', count(run.config.concurrency)],
          ]}
        />
      </Panel>
      <Panel title="Summary">
        <QueryView query={stats}>
          {({ total }) => <RateTable rates={total} label="Figures in the report" />}
        </QueryView>
      </Panel>
      <section>
        <h2 className="mb-3 font-semibold tracking-tight">
          Starred cases <span className="font-normal text-ink-soft">{count(starred.data?.total ?? 0)}</span>
        </h2>
        <QueryView query={starred}>
          {({ results }) =>
            results.length === 0 ? (
              <p className="text-sm text-ink-soft">
                None yet. Star what a reader must see; it then comes first in its category.
              </p>
            ) : (
              <ResultList results={results} />
            )
          }
        </QueryView>
      </section>
    </>
  );
}
