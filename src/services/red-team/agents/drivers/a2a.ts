import { newUuid } from '#base/ids.ts';
import { type AgentHttp, readPath } from './agent-http.ts';
import { type AgentDriver, AgentError, type AgentTask } from './driver.ts';

const finished = new Set(['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required']);
const pollEveryMs = 500;

/** An agent of the Agent2Agent protocol, over JSON-RPC. */
export class A2aDriver implements AgentDriver {
  readonly takesTaskAddress = false;
  readonly #http: AgentHttp;

  constructor(http: AgentHttp) {
    this.#http = http;
  }

  async ask(task: AgentTask): Promise<string> {
    const message = {
      kind: 'message',
      role: 'user',
      messageId: newUuid(),
      contextId: task.sessionId,
      parts: [{ kind: 'text', text: task.prompt }],
      metadata: { mcp_url: task.mcpUrl },
    };
    let result = await this.#call('message/send', { message }, task);
    while (readPath(result, 'kind') === 'task' && !finished.has(String(readPath(result, 'status.state')))) {
      await pause(task.signal);
      result = await this.#call('tasks/get', { id: readPath(result, 'id') }, task);
    }
    return textOf(result);
  }

  async #call(method: string, params: unknown, task: AgentTask): Promise<unknown> {
    const answer = await this.#http.postForJson({ jsonrpc: '2.0', id: newUuid(), method, params }, task);
    const error = readPath(answer, 'error.message');
    if (error !== undefined)
      throw new AgentError(`The agent answered ${method} with an error: ${JSON.stringify(error)}`);
    const result = readPath(answer, 'result');
    if (result === undefined)
      throw new AgentError('The agent’s answer is not JSON-RPC, as Agent2Agent has it.');
    return result;
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pollEveryMs);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), {
      once: true,
    });
  });
}

/** The texts of a message, or of a task's artifacts and last status. */
function textOf(result: unknown): string {
  const parts =
    readPath(result, 'kind') === 'task'
      ? [
          ...((readPath(result, 'artifacts') as unknown[] | undefined) ?? []).flatMap(partsOf),
          ...partsOf(readPath(result, 'status.message')),
        ]
      : partsOf(result);
  return parts
    .map((part) => readPath(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function partsOf(holder: unknown): unknown[] {
  const parts = readPath(holder, 'parts');
  return Array.isArray(parts) ? parts : [];
}
