import type { CallResult, ListedTool } from '#environments/kit/instance.ts';

/** The tools of a task, as its agent reaches them. */
export interface AgentTools {
  tools(): Promise<ListedTool[]>;
  call(name: string, args: Record<string, unknown>): Promise<CallResult>;
}

/** A task that an agent is working on. */
export interface RunningSession {
  sessionId: string;
  /** Stands in the address that only this task's agent is told. */
  token: string;
  tenantId: string;
  /** Who started the run. */
  userId: string;
  /** The API key that the agent is registered with; null: any key of the user. */
  apiKeyId: string | null;
  sandbox: AgentTools;
  /**
   * Reached by a gateway of ours instead of the agent: its token stands for a key, and calls without a token are not told
   * to it.
   */
  behindGateway?: boolean;
}

/** Who calls the proxy, and what the call says of its task. */
export interface ProxyCaller {
  tenantId: string;
  userId: string;
  apiKeyId: string | null;
  /** Of the address or the header; null where there is none. */
  token: string | null;
}

/** Why a call cannot be told to a task, as a sentence that says what to do. */
export class NoSessionError extends Error {}

const mostRemembered = 10_000;

/**
 * The tasks that are being worked on in this process. A call is told to a task by its token, else by its API key if
 * that has one running task alone; it is never guessed.
 */
export class RunningSessions {
  readonly #byToken = new Map<string, RunningSession>();
  /** Tokens of ended tasks, so that a late call is told what happened; the oldest are forgotten. */
  readonly #ended = new Set<string>();

  /** Calls reach the session until what is returned is disposed. */
  open(session: RunningSession): Disposable {
    this.#byToken.set(session.token, session);
    return {
      [Symbol.dispose]: () => {
        this.#byToken.delete(session.token);
        this.#ended.add(session.token);
        const [oldest] = this.#ended;
        if (this.#ended.size > mostRemembered && oldest !== undefined) this.#ended.delete(oldest);
      },
    };
  }

  /** Who calls with the token of a running task as the API key: the user of the run, for that task alone. */
  callerOf(token: string): ProxyCaller | undefined {
    const session = this.#byToken.get(token);
    if (session === undefined) return undefined;
    const { tenantId, userId, apiKeyId } = session;
    return { tenantId, userId, apiKeyId, token };
  }

  /** Who calls at the address of a task that stands behind a gateway of ours, which has no other credentials. */
  gatewayOf(token: string): ProxyCaller | undefined {
    return this.#byToken.get(token)?.behindGateway === true ? this.callerOf(token) : undefined;
  }

  /**
   * The task that a call belongs to.
   * @throws NoSessionError
   */
  find({ token, tenantId, userId, apiKeyId }: ProxyCaller): RunningSession {
    if (token !== null) {
      const session = this.#byToken.get(token);
      if (session?.tenantId === tenantId) return session;
      if (this.#ended.has(token))
        throw new NoSessionError('This task has ended: no more tools can be called.');
      throw new NoSessionError(
        'No running task has this session token. Use the MCP address that came with the task.',
      );
    }
    const open = [...this.#byToken.values()].filter(
      (session) => session.tenantId === tenantId && session.behindGateway !== true,
    );
    // Calls with the key that an agent is registered with are that agent's, whatever else its user has running.
    const ofKey = open.filter((session) => session.apiKeyId !== null && session.apiKeyId === apiKeyId);
    const candidates =
      ofKey.length > 0
        ? ofKey
        : open.filter((session) => session.apiKeyId === null && session.userId === userId);
    const [only] = candidates;
    if (only === undefined)
      throw new NoSessionError(
        'No task is running for this API key. Start a run, and call tools only during a task.',
      );
    if (candidates.length > 1)
      throw new NoSessionError(
        `${candidates.length} tasks are running for this API key. Use the address of the task (/sandbox/mcp/s/<token>) or ` +
          'send its token in X-Redteam-Session.',
      );
    return only;
  }
}
