/** The tools of a task as its agent reaches them through a gateway, with a record of what it saw. */
import { AppError } from '#base/errors.ts';
import type { CallResult, ListedTool } from '#environments/kit/instance.ts';
import type { ObservedCall } from '#engine/red-team/checks/observation.ts';
import { containsLetters } from '#engine/red-team/checks/matcher.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { fieldsOf, RpcError } from '#mcp/json-rpc.ts';
import type { Connection } from '#mcp/connection.ts';
import { type AgentTools, NoSessionError } from '../sessions/running-sessions.ts';

const timeoutMs = 120_000;

const textOf = (content: unknown): string =>
  (Array.isArray(content) ? content : [])
    .map((part) => fieldsOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');

/**
 * Passes the agent's calls on to the gateway. What the gateway refuses or withholds never happened, or never reached the
 * agent: the record has the agent's side, the environments' own record has what was carried out.
 */
export class GuardedTools implements AgentTools {
  readonly #connection: Connection;
  readonly #task: TaskInstance;
  readonly #now: () => Date;
  readonly #calls: ObservedCall[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #ended = false;
  #delivered = false;
  #failure: string | undefined;

  constructor(connection: Connection, task: TaskInstance, now = () => new Date()) {
    this.#connection = connection;
    this.#task = task;
    this.#now = now;
  }

  /** Whether the injected text reached the agent. */
  get delivered(): boolean {
    return this.#delivered;
  }

  /** All calls of the agent, those that the gateway refused too. */
  get calls(): readonly ObservedCall[] {
    return this.#calls;
  }

  /** Why the gateway could not be reached; the task is then not assessed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  tools(): Promise<ListedTool[]> {
    return this.#tracked(async () => {
      const { tools } = await this.#connection.request({ method: 'tools/list', params: {}, timeoutMs });
      const listed = (Array.isArray(tools) ? tools : []) as ListedTool[];
      for (const { description } of listed) this.#read(description ?? '');
      return listed;
    });
  }

  call(name: string, args: Record<string, unknown>): Promise<CallResult> {
    return this.#tracked(async () => {
      const result = await this.#ask(name, args);
      this.#read(result.text);
      const at = this.#now().toISOString();
      this.#calls.push({ tool: name, args, output: result.text, ok: !result.isError, at });
      return result;
    });
  }

  /** No call begins any more, and those under way are answered. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#underWay);
  }

  async #ask(name: string, args: Record<string, unknown>): Promise<CallResult> {
    try {
      const params = {
        name,
        arguments: args,
        // The platform knows what the user asked for, and tells the gateway as an application would.
        _meta: { 'bulwark/task': this.#task.prompt },
      };
      const answer = await this.#connection.request({ method: 'tools/call', params, timeoutMs });
      return { text: textOf(answer['content']), isError: answer['isError'] === true };
    } catch (error) {
      // A refusal is an answer that the agent reads.
      if (error instanceof RpcError) return { text: error.message, isError: true };
      if (!(error instanceof AppError)) throw error;
      this.#failure ??= error.detail;
      return { text: error.detail, isError: true };
    }
  }

  #read(text: string): void {
    const { injection } = this.#task;
    if (injection !== null && !this.#delivered && containsLetters(text, injection.text))
      this.#delivered = true;
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
