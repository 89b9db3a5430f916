import { badRequest, AppError, invalid } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Handlers } from '#base/http/mount.ts';
import { readServerConfig } from '#engine/mcp-servers/configurations.ts';
import type { Caller } from '#identity/caller.ts';
import { mostInBatch, type createOperations } from '../contract/create.ts';
import type { Created } from './new-scans.ts';
import type { Scans } from './scans.ts';

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError && error.status < 500) return error.message;
  throw error;
};

type Item = { github_url?: string; revision?: string; server_name?: string };

/** One after the other; what is refused fails alone. */
async function inBatch<T>(
  items: readonly T[],
  nameOf: (item: T) => Item,
  create: (item: T, batchId: string) => Promise<Created>,
) {
  const batchId = newUuid();
  const scans: (Created & Item)[] = [];
  const failed: (Item & { error: string })[] = [];
  for (const item of items)
    try {
      scans.push({ ...(await create(item, batchId)), ...nameOf(item) });
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

function configOf(value: unknown, name: string) {
  const config = readServerConfig(value);
  if (typeof config === 'string') throw invalid(`The server ${name} ${config}.`);
  return config;
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
        visibility: body.visibility,
      },
    ),
  processRepositories: ({ caller, body, request }) =>
    inBatch(
      body.repositories,
      ({ github_url, revision = '' }) => ({ github_url, revision }),
      ({ github_url: url, revision }, batchId) =>
        create.fromRepository(
          { caller, request },
          { url, revision, publish: body.publish, visibility: body.visibility },
          batchId,
        ),
    ),
  processConfig({ caller, body }) {
    if (body.mcpServers === undefined && body.mcp?.servers === undefined)
      throw badRequest("The body needs 'mcpServers' or 'mcp.servers': a map of names to servers.");
    const field = body.mcpServers === undefined ? 'mcp.servers' : 'mcpServers';
    const servers = Object.entries(body.mcpServers ?? body.mcp?.servers ?? {});
    if (servers.length === 0) throw invalid(`'${field}' names no server.`);
    if (servers.length > mostInBatch)
      throw invalid(`'${field}' has more than ${mostInBatch} servers; send several configurations.`);
    return inBatch(
      servers,
      ([server_name]) => ({ server_name }),
      async ([name, value], batchId) =>
        create.fromServer(
          caller,
          {
            name,
            config: configOf(value, name),
            origin: { areSecretsKept: body.secrets_are_kept === true },
            visibility: body.visibility,
          },
          batchId,
        ),
    );
  },
  processConfigWithAuth: ({ caller, body, headers }) =>
    create.withToken(caller, {
      name: body.server_name,
      config: configOf(body.server_config, body.server_name),
      token: headers['X-MCP-Auth-Token'],
      visibility: body.visibility,
    }),
  async processTools({ caller, body }) {
    const { server_name, tools, visibility } = body;
    if (tools.length === 0)
      return { issuccess: false, failed_reason: "'tools' is empty.", server_name, scan_id: null };
    const scanId = await create.fromTools(caller, {
      serverName: server_name,
      visibility,
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
