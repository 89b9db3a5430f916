import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { visibilityField } from '#identity/contract/sharing.ts';
import { BatchScanResponse, ScanCreated, ScanParams } from './records.ts';

const tag = 'Creating scans';

export const mostInBatch = 100;
const mostTools = 2000;

/** `Bearer` before it is not needed. */
export const TokenHeader = z.object({
  'X-MCP-Auth-Token': z
    .string()
    .min(1)
    .max(16_384)
    .meta({ description: 'The OAuth access token for the MCP server.' }),
});

/** One repository of a request. */
export const Repository = z.object({
  github_url: storedText({ min: 1, max: 2048 }).meta({ description: 'The full address of the repository.' }),
  revision: storedText({ max: 250 })
    .nullish()
    .meta({ description: 'A branch, tag or commit; left out, null or empty: the default branch.' }),
});
// What is no repository is refused for itself, when its turn comes.
const Repositories = z.array(z.union([Repository, z.unknown()]));

const visibility = visibilityField().nullish();
const publish = z
  .boolean()
  .nullish()
  .meta({
    description:
      'Show the result on the public leaderboard: of a public repository, at the newest commit of its default branch. ' +
      'Scans of other revisions stay off it, and suppressions do not count there.',
  });

/** Checked one by one, so that a wrong one fails alone. */
const Server = z.looseObject({
  url: z.string().nullish().meta({ description: 'The whole address of a remote server.' }),
  transport: z.string().nullish().meta({ description: '`http` or `sse`; found out where it is left out.' }),
  type: z.string().nullish().meta({ description: 'The same; `transport` wins.' }),
  headers: z.record(z.string(), z.unknown()).nullish(),
  command: z.string().nullish().meta({ description: 'The program of a stdio server.' }),
  args: z.array(z.unknown()).nullish(),
  env: z.record(z.string(), z.unknown()).nullish(),
  allow_network: z.boolean().nullish().meta({
    description:
      'A stdio server may use the network in its sandbox. Only administrators of the tenant `system` may set it (403).',
  }),
});
/** As clients keep it in their configuration. */
export const ServerDefinition = Server;
// What is no definition is refused for itself, when its turn comes.
const Servers = z.record(z.string(), z.union([Server, z.unknown()]));
/** The name of a server. */
export const ServerName = storedText({ min: 1, max: 200 });

export const createOperations = {
  processFile: defineOperation({
    method: 'POST',
    path: '/process',
    tag,
    summary: 'Scan an archive of source code',
    description:
      'A zip of at most 100 MB; also tar and tar.gz. Nothing in it is run. Archives that escape their folder, have links ' +
      'or unpack to too much fail with the reason.',
    access: 'jwt_or_key',
    form: true,
    body: z
      .object({ file: z.file(), visibility: visibilityField().optional() })
      .meta({ id: 'ProcessFileForm' }),
    response: ScanCreated,
  }),
  processRepository: defineOperation({
    method: 'POST',
    path: '/process/github',
    tag,
    summary: 'Scan a public repository',
    description:
      'Hosts are those of the setting `mcp_scan.repository_hosts`. Submodules and large files are left out and named.',
    access: 'jwt_or_key',
    body: Repository.extend({ publish, visibility }).meta({
      id: 'ProcessRepository',
    }),
    response: ScanCreated,
  }),
  processRepositories: defineOperation({
    method: 'POST',
    path: '/process/batch_github',
    tag,
    summary: 'Scan several repositories',
    description:
      'One scan each. An item that is refused, or is no repository, is listed in `failed_repos` with the reason; the others are scanned.',
    access: 'jwt_or_key',
    body: z
      .object({
        repositories: Repositories.min(1).max(mostInBatch),
        publish,
        visibility,
      })
      .meta({ id: 'ProcessRepositories' }),
    response: BatchScanResponse,
  }),
  processConfig: defineOperation({
    method: 'POST',
    path: '/process/mcp_config',
    tag,
    summary: 'Scan the servers of an MCP configuration',
    description:
      'Either `mcpServers` or `mcp.servers`: servers in both are refused (422). One scan for each server; tools are listed and ' +
      'never called. A definition with a field that cannot be used is listed in `failed_repos` with the reason, and null is as ' +
      'good as left out. What the configuration ' +
      'alone says is in the scan, also where its server does not start, refuses or wants a token. stdio servers ' +
      'run in a sandbox, or not at all, as the setting `mcp_scan.stdio` says.',
    access: 'jwt_or_key',
    body: z
      .object({
        mcpServers: Servers.nullish(),
        mcp: z.looseObject({ servers: Servers.nullish() }).nullish(),
        secrets_are_kept: z.boolean().nullish().meta({
          description:
            'The secrets among `env`, `headers` and arguments come from a store of secrets and not from a file: that they are there is no finding.',
        }),
        visibility,
      })
      .meta({ id: 'ProcessConfig' }),
    response: BatchScanResponse,
  }),
  processConfigWithAuth: defineOperation({
    method: 'POST',
    path: '/process/mcp_config_with_auth',
    tag,
    summary: 'Scan a server that needs OAuth',
    description:
      'A new scan, whose `parent_scan_id` is the last one of this server that waits for a token, where there is one: that of the ' +
      'same address, else that of the same name.',
    access: 'jwt_or_key',
    headers: TokenHeader,
    body: z
      .object({
        server_name: ServerName,
        server_config: Server,
        visibility,
      })
      .meta({ id: 'ProcessConfigWithAuth' }),
    response: ScanCreated,
    errors: [403],
  }),
  processTools: defineOperation({
    method: 'POST',
    path: '/process/tools',
    tag,
    summary: 'Scan a list of tools',
    description: 'At once; no server is started. The result is a scan of its own, too.',
    access: 'jwt_or_key',
    body: z
      .object({
        server_name: ServerName,
        tools: z
          .array(
            z.object({
              tool_name: storedText({ min: 1, max: 500 }),
              tool_description: storedText({ max: 100_000 }),
              input_schema: z.record(z.string(), z.unknown()).nullish(),
              output_schema: z.record(z.string(), z.unknown()).nullish(),
            }),
          )
          .max(mostTools),
        visibility,
      })
      .meta({ id: 'ProcessTools' }),
    response: z
      .object({
        issuccess: z.boolean(),
        failed_reason: z.string().nullable(),
        server_name: z.string(),
        scan_id: z.int().nullable(),
      })
      .meta({ id: 'ProcessToolsResponse' }),
  }),
  authenticateScan: defineOperation({
    method: 'POST',
    path: '/scan/{scan_id}/authenticate',
    tag,
    summary: 'Resume a scan that waits for a token',
    description:
      'The same scan goes on. The token is kept sealed until the scan has ended, and deleted then. Where the server ' +
      'refuses it, the scan waits for another one, and `error_message` says so.',
    access: 'jwt_or_key',
    params: ScanParams,
    headers: TokenHeader,
    response: ScanCreated,
    errors: [400, 403, 404, 409, 422],
  }),
};
