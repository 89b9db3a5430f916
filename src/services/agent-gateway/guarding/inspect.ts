/** What happens to a message of a server that carries instructions to the agent. */
import { fieldsOf, type Fields } from '#mcp/json-rpc.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { OutputCheck } from './output-check.ts';
import { redactResult } from './redact-result.ts';

export interface Inspected {
  /** The client does not receive the message; otherwise it receives it, marked. */
  readonly withheld: boolean;
  readonly reason: string;
}

export interface InspectDeps {
  readonly checkOutput: OutputCheck;
  readonly events: AgentGatewayEvents;
}

/** What the message was an answer of, such as the name of a tool. */
export interface Origin {
  readonly gateway: Pick<Gateway, 'gatewayId' | 'outputGuard' | 'guardMode' | 'resultRedaction'>;
  readonly name: string;
}

/**
 * Undefined if nothing was found, or the guard is off.
 * @param unread takes up what of the message was not read
 */
export async function inspect(
  { checkOutput, events }: InspectDeps,
  { gateway, name }: Origin,
  message: unknown,
  unread?: string[],
): Promise<Inspected | undefined> {
  if (gateway.outputGuard === 'off') return undefined;
  const finding = await checkOutput(message, unread);
  if (finding === undefined) return undefined;
  // The reason quotes the message, which may hold what the client must not see.
  const { result } = await redactResult(gateway.resultRedaction, { reason: finding.reason });
  const reason = String(result['reason']);
  events.outputFlagged(gateway.gatewayId, name, reason);
  const withheld =
    gateway.outputGuard === 'block' && gateway.guardMode === 'enforce' && finding.tier === 'high';
  return { withheld, reason };
}

/** The result with a warning that clients can show. */
export const marked = (result: Fields, { reason }: Inspected): Fields => ({
  ...result,
  _meta: {
    ...fieldsOf(result['_meta']),
    'bulwark/warning': `prompt injection in tool output: ${reason}`,
  },
});
