/** Reports as runs: requested, rendered in the background, and stored as a file for a limited time. */
import { Readable } from 'node:stream';
import type { Artifact, ByteRange } from '#base/artifacts/artifact.ts';
import type { Artifacts } from '#base/artifacts/artifacts.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict, notFound } from '#base/errors.ts';
import type { Outcome, Run, RunOwner, RunRecord, RunScope, RunSummary } from '#base/jobs/runs/run.ts';
import type { RunKind, StartOptions } from '#base/jobs/runs/run-kind.ts';
import type { Runs } from '#base/jobs/runs/runs.ts';
import type { RunPage } from '#base/jobs/runs/store.ts';
import type { ReportDocument } from './document.ts';
import { renderReport } from './render-report.ts';

export interface ReportResult {
  readonly artifactId: string;
  readonly sizeBytes: number;
}

export interface ReportOptions<Input> {
  /** The content. It may read the database; the run's signal ends it. */
  readonly document: (input: Input, run: Run<Input, never>) => Promise<ReportDocument>;
  /** What the file is called where it is downloaded, such as `scan-7.pdf`. */
  readonly fileName: (input: Input) => string;
  /** How long report and file are kept; default 30 days. */
  readonly keepSeconds?: number;
  /** Of the PDF; default 100 MiB. */
  readonly limitBytes?: number;
  /** How many of one user are made at a time; default 1. */
  readonly perUser?: number;
}

export type ReportRecord<Input> = RunRecord<Input, ReportResult>;

/** Whose reports: of a tenant, or of one of its users. */
export type ReportScope = RunScope & Pick<RunOwner, 'tenantId'>;

interface ReportContext {
  readonly db: Database;
  readonly runs: Runs;
  readonly artifacts: Artifacts;
}

const defaults = { keepSeconds: 30 * 86_400, limitBytes: 100 * 1024 ** 2, perUser: 1 };

/** Defines a kind of report: call it while the service is wired, before the runs are started. */
export const defineReports = <Input>(
  ctx: ReportContext,
  kind: string,
  options: ReportOptions<Input>,
): Reports<Input> => new Reports(ctx, kind, options);

export class Reports<Input> {
  readonly #ctx: ReportContext;
  readonly #kind: RunKind<Input, ReportResult>;

  constructor(ctx: ReportContext, kind: string, options: ReportOptions<Input>) {
    const { keepSeconds, perUser } = { ...defaults, ...options };
    this.#ctx = ctx;
    this.#kind = ctx.runs.define<Input, ReportResult>(
      kind,
      { keepSeconds, perUser, timeoutSeconds: 900 },
      (run) => this.#make(run, options),
    );
  }

  /**
   * Requests a report and returns its id.
   * @throws AppError 422 where the input is too large
   */
  start(owner: RunOwner, input: Input, options?: StartOptions): Promise<string> {
    return this.#kind.start(owner, input, options);
  }

  find(id: string, scope: ReportScope): Promise<ReportRecord<Input> | undefined> {
    return this.#kind.find(id, scope);
  }

  /** Newest first, without the results. */
  list(scope: ReportScope, page: Parameters<RunKind<Input, ReportResult>['list']>[1]): Promise<RunPage> {
    return this.#kind.list(scope, page);
  }

  /** The report's status, now and after each change, until it is done. */
  watch(id: string, scope: ReportScope, signal: AbortSignal): AsyncIterable<RunSummary> {
    return this.#kind.watch(id, scope, signal);
  }

  cancel(id: string, scope: ReportScope): Promise<ReportRecord<Input> | undefined> {
    return this.#kind.cancel(id, scope);
  }

  /**
   * The PDF, or a range of its bytes.
   * @throws AppError 404 for a report that is not in this scope or was cleared away, 409 for one that is not ready, 416
   */
  async open(
    id: string,
    scope: ReportScope,
    range?: ByteRange,
  ): Promise<{ artifact: Artifact; content: Readable }> {
    const report = await this.find(id, scope);
    if (report === undefined) throw notFound('The report');
    if (report.result === null) throw conflict(`The report is not ready: its status is ${report.status}.`);
    return this.#ctx.artifacts.open(ownerOf(report), report.result.artifactId, range);
  }

  /** Deletes the report with its file; what is being made is broken off. @throws AppError 404 */
  async delete(id: string, scope: ReportScope): Promise<void> {
    const report = await this.find(id, scope);
    if (report === undefined) throw notFound('The report');
    await this.#ctx.db.transaction((tx) => this.#kind.delete(tx, { ids: [id] }));
    const artifactId = report.result?.artifactId;
    if (
      artifactId !== undefined &&
      (await this.#ctx.artifacts.find(ownerOf(report), artifactId)) !== undefined
    )
      await this.#ctx.artifacts.delete(ownerOf(report), artifactId);
  }

  async #make(run: Run<Input, never>, options: ReportOptions<Input>): Promise<Outcome<ReportResult>> {
    const { keepSeconds, limitBytes } = { ...defaults, ...options };
    const { signal } = run;
    run.progress({ done: 0, total: 2, step: 'collecting' });
    const document = await options.document(run.input, run);
    run.progress({ done: 1, total: 2, step: 'rendering' });
    try {
      const bytes = await renderReport(document, { signal });
      // A run that is executed twice leaves a second file behind, which goes when its time is over.
      const { id, sizeBytes } = await this.#ctx.artifacts.put(run, Readable.from([bytes]), {
        limitBytes,
        ttlMs: keepSeconds * 1000,
        name: options.fileName(run.input),
        mediaType: 'application/pdf',
        signal,
      });
      return { completed: { artifactId: id, sizeBytes } };
    } catch (error) {
      signal.throwIfAborted();
      // A report that is too large, or a quota that is full, will not be different next time.
      if (error instanceof AppError && error.status < 500) return { failed: error.detail };
      throw error;
    }
  }
}

const ownerOf = ({ tenantId, userId }: RunOwner): RunOwner => ({ tenantId, userId });
