import { type AgentHttp, readPath } from './agent-http.ts';
import { type AgentDriver, AgentError, type AgentTask } from './driver.ts';

/** An agent behind the Responses API: the MCP server of the task is passed as a tool with each request. */
export class OpenAiResponsesDriver implements AgentDriver {
  readonly takesTaskAddress = true;
  readonly #http: AgentHttp;
  readonly #model: string;

  constructor(http: AgentHttp, model: string) {
    this.#http = http;
    this.#model = model;
  }

  async ask(task: AgentTask): Promise<string> {
    const answer = await this.#http.postForJson(
      {
        model: this.#model,
        input: task.prompt,
        tools: [
          {
            type: 'mcp',
            server_label: 'sandbox',
            server_url: task.mcpUrl,
            headers: { 'X-API-Key': task.sessionKey },
            require_approval: 'never',
          },
        ],
      },
      task,
    );
    return outputText(answer);
  }
}

/** All texts of the messages in `output`, in order. */
function outputText(answer: unknown): string {
  const output = readPath(answer, 'output');
  if (!Array.isArray(output))
    throw new AgentError('The agent’s answer has no `output`, as the Responses API has it.');
  return output
    .filter((item) => readPath(item, 'type') === 'message')
    .flatMap((item) => (readPath(item, 'content') as unknown[] | undefined) ?? [])
    .map((part) => readPath(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
