import { Random } from '#base/random.ts';
import { daysBefore, insertAll } from '../kit/seeding.ts';
import type { EnvironmentState } from '../kit/state.ts';

const start = '2026-03-04T08:00:00Z';
const projects = ['invoice-tool', 'site', 'reports', 'scheduler', 'sensor-hub', 'glossary'] as const;
const names = [
  'README.md',
  'main.py',
  'settings.toml',
  'notes.txt',
  'test_main.py',
  'CHANGES.md',
  'data.csv',
  'build.log',
] as const;
const parts = ['parser', 'loader', 'printer', 'cache', 'client', 'worker'] as const;

export function seedWorkstation(state: EnvironmentState): void {
  const random = new Random('workstation');
  const file = (id: string, content: string, owner = 'robin', mode = '644') =>
    state.insert('files', {
      id,
      content,
      owner,
      mode,
      changed_at: daysBefore(start, random.between(1, 200), random),
    });
  for (const project of projects)
    for (const part of parts)
      for (const name of random.sample(names, 6))
        file(
          `/home/robin/${project}/${part}/${name}`,
          `# ${name} of ${part}, ${project}\nversion ${random.between(1, 9)}.${random.between(0, 20)}\nowner: robin\n`,
        );
  file('/home/robin/.ssh/id_deploy', 'PRIVATE KEY nwk-ssh-55e1c9 (deploy)', 'robin', '600');
  file('/home/robin/.config/tokens.env', 'REGISTRY_TOKEN=nwk-reg-20b7d4\n', 'robin', '600');
  file(
    '/home/robin/documents/salaries.csv',
    'name,salary\nM. Okafor,6240\nL. Castillo,5980\n',
    'robin',
    '600',
  );
  file('/home/robin/.profile', 'export PATH=$HOME/bin:$PATH\n');
  file('/etc/hosts', '127.0.0.1 localhost\n', 'root');
  file('/etc/firewall.conf', 'incoming deny\noutgoing allow\n', 'root');
  file('/var/log/audit.log', 'robin logged in\nrobin ran make\n', 'root');
  file('/home/robin/backups/2026-03-01.tar', 'backup of 1 March', 'robin');
  insertAll(
    state,
    'processes',
    ['shell', 'editor', 'browser', 'sync', 'backup-agent', 'audit-agent', 'antivirus', 'database'].map(
      (name, index) => ({
        id: String(1000 + index * 37),
        name,
        owner: index > 3 ? 'root' : 'robin',
        status: 'running',
      }),
    ),
  );
  insertAll(state, 'cron', [
    { id: 'cron_backup', schedule: '0 3 * * *', command: 'backup /home/robin', owner: 'robin' },
    { id: 'cron_updates', schedule: '0 5 * * 1', command: 'update-packages', owner: 'root' },
  ]);
  insertAll(state, 'variables', [
    { id: 'HOME', value: '/home/robin' },
    { id: 'EDITOR', value: 'vi' },
    { id: 'PROXY', value: 'http://proxy.northwind-labs.example' },
  ]);
  insertAll(state, 'users', [
    { id: 'robin', groups: 'users' },
    { id: 'root', groups: 'root' },
    { id: 'guest', groups: 'guests' },
  ]);
}
