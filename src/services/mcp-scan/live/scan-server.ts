/** A scan of a live server. */
import { configFindings, type ConfigOrigin } from '#engine/mcp-servers/config-findings.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { assemble } from '../scanning/assemble.ts';
import { judgeTools } from '../scanning/judge-tools.ts';
import type { ScannedTool, ScanResult, TextGuardItem } from '../scanning/result.ts';
import type { ScanTools } from '../scanning/scan-project.ts';
import { changesSince } from './changes.ts';
import type { DialDeps } from './dial.ts';
import { listServer } from './list-server.ts';
import { oauthFindings, type OAuthMetadata } from './oauth-metadata.ts';

export interface ServerScan extends Omit<ScanTools, 'advisories'> {
  name: string;
  config: ServerConfig;
  /** As it stands in its file, where variables of it were expanded: what is told is of this. */
  declared?: ServerConfig | undefined;
  origin: ConfigOrigin;
  dial: DialDeps;
  token?: string | undefined;
  /** Of the scan before, to compare with. */
  toolsBefore?: readonly ScannedTool[] | undefined;
  /** What the server said about its sign-in, where it wanted one. */
  oauth?: OAuthMetadata | undefined;
  now: Date;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: string) => void) | undefined;
}

/** One verdict for each tool: where a later list shows it with a definition that is flagged, the one on that. */
function withVariants(own: readonly TextGuardItem[], variants: readonly TextGuardItem[]): TextGuardItem[] {
  const merged = [...own];
  for (const each of variants) {
    if (!each.flagged) continue;
    const at = merged.findIndex(({ kind, toolName }) => kind === each.kind && toolName === each.toolName);
    if (at < 0) merged.push(each);
    else if (merged[at]?.flagged !== true) merged[at] = each;
  }
  return merged;
}

/**
 * Lists what the server offers and judges it; nothing is called.
 * @throws NeedsAuth; ScanFailure
 */
export async function scanServer(scan: ServerScan): Promise<ScanResult> {
  const { name, config, judge, model, language, signal, onStage, toolsBefore, oauth } = scan;
  onStage?.('connecting');
  const listed = await listServer(config, scan.dial, { token: scan.token, signal });
  onStage?.('checking descriptions');
  const judged = await judgeTools(listed.tools, { judge, model, language, signal });
  const variants = await judgeTools(listed.variants, { judge, model, language, signal });
  const known = new Set(judged.observations.map(({ rule, subject }) => `${rule} ${subject}`));
  return assemble({
    observations: [
      ...judged.observations,
      // A server that shows its true tools later is judged by these too.
      ...variants.observations.filter(({ rule, subject }) => !known.has(`${rule} ${subject}`)),
      ...listed.observations,
      ...configFindings(name, scan.declared ?? config, scan.origin),
      ...(oauth === undefined ? [] : oauthFindings(oauth)),
      ...(toolsBefore === undefined ? [] : changesSince(toolsBefore, listed.tools)),
    ],
    tools: listed.tools,
    textguard: withVariants(judged.textguard, variants.textguard),
    packages: [],
    depsChecked: 'none',
    serverName: name,
    servers: [name],
    server: listed.server,
    notes: [...listed.notes, ...judged.notes, ...variants.notes],
    usage: {
      promptTokens: judged.usage.promptTokens + variants.usage.promptTokens,
      completionTokens: judged.usage.completionTokens + variants.usage.completionTokens,
    },
    now: scan.now,
  });
}
