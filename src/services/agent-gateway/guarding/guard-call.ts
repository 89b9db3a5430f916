/** All checks between a tool call and its server, and between the server's result and the client. */
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { CountRequest } from '#base/limits/rate-limits.ts';
import type { Outcome } from '../audit/entry.ts';
import type { Approvals } from './approvals/approvals.ts';
import { isApproved } from './ask-person.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Descriptions } from './descriptions/descriptions.ts';
import type { Pins } from './pins/pins.ts';
import { RpcError, type Fields } from '#mcp/json-rpc.ts';
import { metaOf, taskKey } from '#mcp/protocol.ts';
import { failed } from './guard-answer.ts';
import type { Guarded, GuardedCall } from './guarded-call.ts';
import type { ActionVerdict, AskActionGuard } from './action-guard.ts';
import { listedStep } from './listed-tools.ts';
import { isQuarantined, mayUse } from './may-use.ts';
import type { OutputCheck } from './output-check.ts';
import { passedReasons, passError, passResult, type Passed } from './pass-answer.ts';
import { outputOf } from './texts.ts';
import type { Begun, Traces, TraceStep } from './trace.ts';

/** Dependencies of the guards of one gateway. */
export interface GuardDeps {
  readonly clock: Clock;
  readonly traces: Traces;
  readonly pins: Pins;
  readonly descriptions: Descriptions;
  readonly approvals: Approvals;
  readonly askActionGuard: AskActionGuard;
  readonly checkOutput: OutputCheck;
  readonly events: AgentGatewayEvents;
  /** Counts a call; throws AppError 429 if the caller has exceeded the rate limit. */
  readonly countCall: CountRequest;
}

/** What a call waited for beside the guards. */
interface Timing {
  waitedMs: number;
}

/** The trace with and without what the client stated later, and the id under which the call is judged. */
type ShownCalls = Pick<Begun, 'steps' | 'calls'> & { readonly callId: string };

interface Refusal {
  readonly outcome: Outcome;
  /** Message for the client; names the rule. */
  readonly text: string;
  readonly ruleIds?: readonly string[];
}

const refusalResult = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

const shownViolations = 3;

/** Short, because agents read it; the audit log contains the ids of all rules. */
function describeViolations({ violations }: ActionVerdict): string {
  const more = violations.length - shownViolations;
  return violations.slice(0, shownViolations).join(' ') + (more > 0 ? ` And ${more} more.` : '');
}

/**
 * A task that the client stated before the agent had read anything is the user's word. A later one can only make the guard
 * stricter: the call must pass without it and also with it.
 */
async function askGuard(
  deps: GuardDeps,
  { gateway, client }: GuardedCall,
  policySetId: string,
  { steps, calls, callId }: ShownCalls,
): Promise<ActionVerdict> {
  const { caller, sessionId } = client;
  const ask = (shown: readonly TraceStep[]) =>
    deps.askActionGuard({
      caller,
      gateway,
      policySetId,
      sessionId,
      callId,
      hold: gateway.guardMode === 'observe' ? 'never' : 'checked',
      steps: shown,
      actions: calls.length,
    });
  const verdict = await ask(calls);
  return !verdict.allowed || calls.length === steps.length ? verdict : ask(steps);
}

async function judgeAction(
  deps: GuardDeps,
  call: GuardedCall,
  begun: ShownCalls,
  timing: Timing,
): Promise<Refusal | undefined> {
  const { gateway } = call;
  const policySetId = gateway.actionGuardPolicyId;
  if (policySetId === null) return undefined;
  let verdict: ActionVerdict;
  try {
    verdict = await askGuard(deps, call, policySetId, begun);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (gateway.guardFailure === 'open') return undefined;
    return {
      outcome: 'guard_failed',
      text: `Blocked: the action guard could not judge this call (${error.detail})`,
    };
  }
  if (verdict.allowed) return undefined;
  const reasons = describeViolations(verdict);
  const ruleIds = verdict.violations_detail.map(({ rule_id }) => rule_id);
  const blocked = { outcome: 'blocked', text: `Blocked by the action guard: ${reasons}`, ruleIds } as const;
  if (gateway.guardMode === 'observe' || verdict.violations_detail.some(({ action }) => action !== 'ask'))
    return blocked;
  const askedAt = performance.now();
  const { isApproved: approved, openUntil } = await isApproved(deps.approvals, call, verdict, () =>
    askGuard(deps, call, policySetId, begun),
  );
  timing.waitedMs += performance.now() - askedAt;
  if (approved) return undefined;
  const text =
    openUntil === undefined
      ? `Not approved: ${reasons}`
      : `Not approved yet: ${reasons} It can be approved until ${openUntil}; make the same call again once it is.`;
  return { outcome: 'approval_denied', text, ruleIds };
}

