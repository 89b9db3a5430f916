/** Steps as they are sent, and as the engine takes them; for judging without a server too. */
import type { z } from 'zod';
import type { TraceStep } from '#engine/actions/types.ts';
import type { SessionHistory } from '../contract/trace.ts';

export type WireStep = NonNullable<z.output<typeof SessionHistory>['trace']>[number];

/** Clients in many languages send null for what they do not have. */
export const sent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** The step for the engine. */
export const readStep = ({ role, content, action, step_id, metadata }: WireStep): TraceStep => ({
  role,
  content: sent(content),
  action: sent(action),
  stepId: sent(step_id),
  toolName: sent(metadata?.tool_name),
  toolDescription: sent(metadata?.tool_description),
  toolParams: sent(metadata?.tool_params),
  serverName: sent(metadata?.server_name),
  serverId: sent(metadata?.server_id),
  toolOutput: sent(metadata?.tool_output),
});
