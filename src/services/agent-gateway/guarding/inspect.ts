/** What happens to a message of a server that carries instructions to the agent. */
import { fieldsOf, isFields, type Fields } from '#mcp/json-rpc.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { OutputCheck, OutputFinding } from './output-check.ts';
import { wrappedPlace } from './places.ts';
import { redactResult } from './redact-result.ts';
import { withoutHidden } from './unseen.ts';

export interface Inspected {
  /** The client does not receive the message; otherwise it receives it, marked. */
  readonly withheld: boolean;
  readonly reason: string;
  /** It is withheld because it is too long or too deep to be read, whatever it says. */
  readonly isUnread: boolean;
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
 * Why the message was found, in words that clients and the audit log may see. What it quotes is found once more in the
 * redacted message: a quotation that is cut short would show a part of a secret.
 */
async function reasonOf(
  checkOutput: OutputCheck,
  { resultRedaction }: Pick<Gateway, 'resultRedaction'>,
  message: unknown,
  finding: OutputFinding,
): Promise<string> {
  if (finding.isUnread === true) return finding.reason;
  const mode = resultRedaction === 'off' ? 'secrets' : resultRedaction;
  const given = withoutHidden({ message }, wrappedPlace);
  const { result } = await redactResult(mode, given, wrappedPlace);
  if (result['message'] === message) return finding.reason;
  const shown = await checkOutput(result['message']);
  if (shown !== undefined) return shown.reason;
  if (result === given) return finding.reason;
  return 'It reads like instructions to the agent; what they say is not shown, because it contains secrets.';
}

/**
 * Undefined if nothing was found, or the guard is off; no promise where that is known at once.
 * @param unread takes up what of the message was not read
 */
export function inspect(
  deps: InspectDeps,
  origin: Origin,
  message: unknown,
  unread?: string[],
): undefined | Promise<Inspected | undefined> {
  if (origin.gateway.outputGuard === 'off') return undefined;
  const finding = deps.checkOutput(message, unread);
  return finding === undefined ? undefined : inspected(deps, origin, message, finding);
}

async function inspected(
  { checkOutput, events }: InspectDeps,
  { gateway, name }: Origin,
  message: unknown,
  checking: ReturnType<OutputCheck>,
): Promise<Inspected | undefined> {
  const finding = await checking;
  if (finding === undefined) return undefined;
  const reason = await reasonOf(checkOutput, gateway, message, finding);
  events.outputFlagged(gateway.gatewayId, name, reason);
  const withheld =
    gateway.outputGuard === 'block' && gateway.guardMode === 'enforce' && finding.tier === 'high';
  return { withheld, reason, isUnread: finding.isUnread === true };
}

const warningOf = ({ reason }: Inspected) => `prompt injection in tool output: ${reason}`;

/** The result with a warning that clients can show. */
export const marked = (result: Fields, found: Inspected): Fields => ({
  ...result,
  _meta: {
    ...fieldsOf(result['_meta']),
    'bulwark/warning': warningOf(found),
  },
});

/** The data of an error with the same warning: errors have no `_meta`. */
export const markedData = (data: unknown, found: Inspected): Fields => ({
  ...(isFields(data) ? data : data !== undefined && { data }),
  'bulwark/warning': warningOf(found),
});
