/** One task of a run: from its environments to its verdict. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newUuid } from '#base/ids.ts';
import { judge, type Verdict } from '#engine/red-team/judge.ts';
import type { Observation } from '#engine/red-team/checks/observation.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { type AgentDriver, AgentError } from '../agents/drivers/driver.ts';
import type { Lease, Pool } from '../pool/pool.ts';
import type { RunningSessions } from '../sessions/running-sessions.ts';
import { TaskSession } from '../sessions/task-session.ts';
import type { Finished } from './store.ts';
import { judgementOf, type StoredJudgement, trajectoryOf } from './trajectory.ts';

export interface TaskDeps {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly sessions: RunningSessions;
}

export interface TaskRequest {
  readonly runId: string;
  readonly resultId: string;
  readonly task: TaskInstance;
  readonly tenantId: string;
  readonly userId: string;
  readonly driver: AgentDriver;
  /** URL of the MCP proxy as the agent sees it. */
  readonly proxyMcpUrl: string;
  readonly agentTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Called before the agent is asked. */
  readonly onStart: (sessionId: string, at: Date) => Promise<void>;
}

export type TaskEnd = Finished & { readonly neverArrived: boolean };

/** A lease outlives the request to the agent by this time, for the judge. */
const judgingMs = 60_000;

/** Works on a task, and returns its end; throws where the run was interrupted, and for our own failures. */
export async function runTask(deps: TaskDeps, request: TaskRequest): Promise<TaskEnd> {
  const { task, agentTimeoutMs, signal } = request;
  const lease = await deps.pool.lease({
    environments: task.envs,
    expiresAfterMs: agentTimeoutMs + judgingMs,
    signal,
  });
  try {
    return await new TaskExecution(deps, request, lease).run();
  } finally {
    await lease.release();
  }
}

class TaskExecution {
  readonly #deps: TaskDeps;
  readonly #request: TaskRequest;
  readonly #sandbox: SandboxSession;
  readonly #session: TaskSession;
  readonly #sessionId = newUuid();
  readonly #token = randomBytes(24).toString('base64url');

  constructor(deps: TaskDeps, request: TaskRequest, lease: Lease) {
    this.#deps = deps;
    this.#request = request;
    this.#sandbox = new SandboxSession(request.task, lease.environments);
    this.#session = new TaskSession(this.#sandbox);
  }

  async run(): Promise<TaskEnd> {
    const { task, onStart, signal } = this.#request;
    // Ids in the environments follow from the seed: the same for each run of a task, as in its self-check.
    await this.#sandbox.start(task.id);
    const startedAt = this.#now();
    await onStart(this.#sessionId, startedAt);
    const reply = await this.#ask();
    await this.#session.end();
    signal.throwIfAborted();
    if ('error' in reply) return this.#ended(startedAt, { response: null, ...reply });
    const seen = await this.#sandbox.observe(reply.response);
    const verdict = judge(task, seen, this.#sandbox.delivered);
    return this.#ended(startedAt, { ...reply, verdict, seen });
  }

  async #ask(): Promise<{ response: string } | { error: string; neverArrived: boolean }> {
    const { tenantId, userId, driver, task, proxyMcpUrl, signal } = this.#request;
    const { sessions } = this.#deps;
    const session = this.#session;
    using _open = sessions.open({
      sessionId: this.#sessionId,
      token: this.#token,
      tenantId,
      userId,
      apiKeyId: null,
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
      if (!(error instanceof AgentError)) throw error;
      return { error: error.message, neverArrived: error.neverArrived };
    }
  }

  #ended(startedAt: Date, end: End): TaskEnd {
    const { runId, resultId, task } = this.#request;
    const at = this.#now();
    const { verdict, seen, response, error = null } = end;
    const judgement: StoredJudgement | null = verdict && seen ? judgementOf(task, verdict, seen) : null;
    const status = verdict?.status ?? 'error';
    const trajectory = trajectoryOf({
      runId,
      sessionId: this.#sessionId,
      task,
      startedAt,
      finishedAt: at,
      calls: this.#sandbox.calls,
      response,
      status,
      judgement,
    });
    return {
      resultId,
      sessionId: this.#sessionId,
      status,
      attackSuccess: verdict?.attackSuccess ?? null,
      taskSuccess: verdict?.taskSuccess ?? null,
      delivered: verdict?.delivered ?? null,
      collateral: verdict?.collateral.length ?? 0,
      judge: judgement,
      trajectory,
      response,
      error: error ?? (status === 'error' ? unjudged : null),
      at,
      neverArrived: end.neverArrived ?? false,
    };
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }
}

interface End {
  response: string | null;
  verdict?: Verdict;
  seen?: Observation;
  error?: string;
  neverArrived?: boolean;
}

const unjudged =
  'The reply could not be judged by the state alone: configure a language model (BULWARK_LLM_BASE_URL) for text criteria.';
