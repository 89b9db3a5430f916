import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Metadata';
const access = 'jwt_or_key' as const;
const counts = z.record(z.string(), z.int());

const Named = z.object({ id: z.string(), name: z.string(), description: z.string(), tasks: z.int() });
const RiskCategory = Named.extend({
  frameworks: z.array(z.object({ framework: z.string(), id: z.string(), title: z.string() })),
  sub_categories: counts,
}).meta({ id: 'RiskCategory' });
const Item = Named.meta({ id: 'RedTeamMetadataItem' });

export const metadataOperations = {
  getMetadataSummary: defineOperation({
    method: 'GET',
    path: '/api/metadata/summary',
    tag,
    summary: 'What evaluations can be made of, with the number of tasks for each',
    access,
    response: z.object({
      domains: z.array(Item),
      threat_models: z.array(Item),
      risk_categories: z.array(RiskCategory),
      task_types: z.array(Item),
      vectors: z.array(Item),
      templates: z.array(Item),
      total_tasks: z.int(),
    }),
  }),
  listRiskCategories: defineOperation({
    method: 'GET',
    path: '/api/metadata/risk-categories',
    tag,
    summary: 'The nine categories of risk with their places in published lists',
    access,
    response: z.object({ risk_categories: z.array(RiskCategory) }),
  }),
  listThreatModels: defineOperation({
    method: 'GET',
    path: '/api/metadata/threat-models',
    tag,
    summary: 'Who attacks',
    access,
    response: z.object({ threat_models: z.array(Item) }),
  }),
  listDomains: defineOperation({
    method: 'GET',
    path: '/api/metadata/domains',
    tag,
    summary: 'Fields of work',
    access,
    response: z.object({ domains: z.array(Item) }),
  }),
  listEnvironments: defineOperation({
    method: 'GET',
    path: '/api/metadata/envs',
    tag,
    summary: 'Environments of the pool, with their instances',
    access,
    response: z.object({
      environments: z.array(
        Item.extend({
          domain: z.string(),
          tools: z.int(),
          instances: z.int(),
          free: z.int(),
          status: z.enum(['ready', 'starting', 'unavailable']),
        }),
      ),
    }),
  }),
  getMcpConfig: defineOperation({
    method: 'GET',
    path: '/api/metadata/mcp-config',
    tag,
    summary: 'The MCP addresses to enter into an agent',
    access,
    response: z.object({
      streamable_http_url: z.string(),
      sse_url: z.string(),
      header: z.literal('X-API-Key'),
      note: z.string(),
    }),
  }),
  listScriptedAgents: defineOperation({
    method: 'GET',
    path: '/api/metadata/scripted-agents',
    tag,
    summary: 'Agents whose figures are known, to try evaluations with',
    description:
      'They are served by the platform itself and work on its own tasks alone. Register one by its `endpoint`, with the ' +
      'protocol `openai_responses`. Empty where the address of the platform must not be called from here.',
    access,
    response: z.object({
      agents: z.array(z.object({ persona: z.string(), description: z.string(), endpoint: z.string() })),
    }),
  }),
  getTaskFacets: defineOperation({
    method: 'GET',
    path: '/api/metadata/task-facets',
    tag,
    summary: 'Numbers of tasks for each domain, by category, threat model, vector, template and environment',
    access,
    response: z.object({
      domains: z.record(
        z.string(),
        z.object({
          total: z.int(),
          risk_categories: counts,
          threat_models: counts,
          vectors: counts,
          templates: counts,
          environments: counts,
        }),
      ),
    }),
  }),
};
