/** Revisions of the Model Context Protocol and how they differ. */
import { fieldsOf, type Fields } from './json-rpc.ts';

/** Legacy: sessions that begin with `initialize`. Modern: self-contained requests without sessions. */
export type Era = 'legacy' | 'modern';

export const modernVersions = ['2026-07-28'] as const;
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const modernVersion = modernVersions[0];
export const legacyVersion = legacyVersions[0];

/** Assumed for legacy requests without the version header. */
export const unnamedVersion = '2025-03-26';

export const isModernVersion = (version: unknown): boolean => modernVersions.some((each) => each === version);
export const isLegacyVersion = (version: unknown): boolean => legacyVersions.some((each) => each === version);

/** Keys of `_meta` that the protocol reserves. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Keys of `_meta` between a client and the gateway; never forwarded. */
export const ownMetaPrefix = 'bulwark/';

/** The user's task, in the user's words. */
export const taskKey = `${ownMetaPrefix}task`;

/** Keys of `_meta` that carry a trace context (W3C Trace Context). */
export const traceKeys = ['traceparent', 'tracestate', 'baggage'] as const;

export const metaOf = (params: Fields | undefined): Fields => fieldsOf(params?.['_meta']);

/** Requests that a server may send to its client, and the client capability that each requires. */
export const clientMethods: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** The field of `params` that the header `Mcp-Name` repeats, by method. */
export const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** Whether a message of `level` reaches the minimum level `wanted`. */
export const levelReaches = (level: unknown, wanted: string): boolean =>
  logLevels.findIndex((each) => each === level) >= logLevels.findIndex((each) => each === wanted);

const listKeys: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** The field of a list result that contains its items. */
export const listKeyOf = (method: string): string | undefined => listKeys[method];

/** Whether a modern result carries `ttlMs` and `cacheScope`. */
export const isCacheable = (method: string): boolean => method in listKeys || method === 'resources/read';
