/** Executes a run: each task without a verdict, as many at a time as the agent can take. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Outcome, Run } from '#base/jobs/runs/run.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import {
  type AgentConnection,
  type KnownProtocol,
  noSecrets,
  openDriver,
  openSecrets,
  plainOptions,
} from '../agents/connection.ts';
import type { AgentDriver } from '../agents/drivers/driver.ts';
import { probe } from '../agents/probe.ts';
import { deleteTaskGateways } from '../guarding/task-gateway.ts';
import { getAgent } from '../agents/store.ts';
import { getTask } from '../tasks/evaluation-store.ts';
import { spendAdaptive } from './adaptive-budget.ts';
import type { Lanes } from './lanes.ts';
import { type Attempt, mostAttempts, rewrite, shownReply, withInjection } from './rewrite.ts';
import { runTask, type TaskDeps, type TaskEnd } from './run-task.ts';
import * as store from './store.ts';
import type { TrajectoryFiles } from './trajectory.ts';

export interface ExecuteDeps extends TaskDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly files: TrajectoryFiles;
  readonly lanes: Lanes;
  /** URL of the MCP proxy as agents see it. */
  readonly mcpUrl: () => string;
}

/** Tasks in a row that could not reach the agent, after which the run is given up. */
const mostUnreached = 5;

type Work = Run<object, never>;

/** A failure that ends the run, as a sentence for its user. */
class RunFailure extends Error {}

export const createExecuteRun =
  (deps: ExecuteDeps) =>
  async (work: Work): Promise<Outcome<null>> => {
    const run = await store.findByWork(deps.db, work.id);
    if (run === undefined) return { failed: 'The run was deleted.' };
    try {
      await new RunExecution(deps, work, run).run();
      return { completed: null };
    } catch (error) {
      if (error instanceof RunFailure) return { failed: error.message };
      // The address was allowed when the agent was registered, and is not any more.
      if (error instanceof AppError && error.status === 422) return { failed: error.detail };
      throw error;
    }
  };

const attemptOf = (
  task: TaskInstance,
  { sessionId, judge, response }: TaskEnd,
  attempt: number,
): Attempt => ({
  attempt,
  session_id: sessionId,
  injection: task.injection?.text ?? '',
  outcome: judge?.outcome ?? null,
  reply: (response ?? '').slice(0, shownReply),
});

class RunExecution {
  readonly #deps: ExecuteDeps;
  readonly #work: Work;
  readonly #run: store.StoredRun;
  readonly #stop = new AbortController();
  #unreached = 0;
  /** The API key that the agent calls the sandbox with, where it is registered with one. */
  #keyId: string | null = null;

  constructor(deps: ExecuteDeps, work: Work, run: store.StoredRun) {
    this.#deps = deps;
    this.#work = work;
    this.#run = run;
  }

