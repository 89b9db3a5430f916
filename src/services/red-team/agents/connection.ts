import type { z } from 'zod';
import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { protocols } from '../contract/names.ts';
import { A2aDriver } from './drivers/a2a.ts';
import { AgUiDriver } from './drivers/ag-ui.ts';
import { AgentHttp } from './drivers/agent-http.ts';
import type { AgentDriver } from './drivers/driver.ts';
import { JsonTemplateDriver } from './drivers/json-template.ts';
import { OpenAiChatDriver, ToolLoopDriver } from './drivers/openai-chat.ts';
import { OpenAiResponsesDriver } from './drivers/openai-responses.ts';

export type Protocol = (typeof protocols)[number];
export type KnownProtocol = Exclude<Protocol, 'auto'>;

/** How requests to an agent are made, without secrets. */
export interface AgentOptions {
  readonly model: string | null;
  readonly toolLoop: boolean;
  /** Whether it connects to the MCP address that comes with each request. */
  readonly parallel: boolean;
  /** Id of the API key that it calls the sandbox with; absent in agents that were registered before there was one. */
  readonly sandboxKeyId?: string | null;
  readonly template: { readonly body: z.core.util.JSONType; readonly responsePath: string } | null;
}

export interface AgentSecrets {
  readonly apiKey: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything that is needed to drive an agent. */
export interface AgentConnection {
  readonly endpoint: string;
  readonly protocol: Protocol;
  readonly options: AgentOptions;
  readonly secrets: AgentSecrets;
}

export const noSecrets: AgentSecrets = { apiKey: null, headers: {} };
export const plainOptions: AgentOptions = { model: null, toolLoop: false, parallel: false, template: null };

const placeOf = (agentId: string) => `red_team_agent:${agentId}`;

export const sealedAgents: SealedColumn = {
  table: 'red_team.agents',
  column: 'secrets',
  keys: ['agent_id'],
  place: placeOf,
};

export const sealSecrets = (vault: Vault, agentId: string, secrets: AgentSecrets): Buffer =>
  vault.seal(JSON.stringify(secrets), placeOf(agentId));

export const openSecrets = (vault: Vault, agentId: string, sealed: Uint8Array | null): AgentSecrets =>
  sealed === null ? noSecrets : (JSON.parse(vault.open(sealed, placeOf(agentId))) as AgentSecrets);

const defaultModel = 'agent';

/** The driver of an agent whose protocol is known. */
export function openDriver(
  outbound: Outbound,
  { endpoint, options, secrets }: Omit<AgentConnection, 'protocol'>,
  protocol: KnownProtocol,
  timeoutMs: number,
): AgentDriver {
  const { apiKey, headers } = secrets;
  const http = new AgentHttp(outbound, { endpoint, apiKey: apiKey ?? undefined, headers, timeoutMs });
  const model = options.model ?? defaultModel;
  switch (protocol) {
    case 'openai_chat':
      return options.toolLoop ? new ToolLoopDriver(http, model) : new OpenAiChatDriver(http, model);
    case 'openai_responses':
      return new OpenAiResponsesDriver(http, model);
    case 'a2a':
      return new A2aDriver(http);
    case 'ag_ui':
      return new AgUiDriver(http);
    case 'json':
      if (options.template === null) throw needsTemplate();
      return new JsonTemplateDriver(http, {
        body: options.template.body as never,
        responsePath: options.template.responsePath,
      });
  }
}

const needsTemplate = () =>
  new AppError(
    422,
    'invalid',
    "'template' is required with the protocol json: give `body` and `response_path`.",
  );

const forbiddenHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'upgrade']);

/**
 * @param field what the address is called in the request
 * @throws AppError 422 that names the field
 */
export function checkConnection(
  outbound: Outbound,
  { endpoint, protocol, options, secrets }: AgentConnection,
  field = 'endpoint',
): void {
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '')
    throw new AppError(
      422,
      'invalid',
      `'${field}' must not hold a password: register the agent with it in 'headers'.`,
    );
  try {
    outbound.assertAllowed(endpoint);
  } catch (error) {
    throw error instanceof AppError
      ? new AppError(422, error.code, `'${field}': ${error.detail}`, { cause: error })
      : error;
  }
  if (protocol === 'json' && options.template === null) throw needsTemplate();
  for (const [name, value] of Object.entries(secrets.headers))
    if (
      forbiddenHeaders.has(name.toLowerCase()) ||
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      /[\r\n\0]/.test(value)
    )
      throw new AppError(422, 'invalid', `'headers.${name}' must not be sent.`);
}
