/** MCP configurations, as clients keep them: which servers, and what their definitions alone already say. */
export interface ServerConfig {
  url?: string | undefined;
  transport?: 'http' | 'sse' | undefined;
  headers: Record<string, string>;
  command?: string | undefined;
  args: string[];
  env: Record<string, string>;
  allowNetwork: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(
            ([, each]) => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean',
          )
          .map(([name, each]) => [name, String(each)]),
      )
    : {};

/** A configuration's servers: `mcpServers`, `mcp.servers` or `servers`; undefined for what is none. */
export function serversIn(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const { mcpServers, mcp, servers } = value;
  if (isObject(mcpServers)) return mcpServers;
  if (isObject(mcp) && isObject(mcp['servers'])) return mcp['servers'];
  return isObject(servers) &&
    Object.values(servers).every((each) => isObject(each) && ('url' in each || 'command' in each))
    ? servers
    : undefined;
}

const transports: Readonly<Record<string, 'http' | 'sse' | 'stdio'>> = {
  sse: 'sse',
  http: 'http',
  stdio: 'stdio',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
};

const isTextList = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isWebAddress = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

/** What is wrong with a definition; undefined where nothing is. */
function faultOf({ url, command, args, transport, type }: Record<string, unknown>): string | undefined {
  const [hasUrl, hasCommand] = [typeof url === 'string', typeof command === 'string'];
  if (hasUrl === hasCommand)
    return hasUrl ? "has both 'url' and 'command'; give one" : "needs 'url' or 'command'";
  if (args !== undefined && !isTextList(args)) return "has 'args' that are no list of texts";
  const kind = transport ?? type;
  if (typeof kind === 'string' && transports[kind.toLowerCase()] === undefined)
    return "has a 'transport' that is neither sse nor http";
  return typeof url === 'string' && !isWebAddress(url)
    ? "has a 'url' that is no http:// or https:// address"
    : undefined;
}

/** As the definition says, else as its address looks; undefined where it must be found out. */
function transportOf(url: string, kind: unknown): 'http' | 'sse' | undefined {
  const named = typeof kind === 'string' ? transports[kind.toLowerCase()] : undefined;
  if (named === 'http' || named === 'sse') return named;
  return /\/sse\/?(?:\?|$)/.test(url) ? 'sse' : undefined;
}

/** One server's definition, or why it is none. */
export function readServerConfig(value: unknown): ServerConfig | string {
  if (!isObject(value)) return 'is no object';
  const fault = faultOf(value);
  if (fault !== undefined) return fault;
  const { url, command, args, transport, type } = value;
  return {
    ...(typeof url === 'string' && { url, transport: transportOf(url, transport ?? type) }),
    headers: texts(value['headers']),
    ...(typeof command === 'string' && { command }),
    args: Array.isArray(args) ? (args as string[]) : [],
    env: texts(value['env']),
    allowNetwork: value['allow_network'] === true,
  };
}
