/** What the client receives of a server's answer or error, and what the audit log says of it. */
import { AppError } from '#base/errors.ts';
import { RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import { inspect, marked, type Inspected, type InspectDeps, type Origin } from './inspect.ts';
import { redactResult, type RedactionCounts } from './redact-result.ts';

/** What the client receives of the server's answer, and what was found in it. */
export interface Passed {
  readonly result: Fields;
  readonly found: Inspected | undefined;
  readonly redactions: RedactionCounts | null;
  /** What the output guard did not read, such as pictures. */
  readonly unread: readonly string[];
}

/** The agent must not read in the reason what is withheld from it; the audit log quotes it. */
export const unquoted = (reason: string): string => reason.replace(/: “[\s\S]*”/, '');

/** Checks and redacts an answer. What is withheld is replaced by `instead`. */
export async function passResult(
  deps: InspectDeps,
  origin: Origin & { readonly gateway: Pick<Gateway, 'resultRedaction'> },
  answer: Fields,
  instead: (reason: string) => Fields,
): Promise<Passed> {
  const unread: string[] = [];
  const found = await inspect(deps, origin, answer, unread);
  if (found?.withheld === true)
    return { result: instead(unquoted(found.reason)), found, redactions: null, unread };
  const redacting = redactResult(origin.gateway.resultRedaction, answer);
  const { result, counts } = redacting instanceof Promise ? await redacting : redacting;
  return { result: found === undefined ? result : marked(result, found), found, redactions: counts, unread };
}

export const withheldText = (name: string, reason: string) =>
  `Blocked: what ${name} answered carries instructions to the agent (rule: prompt injection in tool output). ${reason}`;

/** What a server said in an error: its own, or one of ours that quotes it or its authorization server. */
function saidIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  return error instanceof AppError && error.status === 502
    ? new RpcError(rpcCodes.internalError, error.detail)
    : undefined;
}

/** The error for the client: error messages of servers may contain instructions and secrets too. */
export async function passError(
  deps: InspectDeps,
  origin: Origin & { readonly gateway: Pick<Gateway, 'resultRedaction'> },
  error: unknown,
): Promise<{ readonly shown: unknown; readonly found: Inspected | undefined }> {
  const said = saidIn(error);
  if (said === undefined) return { shown: error, found: undefined };
  const { code, message, data } = said;
  const found = await inspect(deps, origin, { message, data });
  if (found?.withheld === true) {
    const text = `${origin.name} failed with an error that carries instructions to the agent, which is withheld.`;
    return { shown: new RpcError(code, text), found };
  }
  const { result, counts } = await redactResult(origin.gateway.resultRedaction, { message, data });
  const shown = counts === null ? error : new RpcError(code, String(result['message']), result['data']);
  return { shown, found };
}

/** What the audit log says of an answer with instructions: whether the client received it. */
export const foundReason = (name: string, { withheld, reason }: Inspected): string =>
  withheld
    ? withheldText(name, reason)
    : `Passed on with a warning: what ${name} answered carries instructions to the agent. ${reason}`;

/** What the audit log says of an answer: what was found in it, and what was not read. */
export const passedReasons = (
  name: string,
  found: Inspected | undefined,
  unread: readonly string[],
): string[] => [
  ...(found === undefined ? [] : [foundReason(name, found)]),
  ...(unread.length === 0 ? [] : [`The output guard did not read ${unread.join(', ')}.`]),
];
