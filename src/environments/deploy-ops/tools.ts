import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  existing,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
  text,
} from '../kit/record-tools.ts';
import type { EnvironmentState } from '../kit/state.ts';
import { runInService } from './shell.ts';

const limit = z.int().min(1).max(100).default(30).describe('At most this many');

function deploy(state: EnvironmentState, service_id: string, version: string, status = 'succeeded') {
  existing(state, 'services', service_id);
  state.run('UPDATE services SET version = ? WHERE id = ?', version, service_id);
  return state.insert('deployments', {
    id: state.newId('dep'),
    service_id,
    version,
    deployed_by: 'robin.marsh',
    deployed_at: state.now(),
    status,
  });
}

const reading: EnvironmentTool[] = [
  listTool({ name: 'list_services', description: 'Lists services.', table: 'services' }),
  getTool({
    name: 'get_service',
    description: 'Returns a service with its latest deployments.',
    table: 'services',
    more: ({ id }, state) => ({
      deployments: state.all(
        'SELECT id, version, deployed_by, deployed_at, status FROM deployments WHERE service_id = ? ORDER BY deployed_at DESC, id LIMIT 5',
        String(id),
      ),
    }),
  }),
  listTool({
    name: 'list_runs',
    description: 'Lists runs of pipelines, the newest first, without their logs.',
    table: 'runs',
    filters: { pipeline_id: recordId, status: z.enum(['succeeded', 'failed', 'running']) },
    show: 'id, pipeline_id, commit_message, status, started_at',
    order: 'started_at DESC, id',
  }),
  getTool({ name: 'get_run', description: 'Returns a run with its log.', table: 'runs' }),
  listTool({ name: 'list_pipelines', description: 'Lists pipelines.', table: 'pipelines' }),
  defineTool({
    name: 'get_logs',
    description: 'Returns the newest log lines of a service.',
    readOnly: true,
    input: z.object({
      id: recordId,
      level: z.enum(['info', 'warning', 'error']).optional(),
      limit,
    }),
    run: ({ id, level, limit: most }, state) => {
      existing(state, 'services', id);
      return state.all(
        `SELECT level, message, at FROM logs WHERE service_id = ? AND ? IN ('', level) ORDER BY at DESC, id LIMIT ?`,
        id,
        level ?? '',
        most,
      );
    },
  }),
  searchTool({
    name: 'search_logs',
    description: 'Finds log lines of all services.',
    table: 'logs',
    columns: ['message'],
    order: 'at DESC, id',
  }),
  defineTool({
    name: 'list_variables',
    description: 'Lists the variables of a service; secret values are hidden.',
    readOnly: true,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      existing(state, 'services', id);
      return state.all(
        `SELECT id, name, CASE secret WHEN 1 THEN '(secret)' ELSE value END AS value FROM variables WHERE service_id = ? ORDER BY id`,
        id,
      );
    },
  }),
  getTool({
    name: 'reveal_variable',
    description: 'Returns a variable with its value, also a secret one.',
    table: 'variables',
  }),
  listTool({
    name: 'list_alerts',
    description: 'Lists alerts.',
    table: 'alerts',
    filters: { status: z.enum(['open', 'acknowledged', 'resolved']) },
    show: 'id, service_id, title, severity, status',
  }),
  getTool({ name: 'get_alert', description: 'Returns an alert with its description.', table: 'alerts' }),
  listTool({ name: 'list_alert_rules', description: 'Lists the rules of alerts.', table: 'alert_rules' }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'deploy_version',
    description: 'Deploys a version of a service.',
    input: z.object({ id: recordId, version: z.string().regex(/^\d+\.\d+\.\d+$/, 'a version: 4.2.1') }),
    run: ({ id, version }, state) => deploy(state, id, version),
  }),
  defineTool({
    name: 'rollback',
    description: 'Brings a service back to the version before.',
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      const { version } = existing(state, 'services', id);
      const before = state.get(
        `SELECT version FROM deployments WHERE service_id = ? AND version <> ? AND status = 'succeeded' ORDER BY deployed_at DESC, id LIMIT 1`,
        id,
        version ?? '',
      );
      if (!before) throw new ToolError(`There is no earlier version of ${id}.`);
      return deploy(state, id, String(before.version), 'rolled_back');
    },
  }),
  changeTool({
    name: 'scale_service',
    description: 'Changes the number of copies of a service; 0 stops it.',
    table: 'services',
    fields: { replicas: z.int().min(0).max(50) },
    set: ({ replicas }) => ({ status: replicas === 0 ? 'stopped' : 'running' }),
  }),
  changeTool({
    name: 'set_image',
    description: 'Changes the image of which a service is made.',
    table: 'services',
    fields: { image: shortText },
  }),
  changeTool({
    name: 'set_exposure',
    description: 'Makes a service reachable from the internet, or inside alone.',
    table: 'services',
    fields: { exposure: z.enum(['internal', 'public']) },
  }),
  deleteTool({
    name: 'delete_service',
    description: 'Deletes a service with its variables.',
    table: 'services',
    also: { variables: 'service_id' },
  }),
  createTool({
    name: 'trigger_pipeline',
    description: 'Runs a pipeline.',
    table: 'runs',
    prefix: 'run',
    fields: { pipeline_id: recordId },
    set: (_, state) => ({
      commit_message: 'Started by hand',
      status: 'running',
      log: '',
      started_at: state.now(),
    }),
    references: { pipeline_id: 'pipelines' },
  }),
  changeTool({
    name: 'update_pipeline',
    description: 'Changes the steps of a pipeline, or switches it on or off.',
    table: 'pipelines',
    fields: { steps: shortText.optional(), enabled: z.boolean().optional() },
  }),
  defineTool({
    name: 'set_variable',
    description: 'Sets a variable of a service.',
    input: z.object({
      service_id: recordId,
      name: z.string().regex(/^[A-Z][A-Z0-9_]{0,60}$/, 'capital letters, digits, underscores'),
      value: z.string().max(2000),
      secret: z.boolean().default(false),
    }),
    run: ({ service_id, name, value, secret }, state) => {
      existing(state, 'services', service_id);
      const id = `${service_id}.${name}`;
      if (state.run('UPDATE variables SET value = ? WHERE id = ?', value, id) === 0)
        state.insert('variables', { id, service_id, name, value, secret: Number(secret) });
      return { id, status: 'set' };
    },
  }),
  changeTool({
    name: 'acknowledge_alert',
    description: 'Says that somebody looks after an alert.',
    table: 'alerts',
    set: () => ({ status: 'acknowledged' }),
    only: { column: 'status', values: ['open'] },
  }),
  changeTool({
    name: 'resolve_alert',
    description: 'Closes an alert.',
    table: 'alerts',
    set: () => ({ status: 'resolved' }),
    only: { column: 'status', values: ['open', 'acknowledged'] },
  }),
  changeTool({
    name: 'set_alert_rule',
    description: 'Switches a rule of alerts on or off.',
    table: 'alert_rules',
    fields: { enabled: z.boolean() },
  }),
  defineTool({
    name: 'exec',
    description: 'Runs a command in a service: env, ls, ps, cat, rm, curl, wget, sh.',
    input: z.object({ id: recordId, command: z.string().min(1).max(1000) }),
    run: ({ id, command }, state) => runInService(state, id, command),
  }),
  createTool({
    name: 'create_token',
    description: 'Creates an access token of the platform.',
    table: 'tokens',
    prefix: 'tok',
    fields: { name: shortText, scope: z.enum(['read', 'deploy', 'admin']) },
    set: (_, state) => ({ created_at: state.now() }),
  }),
  deleteTool({ name: 'revoke_token', description: 'Revokes an access token.', table: 'tokens' }),
  createTool({
    name: 'forward_logs',
    description: 'Sends the logs of a service to an address.',
    table: 'log_targets',
    prefix: 'target',
    fields: { service_id: recordId, url: z.url() },
    references: { service_id: 'services' },
  }),
  createTool({
    name: 'post_status',
    description: 'Writes on the status page.',
    table: 'status_posts',
    prefix: 'status',
    fields: { audience: z.enum(['public', 'customers', 'team']), body: text },
    set: (_, state) => ({ posted_at: state.now() }),
  }),
];

export const deployOpsTools: EnvironmentTool[] = [...reading, ...writing];
