import { newUuid } from '#base/ids.ts';
import { type AgentHttp, readPath } from './agent-http.ts';
import { type AgentDriver, AgentError, type AgentTask } from './driver.ts';

/** An agent of the AG-UI protocol: one request, answered by a stream of events. */
export class AgUiDriver implements AgentDriver {
  readonly takesTaskAddress = false;
  readonly #http: AgentHttp;

  constructor(http: AgentHttp) {
    this.#http = http;
  }

  async ask(task: AgentTask): Promise<string> {
    const { text } = await this.#http.post(
      {
        threadId: task.sessionId,
        runId: newUuid(),
        state: {},
        messages: [{ id: newUuid(), role: 'user', content: task.prompt }],
        tools: [],
        context: [{ description: 'MCP server for this task', value: task.mcpUrl }],
        forwardedProps: {},
      },
      task,
    );
    return replyOf(eventsOf(text));
  }
}

function eventsOf(stream: string): unknown[] {
  const data = stream
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n'),
    )
    .filter(Boolean);
  try {
    return data.map((each) => JSON.parse(each) as unknown);
  } catch {
    throw new AgentError('The agent sent an event that is not JSON.');
  }
}

const contentEvents = new Set(['TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CHUNK']);

/** The deltas of all text messages, each message on lines of its own. */
function replyOf(events: unknown[]): string {
  const failed = events.find((event) => readPath(event, 'type') === 'RUN_ERROR');
  if (failed) throw new AgentError(`The agent ended with an error: ${String(readPath(failed, 'message'))}`);
  if (!events.some((event) => readPath(event, 'type') === 'RUN_FINISHED'))
    throw new AgentError('The agent’s stream ended without RUN_FINISHED, as AG-UI has it.');
  const messages = new Map<string, string>();
  for (const event of events) {
    const delta = readPath(event, 'delta');
    if (!contentEvents.has(String(readPath(event, 'type'))) || typeof delta !== 'string') continue;
    const id = String(readPath(event, 'messageId'));
    messages.set(id, (messages.get(id) ?? '') + delta);
  }
  return [...messages.values()].join('\n');
}
