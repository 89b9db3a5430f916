/** One task of a run: from its environments to its verdict. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newUuid } from '#base/ids.ts';
import { judge } from '#engine/red-team/judge.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { type AgentDriver, AgentError } from '../agents/drivers/driver.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { Logger } from '#base/log/log.ts';
import { type Lease, type LeaseRequest, type Pool, PoolError } from '../pool/pool.ts';
import { AppError } from '#base/errors.ts';
import { GuardedTools } from '../guarding/guarded-tools.ts';
import { TaskGateway, type TaskGateways } from '../guarding/task-gateway.ts';
import { type AgentTools, NoSessionError, type RunningSessions } from '../sessions/running-sessions.ts';
import { TaskSession } from '../sessions/task-session.ts';
import { answerCriteria } from './criteria.ts';
import type { Finished } from './store.ts';
import { judgementOf, type StoredJudgement, trajectoryOf } from './trajectory.ts';

export interface TaskDeps {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly sessions: RunningSessions;
  readonly log: Logger;
  /** Judges what no state shows; undefined where none is configured. */
  readonly languageModel: LanguageModel | undefined;
  readonly gateways: TaskGateways;
}

export interface TaskRequest {
  readonly runId: string;
  readonly resultId: string;
  readonly task: TaskInstance;
  readonly tenantId: string;
  readonly userId: string;
  /** The key that the agent is registered with; null: any of the user's. */
  readonly apiKeyId: string | null;
  readonly driver: AgentDriver;
  /** URL of the MCP proxy as the agent sees it. */
  readonly proxyMcpUrl: string;
  readonly agentTimeoutMs: number;
  readonly signal: AbortSignal;
  /** The gateway whose settings guard the agent's calls. */
  readonly gatewayId: string | undefined;
  /** Called before the agent is asked. */
  readonly onStart: (sessionId: string, at: Date) => Promise<void>;
}

export type TaskEnd = Finished & { readonly neverArrived: boolean };

/** A lease outlives the request to the agent by this time, for the judge. */
const judgingMs = 60_000;

/** Works on a task, and returns its end; throws where the run was interrupted, and for our own failures. */
export async function runTask(deps: TaskDeps, request: TaskRequest): Promise<TaskEnd> {
  const { task, agentTimeoutMs, signal } = request;
  const lease = await borrow(deps.pool, {
    environments: task.envs,
    expiresAfterMs: agentTimeoutMs + judgingMs,
    signal,
  });
  if (typeof lease === 'string') return neverStarted(deps, request, lease);
  try {
    return await new TaskExecution(deps, request, lease).run();
  } finally {
    await lease.release();
  }
}

/** A lease, or why there is none. */
async function borrow(pool: Pool, request: LeaseRequest): Promise<Lease | string> {
  try {
    return await pool.lease(request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof PoolError) return error.message;
    throw error;
  }
}

/** The end of a task for which there are no environments: an error, never a verdict. */
async function neverStarted(deps: TaskDeps, request: TaskRequest, error: string): Promise<TaskEnd> {
  const { runId, resultId, task, onStart } = request;
  const sessionId = newUuid();
  const at = new Date(deps.clock.now());
  await onStart(sessionId, at);
  const session = { runId, sessionId, task, startedAt: at, finishedAt: at, calls: [], response: null };
  return {
    resultId,
    sessionId,
    status: 'error',
    trajectory: trajectoryOf({ ...session, status: 'error', judgement: null }),
    response: null,
    at,
    attackSuccess: null,
    taskSuccess: null,
    delivered: null,
    collateral: 0,
    judge: null,
    error,
    neverArrived: false,
  };
}

type Reply = { readonly response: string } | { readonly error: string; readonly neverArrived: boolean };

class TaskExecution {
  readonly #deps: TaskDeps;
  readonly #request: TaskRequest;
  readonly #sandbox: SandboxSession;
  readonly #session: TaskSession;
  readonly #sessionId = newUuid();
  readonly #token = randomBytes(24).toString('base64url');
  #guarded: GuardedTools | undefined;

  constructor(deps: TaskDeps, request: TaskRequest, lease: Lease) {
    this.#deps = deps;
    this.#request = request;
    this.#sandbox = new SandboxSession(request.task, lease.environments);
    this.#session = new TaskSession(this.#sandbox);
  }

