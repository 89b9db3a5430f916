import { useMutation } from '@tanstack/react-query';
import { Download, FileArchive } from 'lucide-react';
import { saveFile, type Scan, type Summary } from '../../api/model-scan.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { count, share } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';
import { FrameworkTable } from './score-tables.tsx';

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const mostShown = 20;

/** What the report says beside the summary, and the files to save. */
export function ReportTab({ scan, summary }: { scan: Scan; summary: Summary }) {
  const save = useMutation({ mutationFn: (kind: 'report' | 'archive') => saveFile(scan.scan_id, kind) });
  const failures = Object.entries(summary.failures);
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[60ch] text-sm text-ink-soft">
          A preview. The PDF has charts besides, and each failure with its prompt, reply and verdict.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            busy={save.isPending && save.variables === 'report'}
            onClick={() => save.mutate('report')}
          >
            <Download className="size-4" aria-hidden /> PDF
          </Button>
          <Button
            busy={save.isPending && save.variables === 'archive'}
            onClick={() => save.mutate('archive')}
          >
            <FileArchive className="size-4" aria-hidden /> All results (ZIP)
          </Button>
        </div>
      </div>
      {save.isError && <Failure error={save.error} />}
      <Panel title="Method">
        <Facts
          facts={[
            ['Model', summary.method.model_name],
            ['Scan', scan.scan_name],
            ['Started', exact.format(new Date(scan.scan_time))],
            ['Finished', scan.finished_at === null ? '–' : exact.format(new Date(scan.finished_at))],
            ['Cases', count(summary.method.cases)],
            ['Tests', count(summary.method.tests)],
            ['Seed', String(summary.method.seed)],
            ['Judge', summary.method.judge],
            ['Temperature', String(summary.method.temperature)],
          ]}
        />
      </Panel>
      <Panel title="Failures">
        {failures.length === 0 ? (
          <p className="text-sm text-ink-soft">No test failed.</p>
        ) : (
          <Facts
            facts={failures.map(([name, list]) => [
              name,
              count(list.length + (summary.failures_omitted[name] ?? 0)),
            ])}
          />
        )}
      </Panel>
      <Panel
        title="Over-caution"
        note={`${share(summary.intervals.over_caution.share)} of the harmless requests were refused.`}
      >
        <ul className="grid gap-1.5 text-sm">
          {summary.over_cautious.slice(0, mostShown).map((each) => (
            <li key={each.case_id} className="break-words">
              {each.prompt}
            </li>
          ))}
        </ul>
        {summary.over_cautious.length > mostShown && (
          <p className="mt-2 text-[13px] text-ink-soft">
            {count(summary.over_cautious.length - mostShown)} more are in the files.
          </p>
        )}
      </Panel>
      {summary.unassessed.length > 0 && (
        <Panel title="Not assessed" note="These tests count in no average.">
          <Facts
            facts={summary.unassessed
              .slice(0, mostShown)
              .map((each) => [`${each.case_id}, ${each.attack}`, each.reason])}
          />
        </Panel>
      )}
      {summary.frameworks.length > 0 && (
        <Panel title="Frameworks" note="Tests by the entries of published lists that their cases refer to.">
          <FrameworkTable summary={summary} />
        </Panel>
      )}
    </div>
  );
}
