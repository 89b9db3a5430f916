import { readEnv } from '#base/config/read-env.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import type { Persona } from '#services/red-team/scripted-agent/personas.ts';
import { agentPaths, startScriptedAgent } from '#services/red-team/scripted-agent/server.ts';
import { stopSignal } from '../stop-signal.ts';

export interface AgentOptions {
  persona: Persona;
  port: number;
  mcpUrl?: string;
  transport: 'http' | 'sse';
  era: 'auto' | 'legacy';
}

/** Serves a scripted agent until it is told to stop. */
export async function serveAgent({ mcpUrl, ...options }: AgentOptions): Promise<void> {
  const apiKey = readEnv()['BULWARK_API_KEY'] ?? '';
  await using agent = await startScriptedAgent({
    ...options,
    tasks: shippedTasks(),
    ...(mcpUrl !== undefined && { mcp: { url: mcpUrl, apiKey } }),
  });
  for (const [protocol, path] of Object.entries(agentPaths))
    console.log(`${protocol.padEnd(18)}${agent.url}${path}`);
  console.log(
    mcpUrl === undefined
      ? 'It uses the MCP address of each request. Ctrl+C ends it.'
      : `It uses the MCP server ${mcpUrl}. Ctrl+C ends it.`,
  );
  await stopSignal();
}
