/** What the audit log and the client receive of failures, and of answers that no action guard judges. */
import { RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import type { Guarded } from './guarded-call.ts';
import type { InspectDeps, Origin } from './inspect.ts';
import {
  foundReason,
  passedReasons,
  passError,
  passResult,
  type PassedError,
  withheldForAgent,
} from './pass-answer.ts';

/**
 * The audit entry of a call that failed: it says what the client received, whether that is an error or a result.
 * @throws what the client receives, where nothing was found in it and nothing redacted
 */
export function failed(
  name: string,
  { shown, found, redactions }: PassedError,
  guardLatencyMs: number,
): Guarded {
  if (!(shown instanceof RpcError) || (found === undefined && redactions === null)) throw shown;
  return {
    result: {},
    allowed: found?.withheld !== true,
    outcome: found?.withheld === true ? 'output_blocked' : 'failed',
    reason: found === undefined ? shown.message : foundReason(name, found),
    ruleIds: [],
    guardLatencyMs,
    redactions,
    error: shown,
  };
}

/** The answer of a prompt, a resource or a completion: checked and redacted, without the action guard. */
export async function guardAnswer(
  deps: InspectDeps,
  origin: Origin,
  forward: () => Promise<Fields>,
): Promise<Guarded> {
  let answer: Fields;
  try {
    answer = await forward();
  } catch (error) {
    return failed(origin.name, await passError(deps, origin, error), 0);
  }
  const began = performance.now();
  const { result, found, redactions, unread } = await passResult(deps, origin, answer, () => ({}));
  const withheld = found?.withheld === true ? found : undefined;
  return {
    result,
    allowed: withheld === undefined,
    outcome: withheld === undefined ? 'ok' : 'output_blocked',
    reason: passedReasons(origin.name, found, unread).join(' '),
    ruleIds: [],
    guardLatencyMs: performance.now() - began,
    redactions,
    ...(withheld !== undefined && {
      error: new RpcError(rpcCodes.internalError, withheldForAgent(origin.name, withheld)),
    }),
  };
}
