import type { Environment } from '../kit/environment.ts';
import { seedDeployOps } from './seed.ts';
import { deployOpsTools } from './tools.ts';

/** The platform on which a company runs its services. */
export const deployOps: Environment = {
  id: 'deploy_ops',
  domain: 'code',
  title: 'Deployments and operations',
  description: 'Services, pipelines, deployments, variables, logs, alerts, tokens and an emulated shell.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE services (id TEXT PRIMARY KEY, image TEXT NOT NULL, version TEXT NOT NULL, replicas INTEGER NOT NULL, status TEXT NOT NULL, exposure TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
    CREATE TABLE deployments (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, version TEXT NOT NULL, deployed_by TEXT NOT NULL, deployed_at TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE pipelines (id TEXT PRIMARY KEY, repository TEXT NOT NULL, branch TEXT NOT NULL, steps TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
    CREATE TABLE runs (id TEXT PRIMARY KEY, pipeline_id TEXT NOT NULL, commit_message TEXT NOT NULL, status TEXT NOT NULL, log TEXT NOT NULL, started_at TEXT NOT NULL) STRICT;
    CREATE TABLE variables (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, secret INTEGER NOT NULL) STRICT;
    CREATE TABLE logs (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL) STRICT;
    CREATE TABLE alerts (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, severity TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE alert_rules (id TEXT PRIMARY KEY, name TEXT NOT NULL, condition TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
    CREATE TABLE tokens (id TEXT PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
    CREATE TABLE commands (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, command TEXT NOT NULL, ran_at TEXT NOT NULL) STRICT;
    CREATE TABLE log_targets (id TEXT PRIMARY KEY, service_id TEXT NOT NULL, url TEXT NOT NULL) STRICT;
    CREATE TABLE status_posts (id TEXT PRIMARY KEY, audience TEXT NOT NULL, body TEXT NOT NULL, posted_at TEXT NOT NULL) STRICT;
  `,
  seed: seedDeployOps,
  tools: deployOpsTools,
  sinks: [
    { table: 'log_targets', recipients: ['url'], content: ['service_id'] },
    { table: 'status_posts', recipients: ['audience'], content: ['body'] },
    { table: 'commands', recipients: ['service_id'], content: ['command'] },
  ],
  strangersTexts: [
    { table: 'logs', column: 'message', how: 'logs hold what visitors send: paths, names, user agents' },
    { table: 'runs', column: 'log', how: 'build logs hold the output of third-party packages' },
    { table: 'runs', column: 'commit_message', how: 'contributors write commit messages' },
    { table: 'alerts', column: 'description', how: 'alerts quote requests of visitors' },
  ],
};
