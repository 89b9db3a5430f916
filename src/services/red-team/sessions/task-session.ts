import type { CallResult, ListedTool } from '#environments/kit/instance.ts';
import type { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import { type AgentTools, NoSessionError } from './running-sessions.ts';

/** The most calls that a task's agent may make: an agent in a loop ends as an error that says so. */
const mostCalls = 2000;

/**
 * What an agent reaches of its task. After {@link end} no call begins any more, and those under way have been answered,
 * so that what is judged cannot change.
 */
export class TaskSession implements AgentTools {
  readonly #sandbox: SandboxSession;
  readonly #underWay = new Set<Promise<unknown>>();
  #ended = false;

  constructor(sandbox: SandboxSession) {
    this.#sandbox = sandbox;
  }

  tools(): Promise<ListedTool[]> {
    return this.#tracked(() => this.#sandbox.tools());
  }

  call(name: string, args: Record<string, unknown>): Promise<CallResult> {
    if (this.#sandbox.calls.length >= mostCalls)
      throw new NoSessionError(`A task may make ${mostCalls} tool calls: no more can be made.`);
    return this.#tracked(() => this.#sandbox.call(name, args));
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#underWay);
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new NoSessionError('This task has ended: no more tools can be called.');
    const result = work();
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
    }
  }
}
