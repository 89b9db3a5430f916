import { z } from 'zod';
import { isoTime, page, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { protocols } from './names.ts';

const tag = 'Agents';

export const agentId = z.string().min(1).max(100);
const endpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .max(2000)
  .meta({ description: 'Where the agent takes requests.' });

/** How requests to an agent are made; part of its registration and of a probe. */
const Connection = {
  endpoint,
  protocol: z.enum(protocols).default('auto'),
  model: storedText({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'Sent as `model` where the protocol has such a field; default: `agent`.' }),
  api_key: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .meta({ description: 'Sent to the agent as a bearer token. Stored encrypted, and never returned.' }),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(8192))
    .refine((headers) => Object.keys(headers).length <= 50, { error: 'must have at most 50 headers' })
    .optional()
    .meta({ description: 'Sent to the agent with each request; stored encrypted, and never returned.' }),
  tool_loop: z.boolean().default(false).meta({
    description:
      'With `openai_chat`: the endpoint is a bare model; the tools are passed as functions and we run the loop.',
  }),
  parallel: z.boolean().default(false).meta({
    description:
      'The agent connects to the MCP address in the header `X-Redteam-Mcp-Url` of each request, so that several tasks can run at a time.',
  }),
  template: z
    .object({
      body: z.json().meta({
        description: 'The body, with `{{prompt}}`, `{{session_id}}` and `{{mcp_url}}` in its texts.',
      }),
      response_path: storedText({ min: 1, max: 200 }).meta({
        description: 'Where the reply stands in the answer: `choices.0.text`.',
      }),
    })
    .optional()
    .meta({ description: 'For the protocol `json`.' }),
};

export const Agent = z
  .object({
    agent_id: z.string(),
    name: z.string(),
    endpoint: z.string(),
    protocol: z.enum(protocols),
    model: z.string().nullable(),
    tool_loop: z.boolean(),
    parallel: z.boolean(),
    has_api_key: z.boolean(),
    sandbox_key_id: z.string().nullable(),
    created_at: isoTime(),
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
  })
  .meta({ id: 'RedTeamAgent' });

export const agentOperations = {
  registerAgent: defineOperation({
    method: 'POST',
    path: '/api/agents',
    tag,
    summary: 'Registers an agent that is to be tested',
    access: 'jwt_or_key',
    body: z.object({
      name: storedText({ min: 1, max: 200 }),
      ...Connection,
      sandbox_key_id: z.string().min(1).max(100).optional().meta({
        description:
          'Id of the API key, one of your own, with which this agent calls `/sandbox/mcp`. Agents with one fixed MCP address can work at the same time if each has a key of its own.',
      }),
      visibility: visibilityField().default('private'),
    }),
    response: Agent,
    errors: [409],
  }),
  listAgents: defineOperation({
    method: 'GET',
    path: '/api/agents',
    tag,
    summary: 'The agents that the caller may use',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all'), ...page }),
    response: z.object({ agents: z.array(Agent), total: z.int() }),
  }),
  changeAgent: defineOperation({
    method: 'PATCH',
    path: '/api/agents/{agent_id}',
    tag,
    summary: 'Shares an agent with the tenant, or ends that',
    access: 'jwt_or_key',
    params: z.object({ agent_id: agentId }),
    body: z.object({ visibility: visibilityField() }),
    response: Agent,
    errors: [403, 404],
  }),
  deleteAgent: defineOperation({
    method: 'DELETE',
    path: '/api/agents/{agent_id}',
    tag,
    summary: 'Deletes an agent; its evaluations keep its address',
    access: 'jwt_or_key',
    params: z.object({ agent_id: agentId }),
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
  testAgent: defineOperation({
    method: 'POST',
    path: '/api/agents/test',
    tag,
    summary: 'Sends a harmless greeting to an endpoint and says what was found',
    description:
      'Nothing is stored. With the protocol `auto` each protocol is tried until one is understood.',
    access: 'jwt_or_key',
    body: z.object(Connection),
    response: z.object({
      reachable: z.boolean(),
      protocol: z.enum(protocols).nullable().meta({ description: 'The protocol that was understood.' }),
      latency_ms: z.number().nullable(),
      message: z.string().meta({ description: 'What was found, and what to do if it does not work.' }),
      reply: z.string().nullable().meta({ description: 'The beginning of the reply.' }),
    }),
  }),
};
