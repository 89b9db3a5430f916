import {
  alsoFrom,
  choice,
  integer,
  list,
  optionalText,
  optionalUrl,
  secret,
  text,
} from '#base/config/setting.ts';
import { isAbsolute } from 'node:path';
import { isTooMuch } from './live/readable.ts';

/** Folders of the service's own machine that strangers' programs may read. */
function shownFolders(doc: string) {
  const { schema, ...setting } = list([], doc);
  return {
    ...setting,
    schema: schema.refine((folders) => folders.every((each) => isAbsolute(each) && !isTooMuch(each)), {
      error:
        'must be absolute paths of single folders such as /srv/mcp: never the root, a home, or a folder such as /srv that holds everything',
    }),
    takes: 'absolute paths (in the environment: with commas)',
  };
}

/** The slice of the MCP scan of the configuration. */
export const mcpScanSections = {
  mcpScan: {
    workers: integer(2, { min: 1, max: 64 }, 'Scans that this process works on at the same time.'),
    scansPerUser: integer(
      1000,
      { min: 1, max: 1_000_000 },
      'Scans of one user that may wait or run at the same time.',
    ),
    timeoutSeconds: integer(300, { min: 5, max: 86_400 }, 'Time for the analysis of one project.'),
    memoryBytes: integer(
      2 * 1024 ** 3,
      { min: 64 * 1024 ** 2, max: 64 * 1024 ** 3 },
      'Memory for the analysis of one project.',
    ),
    packedBytes: integer(
      100 * 1024 ** 2,
      { min: 1024, max: 10 * 1024 ** 3 },
      'Largest archive, and repository as an archive.',
    ),
    unpackedBytes: integer(
      500 * 1024 ** 2,
      { min: 1024, max: 100 * 1024 ** 3 },
      'Largest size of an archive when it is unpacked.',
    ),
    files: integer(50_000, { min: 1, max: 10_000_000 }, 'Most files of an archive.'),
    repositoryHosts: list(
      ['github.com'],
      'Hosts whose public repositories are scanned, such as github.com or git.example.com:8443; http:// before one allows it without TLS.',
    ),
    fileCacheDays: integer(
      90,
      { min: 0, max: 3650 },
      'A result counts again so long for the same content of the same user.',
    ),
    repositoryCacheDays: integer(
      30,
      { min: 0, max: 3650 },
      'A result counts again so long for the same commit, for everybody.',
    ),
    stdio: choice(
      'auto',
      ['auto', 'sandbox', 'off', 'unsafe'],
      'How stdio servers are started, which runs their code: in a sandbox, not at all, or (unsafe) as this process. ' +
        'auto: in a sandbox where one can be made, else not at all.',
    ),
    readableFolders: shownFolders(
      'Folders of this machine that every stdio server which is scanned may read in its sandbox, such as /srv/mcp, where servers are installed with their node_modules. ' +
        'Without any it sees installed software alone. Whoever may scan can have their content told: no secrets may lie in them.',
    ),
    connectTimeoutMs: integer(
      10_000,
      { min: 100, max: 600_000 },
      'Time for each exchange with a server that is scanned, in milliseconds.',
    ),
    osvApiUrl: optionalUrl(
      ['https', 'http'],
      'An OSV server to which names and versions of dependencies are sent, such as https://api.osv.dev; without it and osv_db_dir nothing is looked up.',
    ),
    osvDbDir: optionalText(
      'A folder with a copy of the OSV database, as osv-scanner/<ecosystem>/all.zip; used rather than osv_api_url.',
    ),
    npmRegistry: optionalUrl(
      ['https', 'http'],
      'A registry of npm packages: the source of an `npx` server that is not started is fetched from it and scanned. Without it such a scan fails.',
    ),
    adminApiKey: alsoFrom(
      'ADMIN_API_KEY',
      secret(
        16,
        'The key for /admin/usage, sent as X-Admin-Key; without it these operations refuse everybody.',
      ),
    ),
    promptTokenPrice: text('0', 'What a million prompt tokens of the language model cost, for /admin/usage.'),
    completionTokenPrice: text('0', 'What a million completion tokens cost.'),
  },
} as const;
