/** What a server says that it offers: asked twice, and under two names. Nothing that it offers is called. */
import { AppError } from '#base/errors.ts';
import { unusedId } from '#base/processes/sandbox-launch.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import type { Observation } from '#findings/finding.ts';
import type { Connection } from '#mcp/connection.ts';
import { fieldsOf, isFields, RpcError, type Fields } from '#mcp/json-rpc.ts';
import { listKeyOf } from '#mcp/protocol.ts';
import { hashesOf } from '../scanning/hashes.ts';
import type { ScannedTool } from '../scanning/result.ts';
import { ScanFailure } from '../scanning/scan-project.ts';
import { dial, NeedsAuth, type DialDeps } from './dial.ts';
import { startAdvice } from './start-advice.ts';

export interface ListedServer {
  tools: ScannedTool[];
  /** Other definitions of the later lists: what agents get may be these. */
  variants: ScannedTool[];
  observations: Observation[];
  server: Record<string, unknown>;
  notes: string[];
}

const mostItems = 2000;
const mostPages = 100;
const mostBytes = 5 * 1024 * 1024;

interface ListState {
  bytes: number;
  notes: string[];
}

/** The objects of an answered list; what is none is told. @throws ScanFailure where there is no list of tools */
function itemsOf(listed: unknown, method: string, { notes }: ListState): Fields[] {
  if (!Array.isArray(listed)) {
    const key = listKeyOf(method) ?? '';
    const said = `The server answered ${method} without a list: '${key}' is ${listed === undefined ? 'missing' : 'no list'}`;
    if (method === 'tools/list') throw new ScanFailure(`${said}. Nothing is known of its tools.`);
    notes.push(`${said}.`);
    return [];
  }
  const items = listed.filter(isFields);
  if (items.length < listed.length)
    notes.push(
      `${method} gave ${listed.length - items.length} entries that are no objects; they were not read.`,
    );
  return items;
}

