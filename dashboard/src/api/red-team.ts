import { createClient, refusalOf } from '#base/contract/client.ts';
import { agentOperations } from '#services/red-team/contract/agents.ts';
import { defenceOperations } from '#services/red-team/contract/defence.ts';
import { evaluationOperations } from '#services/red-team/contract/evaluations.ts';
import { metadataOperations } from '#services/red-team/contract/metadata.ts';
import { ownTaskOperations } from '#services/red-team/contract/own-tasks.ts';
import { reportOperations } from '#services/red-team/contract/reports.ts';
import { resultOperations } from '#services/red-team/contract/results.ts';
import { runOperations } from '#services/red-team/contract/runs.ts';
import { authorisedFetch } from '../session/session.ts';
import { eventsOf } from './event-stream.ts';

const baseUrl = '/services/red-team';

export const redTeam = createClient(
  {
    ...agentOperations,
    ...evaluationOperations,
    ...metadataOperations,
    ...ownTaskOperations,
    ...runOperations,
    ...resultOperations,
    ...defenceOperations,
    ...reportOperations,
  },
  { baseUrl, fetch: authorisedFetch },
);

/** The first part of every key; what changes a run changes what all pages show. */
export const redTeamKey = ['red-team'] as const;

export type Agent = Awaited<ReturnType<typeof redTeam.listAgents>>['agents'][number];
export type Evaluation = Awaited<ReturnType<typeof redTeam.getEvaluation>>;
export type EvaluationWithStats = Awaited<
  ReturnType<typeof redTeam.listEvaluationsWithStats>
>['evaluations'][number];
export type Preview = Awaited<ReturnType<typeof redTeam.previewEvaluation>>;
export type Metadata = Awaited<ReturnType<typeof redTeam.getMetadataSummary>>;
export type Run = Awaited<ReturnType<typeof redTeam.getRun>>;
export type RunStatus = Awaited<ReturnType<typeof redTeam.getRunStatus>>;
export type RunStats = Awaited<ReturnType<typeof redTeam.getRunStats>>;
export type Rates = RunStats['total'];
export type Rate = Rates['asr'];
export type Result = Awaited<ReturnType<typeof redTeam.listResults>>['results'][number];
export type ResultDetail = Awaited<ReturnType<typeof redTeam.getResult>>;
export type Trajectory = NonNullable<ResultDetail['trajectory']>;
export type TaskSet = Awaited<ReturnType<typeof redTeam.listTaskSets>>['task_sets'][number];
export type ReportJob = Awaited<ReturnType<typeof redTeam.getReport>>;
export type DefenceFound = Awaited<ReturnType<typeof redTeam.defendResult>>;
export type DefenceProposal = DefenceFound['proposals'][number];
export type Comparison = Awaited<ReturnType<typeof redTeam.compareRuns>>;

export const isUnderWay = ({ status }: Pick<Run, 'status'>): boolean => status === 'running';

const pauseMs = 1500;

/**
 * Calls back with each change of a run until it ends or `signal` aborts; connects again where the stream breaks.
 * @throws the error of the first connection, if it is refused
 */
export async function followRun(
  runId: string,
  onStatus: (status: RunStatus) => void,
  signal: AbortSignal,
): Promise<void> {
  let ended = false;
  for (let attempt = 0; !ended && !signal.aborted; attempt++) {
    try {
      const url = `${baseUrl}/api/runs/${encodeURIComponent(runId)}/events`;
      const response = await authorisedFetch(url, { headers: { accept: 'text/event-stream' }, signal });
      for await (const { data } of eventsOf(response)) {
        const status = JSON.parse(data) as RunStatus;
        ended = status.status !== 'running';
        onStatus(status);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (attempt === 0) throw error;
    }
    if (!ended) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The PDF of a report that is ready. */
async function pdfOf({ run_id: runId, job_id: jobId }: ReportJob): Promise<Blob> {
  const path = `/api/runs/${encodeURIComponent(runId)}/report/${encodeURIComponent(jobId)}`;
  const response = await authorisedFetch(`${baseUrl}${path}`);
  if (!response.ok) throw await refusalOf(response);
  return response.blob();
}

const keptMs = 60_000;

/** Saves the PDF as a file, or opens it in a window of its own. */
export async function showPdf(job: ReportJob, how: 'save' | 'open'): Promise<void> {
  const url = URL.createObjectURL(await pdfOf(job));
  const link = document.createElement('a');
  link.href = url;
  if (how === 'save') link.download = `red-team-${job.run_id}.pdf`;
  else link.target = '_blank';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
