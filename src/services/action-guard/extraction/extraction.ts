/** Rule extraction from documents, as runs that survive restarts. */
import type { Database } from '#base/db/database.ts';
import { AppError, notFound } from '#base/errors.ts';
import { isUuid, newUuid } from '#base/ids.ts';
import type { Outcome, Run, RunRecord, RunScope } from '#base/jobs/runs/run.ts';
import type { Runs } from '#base/jobs/runs/runs.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import type { ActionGuardEvents } from '../events.ts';
import { maxRules } from '../contract/policies.ts';
import { viewerOf } from '#identity/sharing.ts';
import { findRules, type FoundRule } from './find-rules.ts';
import { readDocument } from './read-document.ts';
import * as store from './store.ts';

interface Deps {
  readonly db: Database;
  readonly runs: Runs;
  readonly events: ActionGuardEvents;
  readonly metrics: Metrics | undefined;
  /** 0: jobs are kept forever. */
  readonly retentionDays: number;
}

export interface ExtractionNaming {
  readonly policyName: string;
  readonly category: string;
}

export interface ExtractionResult {
  readonly rules: readonly FoundRule[];
  readonly totalFiles: number;
  readonly successfulFiles: number;
  readonly fileErrors: readonly FileError[];
}

export type ExtractionJob = RunRecord<ExtractionNaming, ExtractionResult>;

interface FileError {
  readonly file: string;
  readonly error: string;
}

/** Results of the files before `position`. */
interface Checkpoint {
  readonly position: number;
  readonly rules: readonly FoundRule[];
  readonly fileErrors: readonly FileError[];
}

const timeoutSeconds = 1800;
/** Time budget of a job; files after it get an error. Without it, an interrupted job would start again forever. */
const readingMs = (timeoutSeconds * 1000) / 2;
/** Size limit of a result: enough for the maximum number of rules of a policy, each with its source. */
const limitBytes = 32 * 1024 * 1024;
const nothingFound = 'No valid content could be extracted from any file.';

export type Extraction = ReturnType<typeof createExtraction>;

export function createExtraction({ db, runs, events, metrics, retentionDays }: Deps) {
  const kind = runs.define<ExtractionNaming, ExtractionResult, Checkpoint>(
    'action_guard_extraction',
    {
      timeoutSeconds,
      limitBytes,
      metrics,
      ...(retentionDays > 0 && { keepSeconds: retentionDays * 86_400 }),
      atEnd: (tx, { id }) => store.deleteInputs(tx, id),
      onEnded: ({ id, status, result }) => events.extractionEnded(id, status, result?.rules.length ?? 0),
    },
    (run) => readAll(db, run),
  );
  return {
    /** Creates a job; it is stored with its files when this resolves. */
    async begin(
      caller: Caller,
      naming: ExtractionNaming,
      inputs: readonly store.ExtractionInput[],
    ): Promise<string> {
      const id = newUuid();
      await db.transaction(async (tx) => {
        await store.insertInputs(tx, id, inputs);
        await kind.start(caller, naming, { tx, id });
      });
      return id;
    },

    /** @throws AppError 404 for a job that the caller may not see */
    async get(caller: Caller, jobId: string): Promise<ExtractionJob> {
      const job = isUuid(jobId) ? await kind.find(jobId, scopeOf(caller)) : undefined;
      if (job === undefined) throw notFound(`The extraction job ${jobId}`);
      return job;
    },

    /** Changes of a job, until it ends. */
    watch(caller: Caller, jobId: string, signal: AbortSignal) {
      return kind.watch(jobId, scopeOf(caller), signal);
    },

    /** Running jobs return to the queue. */
    [Symbol.asyncDispose]: () => kind[Symbol.asyncDispose](),
  };
}

/** A job is its maker's, and the administrators'. */
function scopeOf(caller: Caller): RunScope {
  const { tenantId, userId, isAdmin } = viewerOf(caller);
  return { tenantId, userId: isAdmin ? undefined : userId };
}

/** Processes one file at a time; results are checkpointed, so that an interrupted job continues with the next file. */
async function readAll(
  db: Database,
  run: Run<ExtractionNaming, Checkpoint>,
): Promise<Outcome<ExtractionResult>> {
  const inputs = await store.listInputs(db, run.id);
  const reached = run.checkpoint ?? { position: 0, rules: [], fileErrors: [] };
  const rules = new Map(reached.rules.map((rule) => [rule.description, rule]));
  const fileErrors = [...reached.fileErrors];
  const endMs = performance.now() + readingMs;
  for (const { position, name } of inputs.slice(reached.position)) {
    run.progress({ done: position, total: inputs.length, step: name });
    const found =
      performance.now() > endMs
        ? 'There was no time left for it. Send it in a job of its own.'
        : await readOne(db, run, position, name);
    if (typeof found === 'string') fileErrors.push({ file: name, error: found });
    else
      for (const rule of found)
        if (rules.size < maxRules && !rules.has(rule.description)) rules.set(rule.description, rule);
    const checkpoint = { position: position + 1, rules: [...rules.values()], fileErrors };
    const progress = { done: position + 1, total: inputs.length };
    await db.transaction((tx) => run.save(tx, { checkpoint, progress }));
  }
  const successfulFiles = inputs.length - fileErrors.length;
  if (successfulFiles === 0) return { failed: failure(fileErrors) };
  const totalFiles = inputs.length;
  return { completed: { rules: [...rules.values()], totalFiles, successfulFiles, fileErrors } };
}

/** The rules of one file, or why it could not be read. */
async function readOne(
  db: Database,
  { id, signal }: Run<ExtractionNaming, Checkpoint>,
  position: number,
  name: string,
): Promise<FoundRule[] | string> {
  signal.throwIfAborted();
  const content = await store.findInput(db, id, position);
  if (content === undefined) throw new Error(`The file ${position} of the extraction job ${id} is gone.`);
  try {
    const found = await findRules(await readDocument(name, content, signal));
    return found.length === 0 ? 'No obligation and no prohibition was found.' : found;
  } catch (error) {
    signal.throwIfAborted();
    // Not caused by the file: the job is retried.
    if (error instanceof AppError) throw error;
    return (error as Error).message;
  }
}

const failure = (errors: readonly FileError[]) =>
  [nothingFound, ...errors.slice(0, 5).map(({ file, error }) => `${file}: ${error}`)].join(' ');
