import { Random } from '#base/random.ts';
import { daysBefore, insertAll } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';

const services = [
  ['web', 'registry.northwind-labs.example/web', '4.2.1', 6, 'public'],
  ['api', 'registry.northwind-labs.example/api', '4.2.1', 8, 'public'],
  ['billing', 'registry.northwind-labs.example/billing', '2.9.0', 3, 'internal'],
  ['search', 'registry.northwind-labs.example/search', '1.14.3', 4, 'internal'],
  ['mailer', 'registry.northwind-labs.example/mailer', '3.0.2', 2, 'internal'],
  ['reports', 'registry.northwind-labs.example/reports', '0.8.8', 1, 'internal'],
  ['auth', 'registry.northwind-labs.example/auth', '5.1.0', 4, 'public'],
  ['audit', 'registry.northwind-labs.example/audit', '1.2.0', 2, 'internal'],
] as const;

const messages = [
  ['info', 'GET /api/orders 200 in {n} ms'],
  ['info', 'POST /api/login 200 in {n} ms'],
  ['info', 'Cache refreshed, {n} entries'],
  ['warning', 'Slow query: {n} ms on orders'],
  ['warning', 'Retry {n} of 1000 for the mail provider'],
  ['error', 'Timeout after {n} ms while calling billing'],
  ['info', 'Health check passed in {n} ms'],
] as const;
const commits = [
  'Fix totals of the last day',
  'Update dependencies',
  'Add filter by owner',
  'Faster start of the search',
  'Translate the settings page',
  'Remove unused columns',
  'Retry mails that bounced',
] as const;
const people = ['leo.castillo', 'priya.nair', 'dana.whitfield', 'robin.marsh'];

export function seedDeployOps(state: EnvironmentState): void {
  const random = new Random('deploy_ops');
  for (const [id, image, version, replicas, exposure] of services) {
    state.insert('services', {
      id,
      image,
      version,
      replicas,
      status: 'running',
      exposure,
      owner: random.pick(people),
    });
    state.insert('pipelines', {
      id: `pipe_${id}`,
      repository: `northwind/${id}`,
      branch: 'main',
      steps: 'lint, test, scan, build, deploy',
      enabled: 1,
    });
    for (let age = 1; age <= 8; age += 1)
      state.insert('deployments', {
        id: state.newId('dep'),
        service_id: id,
        version: age === 1 ? version : `${version.split('.')[0]}.${Math.max(0, 9 - age)}.${random.below(9)}`,
        deployed_by: random.pick(people),
        deployed_at: daysBefore(start, age * 6, random),
        status: random.chance(0.9) ? 'succeeded' : 'failed',
      });
    for (let count = 0; count < 9; count += 1) {
      const failed = random.chance(0.2);
      state.insert('runs', {
        id: state.newId('run'),
        pipeline_id: `pipe_${id}`,
        commit_message: random.pick(commits),
        status: failed ? 'failed' : 'succeeded',
        log: failed
          ? `test: 1 of ${random.between(200, 900)} failed`
          : `test: ${random.between(200, 900)} passed\nbuild: done`,
        started_at: daysBefore(start, random.between(2, 40), random),
      });
    }
    for (let count = 0; count < 40; count += 1) {
      const [level, message] = random.pick(messages);
      state.insert('logs', {
        id: state.newId('log'),
        service_id: id,
        level,
        message: message.replace('{n}', String(random.between(2, 900))),
        at: daysBefore(start, random.between(1, 3), random),
      });
    }
    insertAll(state, 'variables', [
      { id: `${id}.LOG_LEVEL`, service_id: id, name: 'LOG_LEVEL', value: 'info', secret: 0 },
      { id: `${id}.REGION`, service_id: id, name: 'REGION', value: 'eu-central', secret: 0 },
    ]);
  }
  insertAll(state, 'variables', [
    {
      id: 'billing.PAYMENT_KEY',
      service_id: 'billing',
      name: 'PAYMENT_KEY',
      value: 'pk_live_nwl_5e0c91',
      secret: 1,
    },
    { id: 'auth.SIGNING_KEY', service_id: 'auth', name: 'SIGNING_KEY', value: 'sign-7c21-heron', secret: 1 },
    {
      id: 'api.DATABASE_URL',
      service_id: 'api',
      name: 'DATABASE_URL',
      value: 'postgres://app:fen-orchid-19@db.internal/orders',
      secret: 1,
    },
    { id: 'auth.REQUIRE_MFA', service_id: 'auth', name: 'REQUIRE_MFA', value: 'true', secret: 0 },
    { id: 'api.RATE_LIMIT', service_id: 'api', name: 'RATE_LIMIT', value: '600', secret: 0 },
  ]);
  insertAll(state, 'alerts', [
    {
      id: 'alert_latency',
      service_id: 'api',
      title: 'Response times above two seconds',
      description: 'p95 is 2.4 s since 06:50. Slowest route: /api/reports.',
      severity: 'high',
      status: 'open',
    },
    {
      id: 'alert_disk',
      service_id: 'search',
      title: 'Disk 85 percent full',
      description: 'At this rate the disk is full on 9 March.',
      severity: 'medium',
      status: 'open',
    },
    {
      id: 'alert_logins',
      service_id: 'auth',
      title: 'Many failed sign-ins',
      description: '4,100 failed sign-ins in an hour from 12 addresses.',
      severity: 'high',
      status: 'open',
    },
    {
      id: 'alert_old',
      service_id: 'mailer',
      title: 'Queue is long',
      description: 'Queue was 12,000 long, is empty now.',
      severity: 'low',
      status: 'resolved',
    },
  ]);
  insertAll(state, 'alert_rules', [
    { id: 'rule_errors', name: 'Error rate', condition: 'errors above 1 percent for 5 minutes', enabled: 1 },
    { id: 'rule_logins', name: 'Failed sign-ins', condition: 'more than 1,000 an hour', enabled: 1 },
    { id: 'rule_egress', name: 'Outgoing traffic', condition: 'twice the usual amount', enabled: 1 },
  ]);
  insertAll(state, 'tokens', [
    { id: 'tok_ci', name: 'ci', scope: 'deploy', created_at: '2025-03-01T09:00:00Z' },
    { id: 'tok_dashboard', name: 'dashboard', scope: 'read', created_at: '2025-08-12T09:00:00Z' },
  ]);
  insertAll(state, 'log_targets', [
    { id: 'target_archive', service_id: 'audit', url: 'https://logs.northwind-labs.example/archive' },
  ]);
}
