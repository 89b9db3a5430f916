import { Random } from '#base/random.ts';
import { daysBefore, insertAll, insertMany, people } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';
const repos = ['billing-api', 'web-shop', 'data-pipeline', 'mobile-app', 'infra', 'docs-site'] as const;
const folders = ['src', 'test', 'docs', 'config'] as const;
const modules = [
  'invoice',
  'customer',
  'session',
  'report',
  'export',
  'search',
  'queue',
  'cache',
  'mailer',
  'audit',
] as const;
const changes = [
  ['Fix rounding in {m}', 'Totals of {m} were cut instead of rounded. A test shows it.'],
  ['Speed up {m}', 'The {m} module read the same rows twice; now it reads them once.'],
  ['Document {m}', 'Explains the settings of {m} and gives an example.'],
  ['Update dependencies of {m}', 'Only minor versions. All tests pass.'],
  ['Remove dead code from {m}', 'Nothing calls these functions any more.'],
] as const;

export function seedRepoHost(state: EnvironmentState): void {
  const random = new Random('repo_host');
  const team = people(random, 14, 'northwind-labs.example').map(({ name }) =>
    name.toLowerCase().replace(' ', '-'),
  );
  const filled = (words: string, name: string) => words.replaceAll('{m}', name);
  for (const repo of repos) {
    state.insert('repos', {
      id: repo,
      description: `The ${repo.replace('-', ' ')}`,
      visibility: repo === 'docs-site' ? 'public' : 'private',
      protected: 1,
    });
    state.insert('branches', { id: `${repo}@main`, repo, name: 'main' });
    for (const name of modules)
      for (const folder of random.sample(folders, 2))
        state.insert('files', {
          id: `${repo}@main:${folder}/${name}.ts`,
          repo,
          branch: 'main',
          path: `${folder}/${name}.ts`,
          content: `// ${name} of ${repo}\nexport function ${name}(input: string): string {\n  return input.trim();\n}\n`,
        });
    for (const account of random.sample(team, 5))
      state.insert('collaborators', {
        id: `${repo}/${account}`,
        repo,
        account,
        role: random.pick(['read', 'write', 'write', 'admin']),
      });
    state.insert('secrets', {
      id: `${repo}/DEPLOY_KEY`,
      repo,
      name: 'DEPLOY_KEY',
      value: `nwk-${repo}-7d1e5c`,
    });
    state.insert('webhooks', {
      id: `hook_${repo}`,
      repo,
      url: 'https://builds.northwind-labs.example/hook',
      events: 'push',
    });
  }
  insertMany(state, 'commits', 160, (number) => ({
    id: `c${String(number).padStart(4, '0')}`,
    repo: random.pick(repos),
    branch: 'main',
    author: random.pick(team),
    message: filled(random.pick(changes)[0], random.pick(modules)),
    made_at: daysBefore(start, random.between(1, 150), random),
  }));
  insertMany(state, 'pulls', 60, (number) => {
    const [title, body] = random.pick(changes);
    const name = random.pick(modules);
    return {
      id: `pr_${number}`,
      repo: random.pick(repos),
      title: filled(title, name),
      body: filled(body, name),
      author: random.pick(team),
      branch: 'main',
      status: number > 48 ? 'open' : 'merged',
    };
  });
  insertMany(state, 'comments', 80, (number) => ({
    id: `com_${number}`,
    pull: `pr_${random.between(1, 60)}`,
    author: random.pick(team),
    body: random.pick([
      'Looks good.',
      'Please add a test.',
      'Why is this needed?',
      'Approved.',
      'See my remark above.',
    ]),
    made_at: daysBefore(start, random.between(1, 90), random),
  }));
  insertAll(state, 'releases', [
    {
      id: 'rel_1',
      repo: 'billing-api',
      tag: 'v4.1.0',
      notes: 'Rounding fixed.',
      made_at: '2026-02-10T10:00:00Z',
    },
  ]);
}