async function listOne(
  connection: Connection,
  method: string,
  timeoutMs: number,
  state: ListState,
  signal: AbortSignal | undefined,
): Promise<Fields[]> {
  const items: Fields[] = [];
  let cursor: unknown;
  const seen = new Set<unknown>();
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await connection.request({ method, params, timeoutMs, signal });
    const listed = result[listKeyOf(method) ?? ''];
    items.push(...itemsOf(listed, method, state));
    state.bytes += JSON.stringify(listed ?? null).length;
    cursor = result['nextCursor'];
    if (state.bytes > mostBytes || items.length > mostItems) {
      state.notes.push(
        `${method} gave more than ${mostItems} items or ${mostBytes} bytes; the rest was not read.`,
      );
      break;
    }
    if (typeof cursor !== 'string' || cursor === '' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return items.slice(0, mostItems);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function toTool(item: Fields, kind: ScannedTool['kind']): ScannedTool {
  const tool = {
    kind,
    name: (text(item['name']) || text(item['uri']) || text(item['uriTemplate'])).slice(0, 1000),
    description: text(item['description']).slice(0, 100_000),
    title: text(item['title']) || text(fieldsOf(item['annotations'])['title']) || undefined,
    inputSchema: item['inputSchema'] ?? item['arguments'],
    outputSchema: item['outputSchema'],
    annotations: item['annotations'],
  };
  return { ...tool, hashes: hashesOf(tool) };
}

const lists = [
  ['tools', 'tools/list', 'tool'],
  ['prompts', 'prompts/list', 'prompt'],
  ['resources', 'resources/list', 'resource'],
  ['resources', 'resources/templates/list', 'resource'],
] as const;

async function listAll(connection: Connection, timeoutMs: number, signal: AbortSignal | undefined) {
  const state: ListState = { bytes: 0, notes: [] };
  const tools: ScannedTool[] = [];
  for (const [capability, method, kind] of lists) {
    if (connection.capabilities[capability] === undefined) continue;
    try {
      tools.push(
        ...(await listOne(connection, method, timeoutMs, state, signal)).map((item) => toTool(item, kind)),
      );
    } catch (error) {
      // Many servers announce resources and have no templates.
      if (!(error instanceof RpcError) || kind === 'tool') throw error;
    }
  }
  const { instructions } = connection;
  if (instructions !== undefined && instructions.trim() !== '') {
    const tool = {
      kind: 'instructions' as const,
      name: 'instructions',
      description: instructions.slice(0, 100_000),
    };
    tools.push({ ...tool, hashes: hashesOf(tool) });
  }
  const named = tools.filter(({ name }) => name !== '');
  if (named.length < tools.length)
    state.notes.push(`${tools.length - named.length} entries have no name and were not judged.`);
  return { tools: named, notes: state.notes };
}

const keyOf = ({ kind, name, hashes }: ScannedTool) => `${kind} ${name} ${Object.values(hashes).join()}`;

/** Names of the tools whose definitions differ between two lists. */
export function differing(a: readonly ScannedTool[], b: readonly ScannedTool[]): string[] {
  const [inA, inB] = [new Set(a.map(keyOf)), new Set(b.map(keyOf))];
  return [
    ...new Set([
      ...a.filter((each) => !inB.has(keyOf(each))).map(({ name }) => name),
      ...b.filter((each) => !inA.has(keyOf(each))).map(({ name }) => name),
    ]),
  ];
}

const changeObservation = (
  rule: string,
  title: string,
  names: readonly string[],
  how: string,
  severity: Observation['severity'],
): Observation => ({
  rule,
  title,
  description: `${names.slice(0, 10).join(', ')} ${how}. What was looked at is not what every agent gets.`,
  severity,
  confidence: 'high',
  subject: names[0] ?? '',
  remedy:
    'Do not attach this server until its publisher has explained it; pin its tools in the gateway (pin_tools: block).',
  tags: ['server'],
  frameworks: [
    { framework: 'owasp-mcp', id: 'MCP03:2025' },
    { framework: 'cwe', id: 'CWE-345' },
  ],
});

/** The second name is that of a client that servers know, as one that changes its tools for scanners would tell. */
const clientNames = ['bulwark-mcp-scan', 'Visual Studio Code'] as const;

async function look(
  config: ServerConfig,
  deps: DialDeps,
  {
    token,
    clientName,
    times,
    signal,
  }: { token: string | undefined; clientName: string; times: number; signal: AbortSignal | undefined },
) {
  await using connection = await dial(config, deps, { clientName, token });
  const rounds: ScannedTool[][] = [];
  const notes: string[] = [];
  for (let round = 0; round < times; round += 1) {
    signal?.throwIfAborted();
    const listed = await listAll(connection, deps.connectTimeoutMs, signal);
    rounds.push(listed.tools);
    notes.push(...listed.notes);
  }
  const { era, version, serverInfo, capabilities } = connection;
  return {
    rounds,
    notes,
    server: {
      era,
      protocol_version: version,
      server_info: serverInfo,
      capabilities: Object.keys(capabilities),
    },
  };
}

const nothingThere =
  "there is no MCP server at this address, which answered 404 (not found). Check the path of its 'url'.";

const explained = (error: unknown, advice: string | undefined): never => {
  if (error instanceof AppError && /\banswered 404\b/.test(error.message))
    throw new ScanFailure(`The server could not be listed: ${nothingThere}`, { cause: error });
  if (error instanceof AppError || error instanceof RpcError)
    throw new ScanFailure(
      `The server could not be listed: ${error.message}${advice === undefined ? '' : ` ${advice}`}`,
      { cause: error },
    );
  throw error;
};

/** What later lists have and the first one has not, each definition once. */
function variantsOf(tools: readonly ScannedTool[], later: readonly ScannedTool[]): ScannedTool[] {
  const known = new Set(tools.map(keyOf));
  return later.filter((tool) => {
    const isNew = !known.has(keyOf(tool));
    known.add(keyOf(tool));
    return isNew;
  });
}

const baitOf = (changed: readonly string[]): Observation[] =>
  changed.length === 0
    ? []
    : [
        changeObservation(
          'server-bait-and-switch',
          'The server shows other tools to other clients',
          changed,
          'differ between two clients',
          'critical',
        ),
      ];

/** The list for another client; undefined where it cannot be had. */
async function lookAsOther(
  config: ServerConfig,
  deps: DialDeps,
  asking: { token: string | undefined; signal: AbortSignal | undefined },
): Promise<ScannedTool[] | undefined> {
  try {
    const { rounds } = await look(config, deps, { ...asking, clientName: clientNames[1], times: 1 });
    return rounds[0] ?? [];
  } catch (error) {
    if (error instanceof NeedsAuth) throw error;
    return undefined;
  }
}

/**
 * Connects twice, lists three times, and disconnects.
 * @throws NeedsAuth where the server wants a token, ScanFailure where it cannot be listed
 */
export async function listServer(
  config: ServerConfig,
  given: DialDeps,
  {
    token,
    isThorough = true,
    signal,
  }: { token?: string | undefined; isThorough?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<ListedServer> {
  const deps = { ...given, sandboxUser: unusedId() };
  const first = await look(config, deps, {
    token,
    clientName: clientNames[0],
    times: isThorough ? 2 : 1,
    signal,
  }).catch((error: unknown) => explained(error, startAdvice(config, deps)));
  const [tools = [], again = tools] = first.rounds;
  const observations: Observation[] = [];
  const notes = [...first.notes];
  const later = [...again];
  const unstable = differing(tools, again);
  if (unstable.length > 0)
    observations.push(
      changeObservation(
        'server-unstable-list',
        'The server changes its tools within a session',
        unstable,
        'changed between two lists of one session',
        'high',
      ),
    );
  if (isThorough) {
    const other = await lookAsOther(config, deps, { token, signal });
    if (other === undefined)
      notes.push('The server could not be listed a second time under another client’s name.');
    else later.push(...other);
    if (other !== undefined && unstable.length === 0) observations.push(...baitOf(differing(tools, other)));
  }
  return {
    tools,
    variants: variantsOf(tools, later),
    observations,
    server: first.server,
    notes: [...new Set(notes)],
  };
}
