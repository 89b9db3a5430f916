/** `bulwark gateway attach`: a server that is registered, or one that is described on the spot. */
import { AppError, invalid } from '#base/errors.ts';
import type { Gateway, GatewayService } from './open.ts';

export interface AttachOptions {
  name?: string;
  http?: string;
  sse?: string;
  env: string[];
  prefix?: string;
}

const registeredId = /^mcp_[\w-]{24}$/;

function readEnvironment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw invalid(`--env ${pair.split('=', 1)[0] ?? ''}: write NAME=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** What is to be registered. */
function described(words: readonly string[], options: AttachOptions) {
  const { http, sse } = options;
  const [command, ...args] = words;
  if ([http, sse, command].filter((each) => each !== undefined).length !== 1)
    throw invalid(
      'Give one server: an id (mcp_…), --http <url>, --sse <url>, or a command after `--`, such as: bulwark gateway attach team -- npx -y @modelcontextprotocol/server-filesystem /data',
    );
  const url = http ?? sse;
  if (url !== undefined) {
    if (options.env.length > 0) throw invalid('--env is for commands; a server over HTTP has none.');
    const transport = http === undefined ? ('sse' as const) : ('http' as const);
    const name = options.name ?? (URL.canParse(url) ? new URL(url).hostname : 'server');
    return { name, transport, connection_url: url };
  }
  // Of `npx -y @scope/server-files /data` the package is the best name.
  const lastName = [command, ...args].findLast(
    (word) => word !== undefined && /^@?[a-z][\w./@-]*$/i.test(word),
  );
  const name = options.name ?? lastName?.split('/').at(-1) ?? 'server';
  const env = readEnvironment(options.env);
  return { name, transport: 'stdio' as const, command: command ?? '', args, env };
}

/** The id, where the words are one. */
function registeredIn(words: readonly string[], { http, sse, name }: AttachOptions): string | undefined {
  const [first] = words;
  if (words.length !== 1 || first === undefined || !registeredId.test(first)) return undefined;
  if ((http ?? sse ?? name) !== undefined)
    throw invalid(`${first} is registered already: --http, --sse and --name do not go with it.`);
  return first;
}

/** Registers where need be, and attaches. What was registered for nothing is taken back. */
export async function attach(
  { servers, attachments }: GatewayService,
  gateway: Gateway,
  { words, options }: { words: readonly string[]; options: AttachOptions },
) {
  const known = registeredIn(words, options);
  const serverId = known ?? (await servers.createServer({ body: described(words, options) })).id;
  try {
    return await attachments.attachServer({
      params: { gateway_id: gateway.id, server_id: serverId },
      body: options.prefix === undefined ? undefined : { tool_prefix: options.prefix },
    });
  } catch (error) {
    if (known === undefined && error instanceof AppError)
      await servers.deleteServer({ params: { server_id: serverId } }).catch(() => undefined);
    throw error;
  }
}
