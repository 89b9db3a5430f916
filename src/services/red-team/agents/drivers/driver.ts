import type { CallResult, ListedTool } from '#environments/kit/instance.ts';

/** What an agent under test is asked to do. */
export interface AgentTask {
  prompt: string;
  sessionId: string;
  /** The MCP address of this task alone. */
  mcpUrl: string;
  /** Stands for the API key at that address, for agents that take a key with each request. */
  sessionKey: string;
  /** The tools of the task, for models whose loop we run. */
  tools: {
    list(): Promise<ListedTool[]>;
    call(name: string, args: Record<string, unknown>): Promise<CallResult>;
  };
  signal: AbortSignal;
}

/** Drives agents of one protocol. */
export interface AgentDriver {
  /** Whether the agent is told the address of its task with each request, so that several tasks can run at a time. */
  readonly takesTaskAddress: boolean;
  /**
   * Sends the task and waits for the final reply.
   * @throws AgentError
   */
  ask(task: AgentTask): Promise<string>;
}

/** Why an agent gave no reply; an infrastructure error, never a verdict. The message says what to do. */
export class AgentError extends Error {
  /** Whether no connection to the agent was made. */
  readonly neverArrived: boolean;

  constructor(message: string, options: ErrorOptions & { neverArrived?: boolean } = {}) {
    super(message, options);
    this.neverArrived = options.neverArrived ?? false;
  }
}
