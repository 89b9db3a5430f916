/** Finding rules in documents, by jobs that outlive the process. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { ActionGuardEvents } from '../events.ts';
import { maxRules } from '../contract/policies.ts';
import { viewerOf } from '#identity/sharing.ts';
import { findRules, type FoundRule } from './find-rules.ts';
import { readDocument } from './read-document.ts';
import * as store from './store.ts';

interface Deps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: ActionGuardEvents;
}

const jobName = 'action-guard-extraction';
const timeoutSeconds = 1800;
/** Files that come after this are told so: a job that is broken off would begin anew, and never end. */
const readingMs = (timeoutSeconds * 1000) / 2;
const nothingFound = 'No valid content could be extracted from any file.';

export type Extraction = Awaited<ReturnType<typeof createExtraction>>;

export async function createExtraction(deps: Deps) {
  const { db, jobs, clock } = deps;
  await jobs.define<{ jobId: string }>(jobName, { timeoutSeconds, retries: 3 }, ({ data, signal }) =>
    runExtraction(deps, data.jobId, signal),
  );
  return {
    /** Makes a job; it is in the database, with all it reads, when this resolves. */
    async begin(
      caller: Caller,
      naming: { policyName: string; category: string },
      inputs: readonly store.ExtractionInput[],
    ): Promise<string> {
      const now = new Date(clock.now());
      const jobId = newUuid(now.getTime());
      const job = { ...naming, jobId, status: 'pending' as const, result: null, error: null };
      await db.transaction(async (tx) => {
        await store.insertExtraction(tx, caller, { ...job, createdAt: now, updatedAt: now }, inputs);
        await jobs.send(jobName, { jobId }, { tx });
      });
      return jobId;
    },

    /** @throws AppError 404 for a job that the caller may not see. */
    async get(caller: Caller, jobId: string): Promise<store.ExtractionJob> {
      const job = isUuid(jobId) ? await store.findExtraction(db, viewerOf(caller), jobId) : undefined;
      if (job === undefined) throw notFound(`The extraction job ${jobId}`);
      return job;
    },
  };
}

/** May run again where its process died: until the end is written, nothing is. */
async function runExtraction({ db, clock, events }: Deps, jobId: string, signal: AbortSignal): Promise<void> {
  const inputs = await store.listInputs(db, jobId);
  if (inputs.length === 0) return;
  const rules = new Map<string, FoundRule>();
  const fileErrors: { file: string; error: string }[] = [];
  const endMs = performance.now() + readingMs;
  for (const { position, name } of inputs) {
    signal.throwIfAborted();
    if (performance.now() > endMs) {
      fileErrors.push({ file: name, error: 'There was no time left for it. Send it in a job of its own.' });
      continue;
    }
    const content = await store.findInput(db, jobId, position);
    if (content === undefined) return;
    try {
      const found = await findRules(await readDocument(name, content, signal));
      if (found.length === 0) throw new Error('No obligation and no prohibition was found.');
      for (const rule of found) if (!rules.has(rule.description)) rules.set(rule.description, rule);
    } catch (error) {
      signal.throwIfAborted();
      // Not the file's fault: the job is run again.
      if (error instanceof AppError) throw error;
      fileErrors.push({ file: name, error: (error as Error).message });
    }
  }
  const result = {
    rules: [...rules.values()].slice(0, maxRules),
    totalFiles: inputs.length,
    successfulFiles: inputs.length - fileErrors.length,
    fileErrors,
  };
  const failed = result.successfulFiles === 0;
  const end = failed
    ? { status: 'failed' as const, result: null, error: failure(fileErrors) }
    : { status: 'completed' as const, result, error: null };
  await db.transaction((tx) => store.endExtraction(tx, jobId, { ...end, at: new Date(clock.now()) }));
  events.extractionEnded(jobId, end.status, failed ? 0 : result.rules.length);
}

const failure = (errors: readonly { file: string; error: string }[]) =>
  [nothingFound, ...errors.slice(0, 5).map(({ file, error }) => `${file}: ${error}`)].join(' ');
