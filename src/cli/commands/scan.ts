import { Option, type Command } from 'commander';
import { loadConfig } from '#base/config/load.ts';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import type { Finding } from '#findings/finding.ts';
import { bySeverity, isAtLeast, severities, type Severity } from '#findings/severity.ts';
import { sections } from '../../settings.ts';
import { version } from '../../version.ts';
import { exitCodes } from '../exit-codes.ts';
import { plain } from '#base/log/plain.ts';

interface ScanOptions {
  sarif?: string;
  json?: string;
  failOn: Severity | 'never';
  baseline?: string;
  revision?: string;
  as?: 'repository' | 'server';
  start: boolean;
  expandEnv?: boolean;
  all?: boolean;
}

/** Shows the current step in one line on standard error, if that is a terminal. */
function progressLine(): {
  stage: (text: string, files?: { done: number; total: number }) => void;
} & Disposable {
  const { stderr } = process;
  const startedAt = performance.now();
  let text = '';
  const draw = () => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    stderr.write(`\r\u001B[K${plain(text)} … ${seconds} s`);
  };
  const timer = stderr.isTTY ? setInterval(draw, 500).unref() : undefined;
  return {
    stage(now, files) {
      text = files === undefined ? now : `${now}, file ${files.done} of ${files.total}`;
      if (stderr.isTTY) draw();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (stderr.isTTY) stderr.write('\r\u001B[K');
    },
  };
}

/** `bulwark scan … --json - | head` closes standard output: what is left is for nobody, and no fault. */
function endWhereNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // As a shell tells a program that SIGPIPE has ended.
    process.exit(141);
  });
}

/** A finding goes before what was not scanned. */
function exitCodeOf(fresh: readonly Finding[], failOn: ScanOptions['failOn'], isPartial: boolean): number {
  if (failOn !== 'never' && fresh.some(({ severity }) => isAtLeast(severity, failOn)))
    return exitCodes.flagged;
  return isPartial ? exitCodes.failed : exitCodes.done;
}

/** What variables of a configuration are taken from; nothing where that was not asked for. */
const environmentFor = ({ expandEnv }: ScanOptions, env: ReturnType<typeof readEnv>) =>
  expandEnv === true ? env : undefined;

async function scan(target: string, options: ScanOptions): Promise<void> {
  if (options.json === '-' && options.sarif === '-')
    throw new AppError(
      400,
      'bad_request',
      '--json - and --sarif - would both write to standard output: give one of them a file.',
    );
  endWhereNobodyReads();
  // The analyser and the engine are loaded by those who need them.
  const { scanHere } = await import('#services/mcp-scan/scan-here.ts');
  const { jsonOfHere, prepare, readBaseline, sarifOfHere, write } = await import('../scan/files.ts');
  const { printHere } = await import('../scan/print.ts');
  const { unscanned } = await import('../scan/unscanned.ts');
  const known = options.baseline === undefined ? new Set<string>() : readBaseline(options.baseline);
  await prepare(options.sarif);
  await prepare(options.json);
  const env = readEnv();
  const { mcpScan } = loadConfig(sections, env);
  const startedAt = new Date();
  const stop = new AbortController();
  const interrupted = () => stop.abort(new AppError(499, 'interrupted', 'The scan was interrupted.'));
  process.once('SIGINT', interrupted);
  using progress = progressLine();
  const here = await scanHere(target, {
    as: options.as,
    revision: options.revision,
    token: env['BULWARK_MCP_AUTH_TOKEN'] || undefined,
    repositoryHosts: mcpScan.repositoryHosts,
    noStart: !options.start,
    environment: environmentFor(options, env),
    npmRegistry: mcpScan.npmRegistry,
    osvApiUrl: mcpScan.osvApiUrl,
    osvDbDir: mcpScan.osvDbDir,
    version,
    signal: stop.signal,
    onStage: progress.stage,
  }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ScanFailure')
      throw new AppError(422, 'failed', error.message, { cause: error });
    throw error;
  });
  process.off('SIGINT', interrupted);
  progress[Symbol.dispose]();
  const all: Finding[] = [...here.scans.flatMap(({ result }) => result.findings), ...here.together].toSorted(
    (a, b) => bySeverity(a.severity, b.severity),
  );
  const fresh = all.filter(({ fingerprint }) => !known.has(fingerprint));
  if (options.sarif !== undefined) await write(options.sarif, sarifOfHere(here, all, startedAt));
  if (options.json !== undefined) await write(options.json, jsonOfHere(here, target, all));
  if (options.json !== '-' && options.sarif !== '-')
    printHere({ here, findings: fresh, known: all.length - fresh.length, isAll: options.all === true });
  const rest = unscanned(here);
  // Where standard output has the report, what it does not cover is said beside it.
  if (rest !== undefined && (options.json === '-' || options.sarif === '-'))
    process.stderr.write(`bulwark: ${plain(rest)}\n`);
  process.exitCode = exitCodeOf(fresh, options.failOn, rest !== undefined);
}

/** `bulwark scan`. */
export function addScanCommand(program: Command): void {
  program
    .command('scan')
    .description(
      'scan an MCP server before an agent meets it: here, with no service, and nothing leaves this machine',
    )
    .argument(
      '<target>',
      'a folder, a source file, a zip, an mcp.json or config.toml, a repository’s address or a server’s address',
    )
    .option('--sarif <file>', 'write the findings as SARIF 2.1.0; - for standard output')
    .option('--json <file>', 'write everything as JSON; - for standard output')
    .addOption(
      new Option('--fail-on <severity>', `exit with ${exitCodes.flagged} from this severity on`)
        .choices([...severities, 'never'])
        .default('high'),
    )
    .option('--baseline <file>', 'findings of an earlier --json or --sarif do not count again')
    .option('--revision <name>', 'branch, tag or commit of a repository')
    .addOption(new Option('--as <kind>', 'what an address is').choices(['repository', 'server']))
    .option(
      '--no-start',
      'start no stdio server of a configuration (they run in a sandbox otherwise); its source is read where it lies here',
    )
    .option(
      '--expand-env',
      'take variables of a configuration (${NAME}) from the environment, for its servers; without it they stay, unless they have a default',
    )
    .option('--all', 'show minor findings too')
    .addHelpText(
      'after',
      `
Source is never run, and tools are never called. A server that wants a token gets BULWARK_MCP_AUTH_TOKEN.
Known vulnerabilities of dependencies are looked up only where BULWARK_MCP_SCAN_OSV_API_URL or
BULWARK_MCP_SCAN_OSV_DB_DIR is set.

  bulwark scan .                                     the server in this folder
  bulwark scan https://github.com/owner/server       a public repository
  bulwark scan ~/.cursor/mcp.json                    every server of a configuration
  bulwark scan . --sarif scan.sarif --fail-on medium --baseline last.json

Exits with ${exitCodes.flagged} when a finding reaches --fail-on, ${exitCodes.done} when none does, ${exitCodes.failed} when it, or a server of a configuration,
could not be scanned.
`,
    )
    .action(scan);
}