/** Why the call is refused, if it is. The cheapest checks come first; what is known of them is no promise. */
function refusalOf(
  deps: GuardDeps,
  call: GuardedCall,
  begun: ShownCalls,
  timing: Timing,
): Refusal | undefined | Promise<Refusal | undefined> {
  const { gateway, client, offer } = call;
  if (!mayUse(gateway, client, offer, true))
    return {
      outcome: 'access_denied',
      text: `Blocked by access control: you may not call ${offer.name} at this gateway.`,
    };
  const byDescription = (isWithheld: boolean) =>
    isWithheld
      ? {
          outcome: 'tool_quarantined' as const,
          text: `Blocked: the description of ${offer.name} speaks to the model. The gateway’s owner has to approve it.`,
        }
      : judgeAction(deps, call, begun, timing);
  const byPin = (isAsPinned: boolean) => {
    if (!isAsPinned && gateway.pinTools === 'block')
      return {
        outcome: 'tool_changed' as const,
        text: `Blocked: ${offer.name} has changed since it was first seen. Its owner has to approve the change.`,
      };
    const withheld = isQuarantined(deps, gateway, 'tools', offer);
    return withheld instanceof Promise ? withheld.then(byDescription) : byDescription(withheld);
  };
  const pinned = gateway.pinTools === 'off' || deps.pins.asPinned(offer);
  return pinned instanceof Promise ? pinned.then(byPin) : byPin(pinned);
}

/** The audit entry of a refused call. */
const refused = (refusal: Refusal, guardLatencyMs: number): Guarded => ({
  result: refusalResult(refusal.text),
  allowed: false,
  outcome: refusal.outcome,
  reason: refusal.text,
  ruleIds: refusal.ruleIds ?? [],
  guardLatencyMs,
});

/** The audit entry of an executed call, with findings before and after it. */
function answered(
  name: string,
  answer: Fields,
  { result, found, redactions, unread }: Passed,
  observed: Refusal | undefined,
  guardLatencyMs: number,
): Guarded {
  const blocked = found?.withheld === true;
  const reasons = [
    ...(observed === undefined ? [] : [`Would have been blocked, or was warned of: ${observed.text}`]),
    ...passedReasons(name, found, unread),
  ];
  return {
    result,
    allowed: !blocked,
    outcome: blocked ? 'output_blocked' : answer['isError'] === true ? 'tool_error' : 'ok',
    reason: reasons.join(' '),
    ruleIds: observed?.ruleIds ?? [],
    guardLatencyMs,
    redactions,
  };
}

const beginStep = (deps: GuardDeps, { client, offer, args, ask, listed }: GuardedCall) => {
  const { server } = offer.attachment;
  const task = metaOf(ask.params)[taskKey];
  const { description } = offer.definition;
  const trace = deps.traces.of(client.key);
  if (typeof task === 'string') trace.told(task);
  const metadata = {
    tool_name: offer.ownName,
    tool_params: args,
    tool_description: typeof description === 'string' ? description : '',
    server_name: server.name,
    server_id: server.serverId,
  };
  const { steps, calls, step } = trace.begin(metadata, listedStep(listed));
  return { trace, step, steps, calls, callId: newUuid(deps.clock.now()) };
};

/**
 * Judges the call, forwards it, and checks the result.
 * @throws AppError 429 if the caller has exceeded the rate limit; any error of forwarding
 */
export async function guardCall(deps: GuardDeps, call: GuardedCall): Promise<Guarded> {
  const { gateway, client, forward } = call;
  const counting = deps.countCall(client.caller.apiKeyId ?? client.caller.userId);
  if (counting instanceof Promise) await counting;
  const began = performance.now();
  const { trace, step, ...begun } = beginStep(deps, call);
  const timing: Timing = { waitedMs: 0 };
  const refusal = await refusalOf(deps, call, begun, timing);
  // Waiting for a person is not the guard's time.
  const judged = { guardMs: performance.now() - began - timing.waitedMs };
  // Access control applies in observe mode too.
  if (refusal !== undefined && (gateway.guardMode === 'enforce' || refusal.outcome === 'access_denied'))
    return refused(refusal, judged.guardMs);
  trace.keep(step);
  const origin = { gateway, name: call.offer.name };
  let answer: Fields;
  try {
    answer = await forward();
  } catch (error) {
    const passed = await passError(deps, origin, error);
    trace.ended(step, passed.shown instanceof RpcError ? passed.shown.message : '');
    return failed(origin.name, passed, judged.guardMs);
  }
  const answeredAt = performance.now();
  const passing = passResult(deps, origin, answer, refusalResult);
  const passed = passing instanceof Promise ? await passing : passing;
  const guardMs = judged.guardMs + (performance.now() - answeredAt);
  const guarded = answered(origin.name, answer, passed, refusal, guardMs);
  // Withheld outputs never reached the agent, so they are not part of the trace.
  trace.ended(step, passed.found?.withheld === true ? '' : outputOf(passed.result));
  return guarded;
}
