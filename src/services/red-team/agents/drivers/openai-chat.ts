import type { ListedTool } from '#environments/kit/instance.ts';
import { type AgentHttp, readPath, textAt } from './agent-http.ts';
import { type AgentDriver, AgentError, type AgentTask } from './driver.ts';

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

const mostRounds = 40;

/** An agent behind chat completions that makes its own tool calls. */
export class OpenAiChatDriver implements AgentDriver {
  readonly takesTaskAddress = false;
  readonly #http: AgentHttp;
  readonly #model: string;

  constructor(http: AgentHttp, model: string) {
    this.#http = http;
    this.#model = model;
  }

  async ask(task: AgentTask): Promise<string> {
    const body = {
      model: this.#model,
      messages: [{ role: 'user', content: task.prompt }],
      user: task.sessionId,
    };
    return textAt(await this.#http.postForJson(body, task), 'choices.0.message.content');
  }
}

/** A bare model behind chat completions: the tools are passed as functions, and the loop is run here. */
export class ToolLoopDriver implements AgentDriver {
  readonly takesTaskAddress = true;
  readonly #http: AgentHttp;
  readonly #model: string;

  constructor(http: AgentHttp, model: string) {
    this.#http = http;
    this.#model = model;
  }

  async ask(task: AgentTask): Promise<string> {
    const tools = (await task.tools.list()).map(asFunction);
    const messages: unknown[] = [{ role: 'user', content: task.prompt }];
    for (let round = 0; round < mostRounds; round += 1) {
      const answer = await this.#http.postForJson({ model: this.#model, messages, tools }, task);
      const message = readPath(answer, 'choices.0.message');
      const calls = readPath(message, 'tool_calls');
      if (!Array.isArray(calls) || calls.length === 0) return textAt(answer, 'choices.0.message.content');
      messages.push(message);
      for (const call of calls as ToolCall[]) messages.push(await answered(call, task));
    }
    throw new AgentError(`The model still called tools after ${mostRounds} rounds.`);
  }
}

function asFunction({ name, description, inputSchema }: ListedTool) {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

async function answered(call: ToolCall, task: AgentTask) {
  const args = argumentsOf(call);
  const content = args
    ? (await task.tools.call(call.function.name, args)).text
    : 'The arguments are not a JSON object.';
  return { role: 'tool', tool_call_id: call.id, content };
}

function argumentsOf(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const args: unknown = JSON.parse(call.function.arguments || '{}');
    return args !== null && typeof args === 'object' && !Array.isArray(args)
      ? (args as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
