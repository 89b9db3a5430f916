import { z } from 'zod';
import { isoTime, page, queryBoolean } from '#base/contract/fields.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { evaluationId } from './evaluations.ts';
import { reportStatuses } from './names.ts';
import { runId } from './runs.ts';

const tag = 'Reports';
const jobId = z.string().min(1).max(100);

const ReportJob = z
  .object({
    id: z.string().meta({ description: 'The same as `job_id`.' }),
    kind: z.literal('red_team_report'),
    job_id: z.string(),
    run_id: z.string(),
    evaluation_id: z.string(),
    status: z.enum(reportStatuses),
    failure_cases_per_category: z.int(),
    bytes: z.int().nullable(),
    progress: RunProgress.meta({ description: 'In reports: one.' }),
    created_at: isoTime(),
    started_at: isoTime().nullable(),
    finished_at: isoTime().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'RedTeamReportJob' });

export const reportOperations = {
  createReport: defineOperation({
    method: 'POST',
    path: '/api/runs/{run_id}/report',
    tag,
    summary: 'Asks for a PDF report of a run that has ended',
    access: 'jwt_or_key',
    params: z.object({ run_id: runId }),
    body: z.object({
      failure_cases_per_category: z.int().min(0).max(100).default(3).meta({
        description:
          'Failures that are shown in full for each category; starred ones come first and are all shown.',
      }),
      compare_with: runId.nullish().meta({
        description:
          'Another run that the report shows beside this one. Default: for a run through a gateway, the newest completed run ' +
          'of the evaluation without one; null: none.',
      }),
    }),
    response: ReportJob,
    errors: [404, 409],
  }),
  listReportJobs: defineOperation({
    method: 'GET',
    path: '/api/runs/report-jobs',
    tag,
    summary: 'Reports of the tenant that are not ready yet',
    access: 'jwt_or_key',
    query: z.object(page),
    response: z.object({ jobs: z.array(ReportJob), total: z.int() }),
  }),
  downloadReport: defineOperation({
    method: 'GET',
    path: '/api/runs/{run_id}/report/{job_id}',
    tag,
    summary: 'The PDF of a report that is ready',
    access: 'jwt_or_key',
    params: z.object({ run_id: runId, job_id: jobId }),
    query: z.object({
      inline: queryBoolean(false).meta({
        description: 'For a preview in the browser instead of a download.',
      }),
    }),
    response: z.string().meta({ format: 'binary' }),
    contentType: 'application/pdf',
    errors: [404, 409],
  }),
  getReport: defineOperation({
    method: 'GET',
    path: '/api/runs/reports/{job_id}',
    tag,
    summary: 'One report: its status and size',
    access: 'jwt_or_key',
    params: z.object({ job_id: jobId }),
    response: ReportJob,
    errors: [404],
  }),
  watchReport: defineOperation({
    method: 'GET',
    path: '/api/runs/reports/{job_id}/events',
    tag,
    summary: 'The report as server-sent events (`progress`), until it is ready or has failed',
    access: 'jwt_or_key',
    params: z.object({ job_id: jobId }),
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
  deleteReport: defineOperation({
    method: 'DELETE',
    path: '/api/runs/reports/{job_id}',
    tag,
    summary: 'Deletes a report with its file',
    access: 'jwt_or_key',
    params: z.object({ job_id: jobId }),
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
  listReports: defineOperation({
    method: 'GET',
    path: '/api/evaluations/{evaluation_id}/reports',
    tag,
    summary: 'All reports of an evaluation, the newest first',
    access: 'jwt_or_key',
    params: z.object({ evaluation_id: evaluationId }),
    query: z.object(page),
    response: z.object({ reports: z.array(ReportJob), total: z.int() }),
    errors: [404],
  }),
};