  async run(): Promise<void> {
    const { db } = this.#deps;
    const { runId, config } = this.#run;
    const driver = await this.#openDriver();
    await this.#restoreFiles();
    await this.#removeGateways();
    const open = await store.listOpen(db, runId);
    const next = open.values();
    const lanes = driver.takesTaskAddress ? config.concurrency : 1;
    const worker = async () => {
      for (const result of next) {
        if (this.#signal.aborted) return;
        try {
          await this.#runOne(result, driver);
        } catch (error) {
          this.#stop.abort(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, open.length) }, worker));
    this.#signal.throwIfAborted();
  }

  get #signal(): AbortSignal {
    return (this.#both ??= AbortSignal.any([this.#work.signal, this.#stop.signal]));
  }
  #both: AbortSignal | undefined;

  async #runOne(result: store.OpenResult, driver: AgentDriver): Promise<void> {
    const { db, lanes } = this.#deps;
    const { evaluationId, ownerId } = this.#run;
    const { number } = result;
    const task = await getTask(db, evaluationId, number);
    // Calls of an agent with one fixed address are told to a task by its key or its user: one such task at a time.
    const lane = this.#keyId === null ? `user ${ownerId}` : `key ${this.#keyId}`;
    using _lane = driver.takesTaskAddress ? undefined : await lanes.enter(lane, this.#signal);
    const { neverArrived, ...done } = await this.#attempts(result, task, driver);
    await this.#store(done);
    this.#unreached = neverArrived ? this.#unreached + 1 : 0;
    if (this.#unreached >= mostUnreached)
      throw new RunFailure(`${done.error ?? ''} Start the agent, and create another run.`.trim());
  }

  /** A task, and within the budget again with other words for an injection that was delivered and resisted. */
  async #attempts({ resultId }: store.OpenResult, task: TaskInstance, driver: AgentDriver): Promise<TaskEnd> {
    const lineage: Attempt[] = [];
    let done = await this.#attempt(resultId, task, driver);
    let tried = task;
    while (await this.#mayRewrite(done, lineage)) {
      lineage.push(attemptOf(tried, done, lineage.length + 1));
      const text = await rewrite(this.#deps, task, lineage, this.#signal);
      if (text === undefined) return { ...done, ...(lineage.length > 1 && { lineage }) };
      tried = withInjection(task, text);
      const next = await this.#attempt(resultId, tried, driver);
      // An error after a verdict is none: the verdict stays.
      if (next.status === 'error') return { ...done, ...(lineage.length > 1 && { lineage }) };
      done = next;
    }
    if (lineage.length === 0) return done;
    return { ...done, lineage: [...lineage, attemptOf(tried, done, lineage.length + 1)] };
  }

  /** Takes an attempt from the budget of the run, which is kept in the database: a crash gives none of it back. */
  async #mayRewrite(
    { delivered, attackSuccess, status }: TaskEnd,
    lineage: readonly Attempt[],
  ): Promise<boolean> {
    const budget = this.#run.config.adaptiveBudget ?? 0;
    const isResisted = delivered === true && attackSuccess === false && status !== 'error';
    if (!isResisted || budget === 0 || lineage.length + 1 >= mostAttempts) return false;
    return spendAdaptive(this.#deps.db, this.#run.runId, budget);
  }

  #attempt(resultId: string, task: TaskInstance, driver: AgentDriver): Promise<TaskEnd> {
    const { db, mcpUrl } = this.#deps;
    const { runId, tenantId, ownerId, config } = this.#run;
    return runTask(this.#deps, {
      runId,
      resultId,
      task,
      tenantId,
      userId: ownerId,
      apiKeyId: this.#keyId,
      driver,
      // The address may have changed since the run was created.
      proxyMcpUrl: mcpUrl(),
      agentTimeoutMs: config.agentTimeoutSeconds * 1000,
      signal: this.#signal,
      gatewayId: config.gateway?.id,
      onStart: (sessionId, at) => store.markStarted(db, resultId, sessionId, at),
    });
  }

  /** The verdict is stored only while this process holds the run, and once. */
  async #store(done: store.Finished): Promise<void> {
    const { db, files } = this.#deps;
    const stored = await db.transaction(async (tx) => {
      const first = await store.finish(tx, done);
      const counts = (await store.countTasks(tx, [this.#run.runId])).get(this.#run.runId);
      const { total = 0, passed = 0, failed = 0, error = 0 } = counts ?? {};
      await this.#work.save(tx, { progress: { done: passed + failed + error, total, step: 'running' } });
      return first;
    });
    if (stored) await files.write(done.trajectory);
  }

  /** Files that a crash prevented after their results were stored. */
  async #restoreFiles(): Promise<void> {
    const { db, files } = this.#deps;
    const { runId } = this.#run;
    for (const { resultId, sessionId } of await store.listTrajectories(db, runId))
      if (!(await files.has(runId, sessionId))) {
        const trajectory = await store.getTrajectory(db, resultId);
        if (trajectory !== undefined) await files.write(trajectory);
      }
  }

  /** Gateways of tasks that were under way in a process that died. */
  async #removeGateways(): Promise<void> {
    const { runId, ownerId, config } = this.#run;
    if (config.gateway === undefined) return;
    try {
      await deleteTaskGateways(this.#deps.gateways, ownerId, runId);
    } catch (error) {
      if (error instanceof AppError)
        throw new RunFailure(`The agent gateway cannot be used: ${error.detail}`, { cause: error });
      throw error;
    }
  }

  async #openDriver(): Promise<AgentDriver> {
    const { outbound } = this.#deps;
    const connection = await this.#connection();
    const protocol =
      connection.protocol === 'auto' ? await this.#findProtocol(connection) : connection.protocol;
    const timeoutMs = this.#run.config.agentTimeoutSeconds * 1000;
    const driver = openDriver(outbound, connection, protocol, timeoutMs);
    if (!connection.options.parallel) return driver;
    return { takesTaskAddress: true, ask: (task) => driver.ask(task) };
  }

  async #connection(): Promise<AgentConnection> {
    const { db, vault } = this.#deps;
    const { tenantId, config } = this.#run;
    const agent = config.agentId === null ? undefined : await getAgent(db, tenantId, config.agentId);
    const protocol = config.protocol;
    if (agent === undefined)
      return { endpoint: config.agentEndpoint, protocol, options: plainOptions, secrets: noSecrets };
    const secrets = openSecrets(vault, agent.agentId, agent.secrets);
    this.#keyId = agent.options.sandboxKeyId ?? null;
    return { endpoint: config.agentEndpoint, protocol, options: agent.options, secrets };
  }

  /** Finds out the protocol by a harmless greeting, and keeps it, so that a resumed run does not ask again. */
  async #findProtocol(connection: AgentConnection): Promise<KnownProtocol> {
    const { db, outbound } = this.#deps;
    const found = await probe(outbound, connection, this.#signal);
    if (found.protocol === null || found.protocol === 'auto') throw new RunFailure(found.message);
    await store.setProtocol(db, this.#run.runId, { ...this.#run.config, protocol: found.protocol });
    return found.protocol;
  }
}
