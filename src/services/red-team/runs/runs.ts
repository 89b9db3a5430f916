/** Runs on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { RunKind } from '#base/jobs/runs/run-kind.ts';
import type { Asking } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { changeableOrRefused, mayChange, readableOr404, viewerOf } from '#identity/sharing.ts';
import { getAgent } from '../agents/store.ts';
import { findEvaluation, markDeleted } from '../tasks/evaluation-store.ts';
import { findGateway, type TaskGateways } from '../guarding/task-gateway.ts';
import * as store from './store.ts';
import type { TrajectoryFiles } from './trajectory.ts';

export interface RunsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'audit'>;
  readonly kind: RunKind<object, null>;
  readonly files: TrajectoryFiles;
  readonly maxConcurrentTasks: number;
  readonly agentTimeoutSeconds: number;
  readonly mcpUrl: () => string;
  readonly gateways: TaskGateways;
  /** Whether a language model is configured. */
  readonly canRewrite: boolean;
}

/** What may be chosen for a run. */
export interface RunOptions {
  readonly concurrency?: number | undefined;
  /** The gateway whose settings guard the agent's calls. */
  readonly gatewayId?: string | undefined;
  /** Injections that a language model may rewrite. */
  readonly adaptiveBudget?: number | undefined;
}

/** Every method throws AppError 404 for what the caller may not read, 403 for what may only be read. */
export class RedTeamRuns {
  readonly #deps: RunsDeps;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
  }

  async create(
    caller: Caller,
    evaluationId: string,
    { concurrency, gatewayId, adaptiveBudget = 0 }: RunOptions,
  ): Promise<store.StoredRun> {
    const { db, clock, maxConcurrentTasks, agentTimeoutSeconds, mcpUrl } = this.#deps;
    const viewer = viewerOf(caller);
    const evaluation = readableOr404(
      viewer,
      await findEvaluation(db, viewer, evaluationId),
      'The evaluation',
    );
    const { agentId, agentEndpoint } = evaluation;
    const agent = agentId === null ? undefined : await getAgent(db, caller.tenantId, agentId);
    this.#assertRewritable(adaptiveBudget);
    const gateway =
      gatewayId === undefined ? undefined : await findGateway(this.#deps.gateways, caller, gatewayId);
    const config: store.RunConfig = {
      agentId,
      agentEndpoint: agent?.endpoint ?? agentEndpoint,
      protocol: agent?.protocol ?? 'auto',
      concurrency: concurrency ?? maxConcurrentTasks,
      agentTimeoutSeconds,
      proxyMcpUrl: mcpUrl(),
      ...(adaptiveBudget > 0 && { adaptiveBudget }),
      ...(gateway !== undefined && { gateway: { id: gateway.id, name: gateway.name } }),
    };
    const runId = newUuid();
    const { tenantId, userId: ownerId } = caller;
    const createdAt = new Date(clock.now());
    await db.transaction((tx) =>
      store.insertRun(tx, { runId, evaluationId, tenantId, ownerId, config, createdAt }),
    );
    return this.get(caller, runId);
  }

  /** @throws AppError 409 where no language model is configured */
  #assertRewritable(budget: number): void {
    if (budget > 0 && !this.#deps.canRewrite)
      throw conflict(
        "'adaptive_budget' needs a language model, and none is configured (BULWARK_LLM_BASE_URL).",
      );
  }

  async get(caller: Caller, runId: string): Promise<store.StoredRun> {
    const viewer = viewerOf(caller);
    return readableOr404(viewer, await store.findRun(this.#deps.db, viewer, runId), 'The run');
  }

  async own(caller: Caller, runId: string): Promise<store.StoredRun> {
    const viewer = viewerOf(caller);
    return changeableOrRefused(viewer, await store.findRun(this.#deps.db, viewer, runId), 'The run');
  }

  /** @throws AppError 409 for a run that was started or cancelled */
  async start(caller: Caller, runId: string): Promise<store.StoredRun> {
    const { db, kind } = this.#deps;
    const { tenantId, ownerId, status } = await this.own(caller, runId);
    const workId = newUuid();
    await db.transaction(async (tx) => {
      if (!(await store.setWork(tx, runId, workId)))
        throw conflict(`The run is ${status}: only one that is created can be started. Create another run.`);
      await kind.start({ tenantId, userId: ownerId }, {}, { tx, id: workId, subject: runId });
    });
    return this.get(caller, runId);
  }

  /** @throws AppError 409 for a run that has ended */
  async cancel(caller: Caller, runId: string): Promise<store.StoredRun> {
    const run = await this.own(caller, runId);
    if (!(await this.#cancel(run)))
      throw conflict(
        `The run is ${(await this.get(caller, runId)).status}: only one that has not ended can be cancelled.`,
      );
    return this.get(caller, runId);
  }

  async #cancel({ runId, workId, tenantId }: store.StoredRun): Promise<boolean> {
    const { db, clock, kind } = this.#deps;
    if (workId !== null) return (await kind.cancel(workId, { tenantId })) !== undefined;
    const at = new Date(clock.now());
    return db.transaction(async (tx) => {
      const cancelled = await store.cancelCreated(tx, runId, at);
      if (cancelled) await store.endUnfinished(tx, runId, at, null);
      return cancelled;
    });
  }

  /** Deletes those of the runs that the caller may change; the others are not found. */
  async deleteAll(
    asking: Asking,
    runIds: readonly string[],
  ): Promise<{ deleted: string[]; notFound: string[] }> {
    const viewer = viewerOf(asking.caller);
    const outcome = { deleted: [] as string[], notFound: [] as string[] };
    for (const runId of new Set(runIds)) {
      const run = await store.findRun(this.#deps.db, viewer, runId);
      if (run === undefined || !mayChange(viewer, run)) outcome.notFound.push(runId);
      else {
        const { evaluationName: name, status } = run;
        const event = resourceEvent('red_team_run_deleted', asking, { id: runId, name, before: { status } });
        await this.#delete(run, (tx) => this.#deps.identity.audit(event, tx));
        outcome.deleted.push(runId);
      }
    }
    return outcome;
  }

  /** @param within done in the same transaction */
  async #delete(
    { runId, workId }: Pick<store.StoredRun, 'runId' | 'workId'>,
    within?: (tx: Queries) => Promise<void>,
  ): Promise<void> {
    const { db, kind, files } = this.#deps;
    await db.transaction(async (tx) => {
      if (workId !== null) await kind.delete(tx, { ids: [workId] });
      await store.deleteRun(tx, runId);
      await within?.(tx);
    });
    await files.deleteRun(runId);
  }

  /** Deletes an evaluation with its runs. */
  async deleteEvaluation(asking: Asking, evaluationId: string): Promise<void> {
    const { db, clock, identity } = this.#deps;
    const viewer = viewerOf(asking.caller);
    const evaluation = await findEvaluation(db, viewer, evaluationId);
    if (evaluation === undefined) throw notFound('The evaluation');
    changeableOrRefused(viewer, evaluation, 'The evaluation');
    for (const run of await store.listWork(db, evaluationId)) await this.#delete(run);
    await db.transaction(async (tx) => {
      await markDeleted(tx, evaluationId, new Date(clock.now()));
      const { name, visibility, agentEndpoint, totalTasks } = evaluation;
      const gone = { id: evaluationId, name, before: { visibility, agentEndpoint, totalTasks } };
      await identity.audit(resourceEvent('red_team_evaluation_deleted', asking, gone), tx);
    });
  }
}
