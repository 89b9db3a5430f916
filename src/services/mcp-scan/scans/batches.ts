/** What servers of one configuration can do together. */
import type { Queries } from '#base/db/database.ts';
import { flowObservation, lookAlikeNames, toxicFlows, type ServerTools } from '#engine/mcp-servers/flows.ts';
import type { Finding } from '#findings/finding.ts';
import { withFingerprints } from '#findings/fingerprint.ts';
import { judgeTools } from '../scanning/judge-tools.ts';
import type { ScannedTool } from '../scanning/result.ts';
import type { Scan } from './scan.ts';
import { findResult } from './store.ts';

/** Flows and shadowing that need more than one server; what one server does alone is in its own scan. */
export async function crossServerFindings(db: Queries, scans: readonly Scan[]): Promise<Finding[]> {
  const servers: (ServerTools & { tools: ScannedTool[] })[] = [];
  for (const { scanId, serverName, filename, status } of scans) {
    const result = status === 'completed' ? await findResult(db, scanId) : undefined;
    if (result !== undefined) servers.push({ server: serverName ?? filename, tools: result.tools });
  }
  return crossServer(servers);
}

export async function crossServer(
  servers: readonly (ServerTools & { tools: ScannedTool[] })[],
): Promise<Finding[]> {
  if (servers.length < 2) return [];
  const flows = toxicFlows(servers).filter((flow) => flow.servers.length > 1);
  const references = await Promise.all(
    servers.map(async ({ server, tools }) => {
      // A server that has a tool of the same name speaks of its own; that both have it is told by lookAlikeNames.
      const own = new Set(tools.map(({ name }) => name));
      const otherTools = servers
        .filter((other) => other.server !== server)
        .flatMap((other) => other.tools.map(({ name }) => ({ server: other.server, name })))
        .filter(({ name }) => !own.has(name));
      const { observations } = await judgeTools(tools, { judge: undefined, model: '', otherTools });
      return observations
        .filter(({ rule, description }) => rule === 'E002' && /, a tool of the server /.test(description))
        .map((each) => ({
          ...each,
          subject: `${server}.${each.subject ?? ''}`,
          tags: [...each.tags, 'shadowing'],
        }));
    }),
  );
  return withFingerprints([...flows.map(flowObservation), ...lookAlikeNames(servers), ...references.flat()]);
}
