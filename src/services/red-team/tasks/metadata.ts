import type { z } from 'zod';
import { domains } from '#environments/kit/environment.ts';
import { environments, findEnvironment } from '#environments/catalogue.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { riskCategories, type RiskCategory } from '#engine/red-team/tasks/taxonomy.ts';
import { templateNames } from '#engine/red-team/tasks/templates.ts';
import { getEntry } from '#findings/frameworks.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { metadataOperations } from '../contract/metadata.ts';
import { taskTypes, threatModels, vectors } from '../contract/names.ts';
import type { Pool } from '../pool/pool.ts';
import * as texts from './texts.ts';

export interface MetadataDeps {
  readonly tasks: () => readonly TaskInstance[];
  readonly pool: Pool;
  /** URL of the MCP proxy as agents see it. */
  readonly mcpUrl: () => string;
  /** Served by the platform itself. */
  readonly scriptedAgents: () => Answer<'listScriptedAgents'>['agents'];
}

type Operations = typeof metadataOperations;
type Answer<K extends keyof Operations> = z.input<Operations[K]['response']>;

const countBy = (tasks: readonly TaskInstance[], keyOf: (task: TaskInstance) => string | null) => {
  const counts: Record<string, number> = {};
  for (const task of tasks) {
    const key = keyOf(task);
    if (key !== null) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

const items = (ids: readonly string[], known: texts.Texts, counts: Record<string, number>) =>
  ids.map((id) => ({
    id,
    name: known[id]?.[0] ?? id.replaceAll('_', ' '),
    description: known[id]?.[1] ?? '',
    tasks: counts[id] ?? 0,
  }));

const frameworkOf = (id: string): string => {
  if (id.startsWith('ASI')) return 'owasp-agentic';
  return id.startsWith('LLM') ? 'owasp-llm' : 'mitre-atlas';
};

/** Where a category stands in published lists. */
export const frameworksOf = (category: RiskCategory) =>
  riskCategories[category].frameworks.map((id) => {
    const framework = frameworkOf(id);
    return { framework, id, title: getEntry({ framework, id }).title };
  });

function riskCategoryItems(tasks: readonly TaskInstance[]): Answer<'listRiskCategories'>['risk_categories'] {
  const counts = countBy(tasks, ({ riskCategory }) => riskCategory);
  return (Object.keys(riskCategories) as RiskCategory[]).map((id) => ({
    id,
    name: riskCategories[id].name,
    description: texts.riskCategoryTexts[id] ?? '',
    tasks: counts[id] ?? 0,
    frameworks: frameworksOf(id),
    sub_categories: countBy(
      tasks.filter(({ riskCategory }) => riskCategory === id),
      ({ subCategory }) => subCategory,
    ),
  }));
}

function environmentItems(
  tasks: readonly TaskInstance[],
  pool: Pool,
): Answer<'listEnvironments'>['environments'] {
  const shelves = new Map(pool.status().map((shelf) => [shelf.environment, shelf]));
  return environments.map(({ id, title, description, domain, tools }) => {
    const { instances = 0, free = 0, starting = 0 } = shelves.get(id) ?? {};
    const status = instances === 0 ? 'unavailable' : starting === instances ? 'starting' : 'ready';
    return {
      id,
      name: title,
      description,
      domain,
      tools: tools.length,
      tasks: tasks.filter(({ envs }) => envs.includes(id)).length,
      instances,
      free,
      status,
    };
  });
}

function environmentCounts(tasks: readonly TaskInstance[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { envs } of tasks)
    for (const env of envs) if (findEnvironment(env)) counts[env] = (counts[env] ?? 0) + 1;
  return counts;
}

export function metadataHandlers({
  tasks,
  pool,
  mcpUrl,
  scriptedAgents,
}: MetadataDeps): Handlers<Operations, Caller> {
  const domainItems = () =>
    items(
      domains,
      texts.domainTexts,
      countBy(tasks(), ({ domain }) => domain),
    );
  const threatModelItems = () =>
    items(
      threatModels,
      texts.threatModelTexts,
      countBy(tasks(), ({ threatModel }) => threatModel),
    );
  return {
    getMetadataSummary: () => ({
      domains: domainItems(),
      threat_models: threatModelItems(),
      risk_categories: riskCategoryItems(tasks()),
      task_types: items(
        taskTypes,
        texts.taskTypeTexts,
        countBy(tasks(), ({ taskType }) => taskType),
      ),
      vectors: items(
        vectors,
        texts.vectorTexts,
        countBy(tasks(), ({ vector }) => vector),
      ),
      templates: items(
        templateNames,
        texts.templateTexts,
        countBy(tasks(), ({ template }) => template),
      ),
      total_tasks: tasks().length,
    }),
    listRiskCategories: () => ({ risk_categories: riskCategoryItems(tasks()) }),
    listThreatModels: () => ({ threat_models: threatModelItems() }),
    listDomains: () => ({ domains: domainItems() }),
    listEnvironments: () => ({ environments: environmentItems(tasks(), pool) }),
    getMcpConfig: () => ({
      streamable_http_url: mcpUrl(),
      sse_url: `${mcpUrl()}/sse`,
      header: 'X-API-Key' as const,
      note:
        'Enter one of the addresses into the agent as an MCP server, with an API key of yours in X-API-Key. Tools appear ' +
        'while a task of a run is being worked on. Agents that take an address with each request get one for each task, ' +
        'in the request and in the header X-Redteam-Mcp-Url, and can work on several tasks at a time.',
    }),
    listScriptedAgents: () => ({ agents: scriptedAgents() }),
    getTaskFacets: () => ({
      domains: Object.fromEntries(
        [...Map.groupBy(tasks(), ({ domain }) => domain)].map(([domain, own]) => [
          domain,
          {
            total: own.length,
            risk_categories: countBy(own, ({ riskCategory }) => riskCategory),
            threat_models: countBy(own, ({ threatModel }) => threatModel),
            vectors: countBy(own, ({ vector }) => vector),
            templates: countBy(own, ({ template }) => template),
            environments: environmentCounts(own),
          },
        ]),
      ),
    }),
  };
}
