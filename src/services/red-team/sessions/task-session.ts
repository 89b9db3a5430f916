import type { CallResult, ListedTool } from '#environments/kit/instance.ts';
import type { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import { type AgentTools, NoSessionError } from './running-sessions.ts';

/** The most calls that a task's agent may make: an agent in a loop ends as an error that says so. */
const mostCalls = 2000;
/** The most characters that arguments and outputs of all calls may have: they are kept in the trajectory. */
const mostCharacters = 16_000_000;

/**
 * What an agent reaches of its task. After {@link end} no call begins any more, and those under way have been answered,
 * so that what is judged cannot change.
 */
export class TaskSession implements AgentTools {
  readonly #sandbox: SandboxSession;
  readonly #underWay = new Set<Promise<unknown>>();
  #ended = false;
  #characters = 0;

  constructor(sandbox: SandboxSession) {
    this.#sandbox = sandbox;
  }

  tools(): Promise<ListedTool[]> {
    return this.#tracked(() => this.#sandbox.tools());
  }

  async call(name: string, args: Record<string, unknown>): Promise<CallResult> {
    if (this.#sandbox.calls.length + this.#underWay.size >= mostCalls)
      throw new NoSessionError(`A task may make ${mostCalls} tool calls: no more can be made.`);
    this.#characters += JSON.stringify(args).length;
    if (this.#characters > mostCharacters)
      throw new NoSessionError(
        `The calls of a task may have ${mostCharacters} characters in all: no more can be made.`,
      );
    const result = await this.#tracked(() => this.#sandbox.call(name, args));
    this.#characters += result.text.length;
    return result;
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
