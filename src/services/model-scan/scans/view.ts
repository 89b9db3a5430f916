/** Between the wire and our names. */
import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { dataSetNames } from '../contract/names.ts';
import type { Progress, SandboxRequest, ScanRequest } from '../contract/fields.ts';
import type { ModelSecrets } from '../running/open-model.ts';
import { remainingSeconds, type Scan, type ScannedModel, statusOf } from '../records/scan.ts';
import type { NewScan } from './scans.ts';

export function progressOf(scan: Scan, nameOf: NameOf): z.input<typeof Progress> {
  const { createdAt, startedAt, finishedAt, total, passed } = scan;
  const status = statusOf(scan);
  return {
    id: scan.scanId,
    kind: 'model_scan',
    scan_id: scan.scanId,
    scan_time: toIsoTime(startedAt ?? createdAt),
    created_at: toIsoTime(createdAt),
    status,
    passed_line: passed,
    remaining_time: remainingSeconds(scan),
    percentage: status === 'Finished' || total === 0 ? 100 : Math.floor((passed / total) * 1000) / 10,
    scan_name: scan.scanName,
    model_name: scan.model.modelName,
    total,
    sandbox: scan.sandbox,
    error: errorOf(scan),
    progress: { done: passed, total, step: scan.step },
    started_at: startedAt === null ? null : toIsoTime(startedAt),
    finished_at: finishedAt === null ? null : toIsoTime(finishedAt),
    visibility: scan.visibility,
    owner_id: scan.ownerId,
    owner_name: nameOf(scan.ownerId),
    requests: scan.requests,
    prompt_tokens: scan.promptTokens,
    completion_tokens: scan.completionTokens,
  };
}

function errorOf(scan: Scan): string | null {
  if (scan.runStatus !== 'failed') return null;
  if (scan.errorCode === 'failed') return scan.error;
  return `${scan.error ?? ''} POST /v1/scan/retry continues it from its checkpoint; if that fails again, contact support.`.trim();
}

type Sent = z.output<typeof ScanRequest>;
type SentSandbox = z.output<typeof SandboxRequest>;

export const modelOf = ({
  model,
}: Pick<SentSandbox, 'model'>): { model: ScannedModel; secrets: ModelSecrets } => ({
  model: {
    baseUrl: model.base_url,
    modelName: model.model_name,
    temperature: model.temperature,
    maxTokens: model.max_tokens,
  },
  secrets: { apiKey: model.api_key, extraHeaders: model.extra_headers ?? {} },
});

const commonOf = (sent: SentSandbox) => ({
  ...modelOf(sent),
  scanName: sent.scan_name,
  visibility: sent.visibility,
  continues: sent.continue_flag,
});

const kept = ({ is_user_model: isUserModel, application_id: applicationId }: SentSandbox) => ({
  isUserModel,
  applicationId,
});

export const scanOf = (sent: Sent, attackCases: number): NewScan => ({
  ...commonOf(sent),
  sandbox: false,
  seed: sent.seed,
  settings: {
    datasets: [...new Set(sent.datasets.map(({ name }) => name))],
    algorithms: [...new Set(sent.algorithms)],
    concurrency: sent.concurrency,
    qpm: sent.qpm,
    budget: sent.budget,
    usesLanguageModel: sent.use_language_model,
    attackCases,
    ...kept(sent),
  },
});

const sandboxConcurrency = 8;

export const sandboxOf = (sent: SentSandbox): NewScan => ({
  ...commonOf(sent),
  sandbox: true,
  seed: 1,
  settings: {
    datasets: dataSetNames,
    algorithms: [],
    concurrency: sandboxConcurrency,
    budget: {},
    attackCases: 0,
    ...kept(sent),
  },
});
