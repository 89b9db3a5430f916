/** What helps where a stdio server does not start because of what its sandbox has not: the network, and files. */
import { existsSync } from 'node:fs';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { packageOf, type LaunchedPackage } from '#engine/mcp-servers/launched-package.ts';
import type { DialDeps } from './dial.ts';
import { hiddenPaths } from './readable.ts';

type Sandboxed = Pick<DialDeps, 'stdio' | 'readable' | 'readableBy'>;

/**
 * Sentences for the owner of a scan whose server did not answer; undefined where nothing is kept from its command.
 */
export function startAdvice(config: ServerConfig, deps: Sandboxed): string | undefined {
  if (config.command === undefined || deps.stdio === 'unsafe') return undefined;
  const launched = packageOf(config);
  return launched === undefined ? filesAdvice(config, deps) : networkAdvice(config, launched, deps);
}

function networkAdvice(
  { command, allowNetwork }: ServerConfig,
  { ecosystem, name }: LaunchedPackage,
  { readableBy }: Sandboxed,
): string | undefined {
  if (ecosystem === 'docker')
    return `It is started in a sandbox, which reaches neither the network nor Docker: start the container of ${name} yourself and scan its address, or send its tools to /process/tools.`;
  if (allowNetwork) return undefined;
  const source =
    ecosystem === 'npm'
      ? `, or leave it unstarted (${readableBy === 'settings' ? '' : '`bulwark scan --no-start`, '}mcp_scan.stdio: off) with mcp_scan.npm_registry set: then the package's source is read`
      : ', or scan its repository';
  return `It is started in a sandbox without network, where ${command} cannot fetch ${name}. Install the package and start it by its path, set allow_network: true in its definition (in the service administrators of the tenant system may)${source}.`;
}

const named = (paths: readonly string[]) =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');

function filesAdvice(config: ServerConfig, { readable = [], readableBy }: Sandboxed): string | undefined {
  const hidden = hiddenPaths(config, readable);
  // Whether such a path is there is nothing that the service may tell.
  if (readableBy === 'settings')
    return hidden.length === 0
      ? undefined
      : `Its sandbox hides ${named(hidden)} from it: of the service's machine a stdio server sees installed software and the folders of mcp_scan.readable_folders, nothing else. An operator can add the folder of the server's package with its node_modules or virtual environment there; or scan it with \`bulwark scan\` on the machine where it lies, or send its source to /process or its tools to /process/tools.`;
  const missing = hidden.filter((path) => !existsSync(path));
  if (missing.length > 0) return `There is no ${named(missing)} on this machine.`;
  if (hidden.length > 0)
    return `Its sandbox hides ${named(hidden)} from it: the root, home folders and what holds everything are never shown as a whole, nor to root's sandbox what not everybody may read. Install the server in a folder of its own, or scan its source.`;
  return readable.length === 0
    ? undefined
    : `Besides installed software its sandbox shows it ${named(readable)}, read-only. What it needs must lie there and be installed; else scan its source (--no-start).`;
}
