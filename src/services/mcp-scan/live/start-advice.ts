/** What helps where a stdio server does not start because its sandbox has no network. */
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { packageOf } from '#engine/mcp-servers/launched-package.ts';
import type { DialDeps } from './dial.ts';

/**
 * Sentences for the owner of a scan whose server did not answer; undefined where its command fetches nothing, or has the
 * network.
 */
export function startAdvice(config: ServerConfig, { stdio }: Pick<DialDeps, 'stdio'>): string | undefined {
  const launched = config.command === undefined ? undefined : packageOf(config);
  if (launched === undefined || stdio === 'unsafe') return undefined;
  const { ecosystem, name } = launched;
  if (ecosystem === 'docker')
    return `It is started in a sandbox, which reaches neither the network nor Docker: start the container of ${name} yourself and scan its address, or send its tools to /process/tools.`;
  if (config.allowNetwork) return undefined;
  const source =
    ecosystem === 'npm'
      ? ", or leave it unstarted (`bulwark scan --no-start`, mcp_scan.stdio: off) with mcp_scan.npm_registry set: then the package's source is read"
      : ', or scan its repository';
  return `It is started in a sandbox without network, where ${config.command} cannot fetch ${name}. Install the package and start it by its path, set allow_network: true in its definition (in the service administrators of the tenant system may)${source}.`;
}
