/** MCP configurations, as clients keep them: which servers, and what their definitions alone already say. */
import { parse, type ParseError } from 'jsonc-parser';
import { variablesIn } from './variables.ts';

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

/** A field that is null is one that was not given. */
export const withoutNulls = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));

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

/** A configuration with the comments and trailing commas that clients accept; undefined for what is none. */
export function parseConfiguration(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

/** Servers of single projects, as Claude Code keeps them beside those of the user: named after project and server. */
function ofProjects(projects: unknown): Record<string, unknown> {
  if (!isObject(projects)) return {};
  return Object.fromEntries(
    Object.entries(projects).flatMap(([project, settings]) =>
      isObject(settings) && isObject(settings['mcpServers'])
        ? Object.entries(settings['mcpServers']).map(([name, server]) => [`${name} (${project})`, server])
        : [],
    ),
  );
}

const isServer = (value: unknown): boolean =>
  isObject(value) && ['url', 'command', 'serverUrl', 'httpUrl'].some((name) => name in value);

/**
 * A configuration's servers: `mcpServers` (with those of `projects`), `mcp.servers`, `servers`, `context_servers` or
 * `mcp_servers`; undefined for what is none.
 */
export function serversIn(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const { mcpServers, mcp, servers, context_servers: ofZed, mcp_servers: ofCodex } = value;
  const own = ofProjects(value['projects']);
  if (isObject(mcpServers) || Object.keys(own).length > 0)
    return { ...(isObject(mcpServers) ? mcpServers : {}), ...own };
  if (isObject(mcp) && isObject(mcp['servers'])) return mcp['servers'];
  if (isObject(ofZed)) return ofZed;
  if (isObject(ofCodex)) return ofCodex;
  return isObject(servers) && Object.values(servers).every(isServer) ? servers : undefined;
}

/** Headers as Codex keeps them: as they stand, by the name of a variable, and a bearer token by that of one. */
function headersOfCodex(value: Record<string, unknown>): Record<string, string> {
  const { http_headers: plain, env_http_headers: named, bearer_token_env_var: token } = value;
  return {
    ...texts(plain),
    ...Object.fromEntries(Object.entries(texts(named)).map(([name, variable]) => [name, `\${${variable}}`])),
    ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
  };
}

/** The definition in the names of most clients: Windsurf says `serverUrl`, Gemini `httpUrl`, Zed nests the command. */
export function inCommonNames(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { serverUrl, httpUrl, command } = value;
  const nested = isObject(command) ? { ...command, command: command['path'] } : {};
  return {
    ...value,
    headers: { ...headersOfCodex(value), ...texts(value['headers']) },
    ...(value['url'] === undefined && serverUrl !== undefined && { url: serverUrl }),
    ...(value['url'] === undefined && httpUrl !== undefined && { url: httpUrl, transport: 'http' }),
    ...nested,
  };
}

const transports: ReadonlyMap<unknown, 'http' | 'sse' | 'stdio'> = new Map([
  ['sse', 'sse'],
  ['http', 'http'],
  ['stdio', 'stdio'],
  ['streamable-http', 'http'],
  ['streamablehttp', 'http'],
  ['streamable_http', 'http'],
]);

/** Undefined for what is no transport. */
export const transportKind = (name: unknown): 'http' | 'sse' | 'stdio' | undefined =>
  typeof name === 'string' ? transports.get(name.toLowerCase()) : undefined;

const isTextList = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
/** Which server it is depends on a variable. */
const variableHost = /^https?:\/\/[^/?#]*\$\{/i;
const isWebAddress = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url);

/** What is wrong with a definition; undefined where nothing is. */
function faultOf({ url, command, args, transport, type }: Record<string, unknown>): string | undefined {
  const [hasUrl, hasCommand] = [typeof url === 'string', typeof command === 'string'];
  if (hasUrl === hasCommand)
    return hasUrl ? "has both 'url' and 'command'; give one" : "needs 'url' or 'command'";
  if (args !== undefined && !isTextList(args)) return "has 'args' that are no list of texts";
  const kind = transport ?? type;
  if (typeof kind === 'string' && transportKind(kind) === undefined)
    return "has a 'transport' that is neither sse nor http";
  if (typeof url !== 'string' || (isWebAddress(url) && !variableHost.test(url))) return undefined;
  const variables = variablesIn(url);
  return variables.length === 0
    ? "has a 'url' that is no http:// or https:// address"
    : `has a 'url' with ${variables.join(', ')}, which is not expanded; put the address there`;
}

/** As the definition says, else as its address looks; undefined where it must be found out. */
function transportOf(url: string, kind: unknown): 'http' | 'sse' | undefined {
  const named = transportKind(kind);
  if (named === 'http' || named === 'sse') return named;
  return /\/sse\/?(?:\?|$)/.test(url) ? 'sse' : undefined;
}

/** One server's definition, or why it is none. */
export function readServerConfig(given: unknown): ServerConfig | string {
  if (!isObject(given)) return 'is no object';
  const value = withoutNulls(inCommonNames(withoutNulls(given)) as Record<string, unknown>);
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
