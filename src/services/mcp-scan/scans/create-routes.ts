import { z } from 'zod';
import { checkInput } from '#base/contract/check.ts';
import type { Checked } from '#base/contract/operation.ts';
import { badRequest, AppError, invalid } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import { readServerConfig } from '#engine/mcp-servers/configurations.ts';
import { definitionFault } from '#engine/mcp-servers/definition-faults.ts';
import type { Caller } from '#identity/caller.ts';
import { mostInBatch, Repository, ServerName, type createOperations } from '../contract/create.ts';
import type { Created } from './new-scans.ts';
import type { Scans } from './scans.ts';

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError && error.status < 500) return error.message;
  throw error;
};

type Item = { github_url?: string | null; revision?: string; server_name?: string };

/** One after the other; what is refused fails alone. */
async function inBatch<T>(
  items: readonly T[],
  nameOf: (item: T) => Item,
  create: (item: T, batchId: string, at: number) => Promise<Created>,
) {
  const batchId = newUuid();
  const scans: (Created & Item & { github_url?: string | undefined })[] = [];
  const failed: (Item & { error: string })[] = [];
  for (const [at, item] of items.entries())
    try {
      const { github_url: url, ...name } = nameOf(item);
      const made = await create(item, batchId, at);
      scans.push({ ...made, ...(typeof url === 'string' && { github_url: url }), ...name });
    } catch (error) {
      failed.push({ ...nameOf(item), error: reasonOf(error) });
    }
  return {
    total: items.length,
    successful: scans.length,
    failed: failed.length,
    batch_id: scans.length > 0 ? batchId : null,
    scans,
    failed_repos: failed,
  };
}

/** @throws AppError 422 */
function configOf(value: unknown, name: string) {
  const fault = definitionFault(value);
  if (fault !== undefined) throw invalid(`The server ${name} ${fault}.`);
  const config = readServerConfig(value);
  if (typeof config === 'string') throw invalid(`The server ${name} ${config}.`);
  return config;
}

/** How an item of a batch is told, whatever it is. */
function toldOf(item: unknown): { github_url: string | null; revision: string } {
  const { github_url: url, revision } = (item ?? {}) as { github_url?: unknown; revision?: unknown };
  return {
    github_url: typeof url === 'string' ? url : null,
    revision: typeof revision === 'string' ? revision.trim() : '',
  };
}

/** @throws AppError 400, 422 whose message names the item */
function repositoryAt(at: number, item: unknown): z.output<typeof Repository> {
  const name = `repositories[${at}]`;
  const checked = checkInput(z.object({ [name]: Repository }), { [name]: item }, 'body');
  return checked[name] as z.output<typeof Repository>;
}

/** @throws AppError 400 or 422 where there is no server, or where two lists name some */
function serversOf({ mcpServers, mcp }: Checked<typeof createOperations.processConfig>['body']) {
  const lists = [
    { field: 'mcpServers', named: mcpServers },
    { field: 'mcp.servers', named: mcp?.servers },
  ].flatMap(({ field, named }) =>
    named === undefined || named === null ? [] : [{ field, servers: Object.entries(named) }],
  );
  const [first] = lists;
  if (first === undefined)
    throw badRequest("The body needs 'mcpServers' or 'mcp.servers': a map of names to servers.");
  const [list = first, other] = lists.filter(({ servers }) => servers.length > 0);
  if (other !== undefined)
    throw invalid("'mcpServers' and 'mcp.servers' both name servers; send all of them in one of the two.");
  if (list.servers.length === 0) throw invalid(`'${list.field}' names no server.`);
  if (list.servers.length > mostInBatch)
    throw invalid(`'${list.field}' has more than ${mostInBatch} servers; send several configurations.`);
  return list;
}

/** @throws AppError 422 */
function assertName(name: string, field: string): void {
  if (ServerName.safeParse(name).success) return;
  throw invalid(
    name === ''
      ? `'${field}' has a server without a name; give it one.`
      : `'${field}' has a server whose name ${name.length > 200 ? 'has more than 200 characters' : 'has NUL characters or half characters'}; give it another one.`,
  );
}

export const createHandlers = (
  scans: Scans,
  create = scans.create,
): Handlers<typeof createOperations, Caller> => ({
  processFile: ({ caller, body }) => create.fromFile(caller, body.file, body.visibility),
  processRepository: ({ caller, body, request }) =>
    create.fromRepository(
      { caller, request },
      {
        url: body.github_url,
        revision: body.revision,
        publish: body.publish,
        visibility: body.visibility ?? undefined,
      },
    ),
  processRepositories: ({ caller, body, request }) =>
    inBatch(body.repositories, toldOf, async (item, batchId, at) => {
      const { github_url: url, revision } = repositoryAt(at, item);
      const { publish, visibility } = body;
      return create.fromRepository(
        { caller, request },
        { url, revision, publish, visibility: visibility ?? undefined },
        batchId,
      );
    }),
  processConfig({ caller, body }) {
    const { field, servers } = serversOf(body);
    return inBatch(
      servers,
      ([server_name]) => ({ server_name }),
      async ([name, value], batchId) => {
        assertName(name, field);
        const given = {
          name,
          config: configOf(value, name),
          origin: { areSecretsKept: body.secrets_are_kept === true },
          visibility: body.visibility ?? undefined,
        };
        return create.fromServer(caller, given, batchId);
      },
    );
  },
  processConfigWithAuth: ({ caller, body, headers }) =>
    create.withToken(caller, {
      name: body.server_name,
      config: configOf(body.server_config, body.server_name),
      token: headers['X-MCP-Auth-Token'],
      visibility: body.visibility ?? undefined,
    }),
  async processTools({ caller, body }) {
    const { server_name, tools, visibility } = body;
    if (tools.length === 0)
      return { issuccess: false, failed_reason: "'tools' is empty.", server_name, scan_id: null };
    const scanId = await create.fromTools(caller, {
      serverName: server_name,
      visibility: visibility ?? undefined,
      tools: tools.map((tool) => ({
        kind: 'tool' as const,
        name: tool.tool_name,
        description: tool.tool_description,
        ...(tool.input_schema && { inputSchema: tool.input_schema }),
        ...(tool.output_schema && { outputSchema: tool.output_schema }),
      })),
    });
    return { issuccess: true, failed_reason: null, server_name, scan_id: scanId };
  },
  authenticateScan: ({ caller, params, headers }) =>
    scans.authenticate(caller, params.scan_id, headers['X-MCP-Auth-Token']),
});
