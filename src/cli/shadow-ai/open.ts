/** Shadow AI of a running Bulwark, as the command line talks to it. */
import { createClient } from '#base/contract/client.ts';
import { connectOperations } from '#services/shadow-ai/contract/connect.ts';
import { connectorOperations } from '#services/shadow-ai/contract/connectors.ts';
import { detectionOperations } from '#services/shadow-ai/contract/detections.ts';
import { ruleOperations } from '#services/shadow-ai/contract/rules.ts';
import { toolOperations } from '#services/shadow-ai/contract/tools.ts';
import { telemetryOperations } from '#services/shadow-ai/contract/telemetry.ts';
import { keyOrLocalKey, shadowAiUrlOf, type SignInOptions } from '../connection.ts';

export interface ShadowAiOptions extends SignInOptions {
  as?: string;
  json?: boolean;
}

/** Signs in, by key or by name, and gives the clients of the contracts. */
export async function openShadowAi(options: ShadowAiOptions) {
  const baseUrl = shadowAiUrlOf(options);
  const headers = await keyOrLocalKey({
    ...options,
    baseUrl,
    ...(options.as !== undefined && { username: options.as }),
  });
  const at = { baseUrl, headers };
  return {
    connect: createClient(connectOperations, at),
    connectors: createClient(connectorOperations, at),
    detections: createClient(detectionOperations, at),
    rules: createClient(ruleOperations, at),
    tools: createClient(toolOperations, at),
    telemetry: createClient(telemetryOperations, at),
  };
}

export type ShadowAiService = Awaited<ReturnType<typeof openShadowAi>>;
