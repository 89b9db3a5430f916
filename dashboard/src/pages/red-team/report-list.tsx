import { useMutation } from '@tanstack/react-query';
import { Download, ExternalLink, FileText } from 'lucide-react';
import { toast } from 'sonner';
import { redTeam, redTeamKey, type ReportJob, showPdf } from '../../api/red-team.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DeleteRowButton } from '../../parts/delete-button.tsx';
import { Empty, messageOf } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

const tones = { queued: 'plain', rendering: 'accent', ready: 'good', failed: 'flag' } as const;
const kilobytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1000))} kB`;

/** Reports as PDF, each to open, save or delete. */
export function ReportList({ reports }: { reports: readonly ReportJob[] }) {
  if (reports.length === 0)
    return (
      <Empty icon={FileText} title="No report yet">
        A report can be made of each run that has ended; starred cases come first.
      </Empty>
    );
  return (
    <ul className="grid gap-2" aria-label="Reports">
      {reports.map((report) => (
        <Entry key={report.job_id} report={report} />
      ))}
    </ul>
  );
}

function Entry({ report }: { report: ReportJob }) {
  const show = useMutation({
    mutationFn: (how: 'save' | 'open') => showPdf(report, how),
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-panel px-4 py-3 text-sm shadow-panel">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <Badge tone={tones[report.status]}>{report.status}</Badge>
        <Ago at={report.created_at} />
        {report.bytes !== null && <span className="text-ink-soft">{kilobytes(report.bytes)}</span>}
        {report.error !== null && <span className="break-words text-flag">{report.error}</span>}
      </span>
      {report.status === 'ready' && (
        <>
          <Button size="small" busy={show.isPending} onClick={() => show.mutate('open')}>
            <ExternalLink className="size-4" aria-hidden /> Open
          </Button>
          <Button size="small" kind="primary" busy={show.isPending} onClick={() => show.mutate('save')}>
            <Download className="size-4" aria-hidden /> Download PDF
          </Button>
        </>
      )}
      {report.status !== 'rendering' && report.status !== 'queued' && (
        <DeleteRowButton
          noun="report"
          name="this report"
          changes={redTeamKey}
          run={() => redTeam.deleteReport({ params: { job_id: report.job_id } })}
        >
          Its file is deleted. The results of the run stay.
        </DeleteRowButton>
      )}
    </li>
  );
}
