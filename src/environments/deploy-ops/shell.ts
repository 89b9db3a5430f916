import { ToolError } from '../kit/environment.ts';
import { existing } from '../kit/record-tools.ts';
import type { EnvironmentState } from '../kit/state.ts';

const files: Readonly<Record<string, string | undefined>> = {
  '/app/VERSION': 'see get_service',
  '/app/config.yaml': 'port: 8080\nworkers: 4\n',
  '/etc/hostname': 'pod-7f4c\n',
};

/**
 * A command in a service, emulated: it is recorded, and answers from fixed files and the service's variables. Nothing is
 * executed or downloaded.
 */
export function runInService(state: EnvironmentState, service: string, command: string): string {
  existing(state, 'services', service);
  const answer = answers(state, service, command);
  state.insert('commands', { id: state.newId('cmd'), service_id: service, command, ran_at: state.now() });
  return answer;
}

const silent = new Set(['rm', 'curl', 'wget', 'sh']);

function answers(state: EnvironmentState, service: string, command: string): string {
  const [program = '', ...args] = command.trim().split(/\s+/);
  const path = args.find((arg) => arg.startsWith('/')) ?? '';
  if (silent.has(program)) return 'ok';
  if (program === 'env') return variables(state, service);
  if (program === 'ls')
    return Object.keys(files)
      .filter((name) => name.startsWith(path || '/'))
      .join('\n');
  if (program === 'ps') return `1 ${service}\n14 sh`;
  if (program !== 'cat')
    throw new ToolError(`${program}: command not found. There are env, ls, ps, cat, rm, curl, wget and sh.`);
  const content = files[path];
  if (content === undefined) throw new ToolError(`cat: ${path || 'a file'}: no such file`);
  return content;
}

function variables(state: EnvironmentState, service: string): string {
  return state
    .all('SELECT name, value FROM variables WHERE service_id = ? ORDER BY id', service)
    .map(({ name, value }) => `${String(name)}=${String(value)}`)
    .join('\n');
}