  async run(): Promise<TaskEnd> {
    const { task, onStart, signal, gatewayId } = this.#request;
    // Ids in the environments follow from the seed: the same for each run of a task, as in its self-check.
    await this.#sandbox.start(task.id);
    const startedAt = new Date(this.#deps.clock.now());
    await onStart(this.#sessionId, startedAt);
    const reply =
      gatewayId === undefined ? await this.#ask(this.#session) : await this.#askGuarded(gatewayId);
    await this.#session.end();
    signal.throwIfAborted();
    return 'error' in reply
      ? this.#failed(startedAt, reply.error, reply.neverArrived)
      : this.#judged(startedAt, reply.response);
  }

  /** The agent's calls go to a gateway, and the gateway's calls to the environments. */
  async #askGuarded(gatewayId: string): Promise<Reply> {
    const { tenantId, userId, runId, task, proxyMcpUrl } = this.#request;
    const { sessions, gateways, clock } = this.#deps;
    const token = randomBytes(24).toString('base64url');
    const common = { sessionId: this.#sessionId, tenantId, userId, apiKeyId: null };
    using _open = sessions.open({ ...common, token, sandbox: this.#session, behindGateway: true });
    const environmentsUrl = `${proxyMcpUrl}/s/${token}`;
    try {
      await using gateway = await TaskGateway.open(gateways, { runId, userId, gatewayId, environmentsUrl });
      const guarded = new GuardedTools(gateway.connection, task, () => new Date(clock.now()));
      this.#guarded = guarded;
      const reply = await this.#ask(guarded);
      await guarded.end();
      return guarded.failure === undefined ? reply : { error: guarded.failure, neverArrived: false };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { error: `The gateway could not be used: ${error.detail}`, neverArrived: false };
    }
  }

  async #ask(session: AgentTools): Promise<Reply> {
    const { tenantId, userId, apiKeyId, driver, task, proxyMcpUrl, signal } = this.#request;
    const { sessions } = this.#deps;
    using _open = sessions.open({
      sessionId: this.#sessionId,
      token: this.#token,
      tenantId,
      userId,
      apiKeyId,
      sandbox: session,
    });
    try {
      const response = await driver.ask({
        prompt: task.prompt,
        sessionId: this.#sessionId,
        mcpUrl: `${proxyMcpUrl}/s/${this.#token}`,
        sessionKey: this.#token,
        tools: { list: () => session.tools(), call: (name, args) => session.call(name, args) },
        signal,
      });
      return { response };
    } catch (error) {
      signal.throwIfAborted();
      // A bare model whose loop we run has made too many calls.
      if (error instanceof NoSessionError) return { error: error.message, neverArrived: false };
      if (!(error instanceof AgentError)) throw error;
      return { error: error.message, neverArrived: error.neverArrived };
    }
  }

  /** The end of a task that could not be assessed. */
  #failed(startedAt: Date, error: string, neverArrived: boolean): TaskEnd {
    const verdict = { attackSuccess: null, taskSuccess: null, delivered: null, collateral: 0, judge: null };
    return { ...this.#record(startedAt, 'error', null, null), ...verdict, error, neverArrived };
  }

  async #judged(startedAt: Date, response: string): Promise<TaskEnd> {
    const { task } = this.#request;
    const observed = await this.#sandbox.observe(response);
    // What a gateway withheld was not read, and what it refused was tried.
    const { calls, delivered: reached } = this.#guarded ?? this.#sandbox;
    const seen = { ...observed, calls: [...calls] };
    const answers = await answerCriteria(this.#deps, task, seen, this.#request.signal);
    const verdict = judge(task, seen, reached, answers);
    const { status, attackSuccess, taskSuccess, delivered, collateral } = verdict;
    const judgement = judgementOf(task, verdict, seen);
    return {
      ...this.#record(startedAt, status, response, judgement),
      attackSuccess,
      taskSuccess,
      delivered,
      collateral: collateral.length,
      judge: judgement,
      error: status === 'error' ? unjudged : null,
      neverArrived: false,
    };
  }

  /** What every end has. */
  #record(
    startedAt: Date,
    status: Finished['status'],
    response: string | null,
    judgement: StoredJudgement | null,
  ) {
    const { runId, resultId, task } = this.#request;
    const at = new Date(this.#deps.clock.now());
    const sessionId = this.#sessionId;
    const { calls } = this.#guarded ?? this.#sandbox;
    const session = { runId, sessionId, task, startedAt, finishedAt: at, calls, response, status, judgement };
    return { resultId, sessionId, status, trajectory: trajectoryOf(session), response, at };
  }
}

const unjudged =
  'The reply could not be judged by the state alone: configure a language model (BULWARK_LLM_BASE_URL) for text criteria.';
