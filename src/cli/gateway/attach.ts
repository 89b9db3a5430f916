/** `bulwark gateway attach`: a server that is registered, or one that is described on the spot. */
import type { Received } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import type { attachmentOperations } from '#services/agent-gateway/contract/attachments.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { Gateway, GatewayService } from './open.ts';

export interface AttachOptions {
  name?: string;
  http?: string;
  sse?: string;
  env: string[];
  prefix?: string;
}

/** What the command line says of the server. */
export interface Named {
  readonly words: readonly string[];
  /** Whether the words came after `--`, as those of a command do: an id that was mistyped is none. */
  readonly isCommand: boolean;
  readonly options: AttachOptions;
}

const oneServer =
  'Give one server: an id (mcp_…), --http <url>, --sse <url>, or a command after `--`, such as: bulwark gateway attach team -- npx -y @modelcontextprotocol/server-filesystem /data';

function readEnvironment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new WrongUsage(`--env ${pair.split('=', 1)[0] ?? ''}: write NAME=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** What is to be registered. */
function described({ words, isCommand, options }: Named) {
  const { http, sse } = options;
  const [command, ...args] = words;
  const given = [http, sse, command].filter((each) => each !== undefined).length;
  if (given !== 1 || (command !== undefined && !isCommand)) throw new WrongUsage(oneServer);
  const url = http ?? sse;
  if (url !== undefined) {
    if (options.env.length > 0) throw new WrongUsage('--env is for commands; a server over HTTP has none.');
    const transport = http === undefined ? ('sse' as const) : ('http' as const);
    const name = options.name ?? (URL.canParse(url) ? new URL(url).hostname : 'server');
    return { name, transport, connection_url: url };
  }
  const name = options.name ?? nameIn(words);
  const env = readEnvironment(options.env);
  return { name, transport: 'stdio' as const, command: command ?? '', args, env };
}

/** Of `npx -y @scope/server-files /data` the package is the best name. */
function nameIn(words: readonly string[]): string {
  const last = words.findLast((word) => /^@?[a-z][\w./@-]*$/i.test(word));
  return last?.split('/').at(-1) ?? 'server';
}

/** The id, where the words are one. */
function registeredIn({ words, isCommand, options: { http, sse, name } }: Named): string | undefined {
  const [first] = words;
  if (isCommand || words.length !== 1 || !first?.startsWith('mcp_')) return undefined;
  if ((http ?? sse ?? name) !== undefined)
    throw new WrongUsage(`${first} is registered already: --http, --sse and --name do not go with it.`);
  return first;
}

type Attached = Received<(typeof attachmentOperations)['attachServer']>;

/** What came of it: a server that does not answer stays attached, but for a command that was just written. */
async function settled(
  { servers, attachments }: GatewayService,
  params: { gateway_id: string; server_id: string },
  attached: Attached,
  isNewCommand: boolean,
) {
  const { problem = null } = attached;
  if (problem === null || !isNewCommand) return { ...attached, attached: true, problem };
  await attachments.detachServer({ params });
  await servers.deleteServer({ params: { server_id: params.server_id } });
  const message = `The MCP server was not attached. It does not answer: ${problem}`;
  return { ...attached, message, attached: false, problem };
}

/**
 * Registers where need be, and attaches. What was registered for nothing is taken back: a command that does not start is
 * a mistake of who wrote it, where an address may answer later.
 */
export async function attach(service: GatewayService, gateway: Gateway, named: Named) {
  const { servers, attachments } = service;
  const known = registeredIn(named);
  const { prefix } = named.options;
  const definition = known === undefined ? described(named) : undefined;
  const serverId = definition === undefined ? known : (await servers.createServer({ body: definition })).id;
  const params = { gateway_id: gateway.id, server_id: serverId ?? '' };
  try {
    const attached = await attachments.attachServer({
      params,
      body: prefix === undefined ? undefined : { tool_prefix: prefix },
    });
    return await settled(service, params, attached, definition?.transport === 'stdio');
  } catch (error) {
    if (known === undefined && error instanceof AppError)
      await servers.deleteServer({ params: { server_id: params.server_id } }).catch(() => undefined);
    throw error;
  }
}
