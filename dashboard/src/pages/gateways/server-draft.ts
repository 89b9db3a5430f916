import type { McpServer } from '../../api/agent-gateway.ts';
import { commandLineOf, readCommandLine } from './command-line.ts';

export interface Variable {
  /** Keeps its field while others are removed. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** What the form of a server holds. */
export interface ServerDraft {
  readonly name: string;
  readonly transport: McpServer['transport'];
  readonly url: string;
  /** The whole line: the program and its arguments. */
  readonly line: string;
  readonly variables: readonly Variable[];
}

/** What was typed or pasted as “URL or command” decides how the server is reached. */
export const placeOf = (text: string, { transport }: ServerDraft): Partial<ServerDraft> =>
  /^\s*https?:/iu.test(text)
    ? { transport: transport === 'sse' ? 'sse' : 'http', url: text.trim(), line: '' }
    : { transport: 'stdio', url: '', line: text };

export const newDraft: ServerDraft = { name: '', transport: 'stdio', url: '', line: '', variables: [] };

export const draftOf = ({
  name,
  transport,
  connection_url: url,
  command,
  args,
  env,
}: McpServer): ServerDraft => ({
  name,
  transport,
  url: url ?? '',
  line: command === null ? '' : commandLineOf([command, ...args]),
  variables: Object.entries(env).map(([variable, value], key) => ({ key, name: variable, value })),
});

export const nextKey = (variables: readonly Variable[]): number =>
  Math.max(-1, ...variables.map(({ key }) => key)) + 1;

/** Whether the draft can be sent. */
export const isComplete = ({ name, transport, url, line }: ServerDraft): boolean => {
  if (name.trim() === '') return false;
  if (transport !== 'stdio') return url.trim() !== '';
  const { command, problem } = readCommandLine(line);
  return command !== '' && problem === undefined;
};

/** Values that are shown as `********` are sent back, which keeps them. */
export const bodyOf = ({ name, transport, url, line, variables }: ServerDraft) => {
  if (transport !== 'stdio')
    return { name, transport, connection_url: url, command: null, args: null, env: null };
  const { command, args } = readCommandLine(line);
  const env = Object.fromEntries(
    variables.filter((variable) => variable.name !== '').map((variable) => [variable.name, variable.value]),
  );
  return { name, transport, connection_url: null, command, args: [...args], env };
};

/** The address of a server, or its command. */
export const addressOf = ({
  connection_url: url,
  command,
  args,
}: Pick<McpServer, 'connection_url' | 'command' | 'args'>): string =>
  url ?? commandLineOf([command ?? '', ...args]);
