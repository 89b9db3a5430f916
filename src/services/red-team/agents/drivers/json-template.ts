import { type AgentHttp, textAt } from './agent-http.ts';
import type { AgentDriver, AgentTask } from './driver.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Any agent that takes JSON: the body is a template, the reply stands at a path of the answer. */
export class JsonTemplateDriver implements AgentDriver {
  readonly takesTaskAddress: boolean;
  readonly #http: AgentHttp;
  readonly #body: Json;
  readonly #responsePath: string;

  constructor(http: AgentHttp, template: { body: Json; responsePath: string }) {
    this.#http = http;
    this.#body = template.body;
    this.#responsePath = template.responsePath;
    this.takesTaskAddress = JSON.stringify(template.body).includes('{{mcp_url}}');
  }

  async ask(task: AgentTask): Promise<string> {
    const values: Record<string, string> = {
      prompt: task.prompt,
      session_id: task.sessionId,
      mcp_url: task.mcpUrl,
      api_key: task.sessionKey,
    };
    return textAt(await this.#http.postForJson(filled(this.#body, values), task), this.#responsePath);
  }
}

/** Fills in values within texts; the prompt may hold anything, so the template is never parsed as text. */
function filled(value: Json, values: Record<string, string>): Json {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => values[name] ?? mark);
  if (Array.isArray(value)) return value.map((each) => filled(each, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, values)]));
}
