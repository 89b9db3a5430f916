/** What a scan of a server knows before it has asked the server. */
import { configFindings, type ConfigOrigin } from '#engine/mcp-servers/config-findings.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { assemble } from '../scanning/assemble.ts';
import type { ScanResult } from '../scanning/result.ts';
import { summaryOfConfiguration } from '../scanning/summary.ts';

/** What the definition of a server alone says, as a result; undefined where it says nothing. */
export function configurationResult(
  name: string,
  config: ServerConfig,
  origin: ConfigOrigin,
  now: Date,
): ScanResult | undefined {
  const observations = configFindings(name, config, origin);
  if (observations.length === 0) return undefined;
  const result = assemble({
    observations,
    tools: [],
    textguard: [],
    packages: [],
    depsChecked: 'none',
    serverName: name,
    servers: [name],
    now,
  });
  return { ...result, summary: summaryOfConfiguration(result.findings) };
}
