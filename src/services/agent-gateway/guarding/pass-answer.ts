/** What the client receives of a server's answer or error, and what the audit log says of it. */
import { AppError } from '#base/errors.ts';
import { RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import { deliverable } from './deliverable.ts';
import { inspect, marked, markedData, type Inspected, type InspectDeps, type Origin } from './inspect.ts';
import type { RedactedResult, RedactionCounts } from './redact-result.ts';

/** What the client receives of the server's answer, and what was found in it. */
export interface Passed {
  readonly result: Fields;
  readonly found: Inspected | undefined;
  readonly redactions: RedactionCounts | null;
  /** What the output guard did not read, such as pictures. */
  readonly unread: readonly string[];
}

/** The agent must not read in the reason what is withheld from it; the audit log quotes it. */
function unquoted(reason: string): string {
  const [opening, closing] = [reason.indexOf(': “'), reason.lastIndexOf('”')];
  return opening < 0 || closing < opening ? reason : reason.slice(0, opening) + reason.slice(closing + 1);
}

/** Checks and redacts an answer. What is withheld is replaced by `instead`. No promise where nothing has to wait. */
export function passResult(
  deps: InspectDeps,
  origin: Origin,
  answer: Fields,
  instead: (text: string) => Fields,
): Passed | Promise<Passed> {
  const unread: string[] = [];
  const inspecting = inspect(deps, origin, answer, unread);
  if (inspecting !== undefined) return passInspected({ origin, answer, instead, unread }, inspecting);
  const clean = deliverable(origin.gateway, answer);
  const shown = ({ result, counts }: RedactedResult): Passed => ({
    result,
    found: undefined,
    redactions: counts,
    unread,
  });
  return clean instanceof Promise ? clean.then(shown) : shown(clean);
}

interface Answer {
  readonly origin: Origin;
  readonly answer: Fields;
  readonly instead: (text: string) => Fields;
  readonly unread: readonly string[];
}

async function passInspected(
  { origin, answer, instead, unread }: Answer,
  inspecting: Promise<Inspected | undefined>,
): Promise<Passed> {
  const found = await inspecting;
  if (found?.withheld === true)
    return { result: instead(withheldForAgent(origin.name, found)), found, redactions: null, unread };
  const { result, counts } = await deliverable(origin.gateway, answer);
  return { result: found === undefined ? result : marked(result, found), found, redactions: counts, unread };
}

const withheldText = (name: string, { reason, isUnread }: Inspected) =>
  isUnread
    ? `Blocked: what ${name} answered is too large to be checked, and therefore withheld (rule: prompt injection in tool output). ${reason}`
    : `Blocked: what ${name} answered carries instructions to the agent (rule: prompt injection in tool output). ${reason}`;

/** What the agent reads in place of a withheld answer. */
export const withheldForAgent = (name: string, found: Inspected): string =>
  withheldText(name, { ...found, reason: unquoted(found.reason) });

/** What a server said in an error: its own, or one of ours that quotes it or its authorization server. */
function saidIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  return error instanceof AppError && error.status === 502
    ? new RpcError(rpcCodes.internalError, error.detail)
    : undefined;
}

/** What the client receives of an error, and what was found in it. */
export interface PassedError {
  readonly shown: unknown;
  readonly found: Inspected | undefined;
  readonly redactions: RedactionCounts | null;
}

/** The error for the client: error messages of servers may contain instructions and secrets too. */
export async function passError(deps: InspectDeps, origin: Origin, error: unknown): Promise<PassedError> {
  const said = saidIn(error);
  if (said === undefined) return { shown: error, found: undefined, redactions: null };
  const { code, message, data } = said;
  const found = await inspect(deps, origin, { message, data });
  if (found?.withheld === true) {
    const why = found.isUnread ? 'is too large to be checked' : 'carries instructions to the agent';
    const text = `${origin.name} failed with an error that ${why}, which is withheld.`;
    return { shown: new RpcError(code, text), found, redactions: null };
  }
  const given = { message, data };
  const { result, counts } = await deliverable(origin.gateway, given);
  if (found === undefined && result === given) return { shown: error, found, redactions: null };
  const clean = result['data'];
  const shownData = found === undefined ? clean : markedData(clean, found);
  return { shown: new RpcError(code, String(result['message']), shownData), found, redactions: counts };
}

/** What the audit log says of an answer with instructions: whether the client received it. */
export const foundReason = (name: string, found: Inspected): string =>
  found.withheld
    ? withheldText(name, found)
    : `Passed on with a warning: what ${name} answered ${found.isUnread ? 'is too large to be checked' : 'carries instructions to the agent'}. ${found.reason}`;

/** What the audit log says of an answer: what was found in it, and what was not read. */
export const passedReasons = (
  name: string,
  found: Inspected | undefined,
  unread: readonly string[],
): string[] => [
  ...(found === undefined ? [] : [foundReason(name, found)]),
  ...(unread.length === 0 ? [] : [`The output guard did not read ${unread.join(', ')}.`]),
];
