/** All checks between a tool call and its server, and between the server's result and the client. */
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { CountRequest } from '#base/limits/rate-limits.ts';
import type { Outcome } from '../audit/entry.ts';
import type { Approvals } from './approvals/approvals.ts';
import { isAllowed } from './access/access.ts';
import type { Client } from './ask.ts';
import { isApproved } from './ask-person.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Pins } from './pins/pins.ts';
import { fieldsOf, RpcError, type Fields } from '#mcp/json-rpc.ts';
import { metaOf, taskKey } from '#mcp/protocol.ts';
import type { GuardedCall } from './guarded-call.ts';
import type { ActionVerdict, AskActionGuard } from './action-guard.ts';
import { listedStep } from './listed-tools.ts';
import { textOfResult, type OutputCheck } from './output-check.ts';
import type { Begun, Traces, TraceStep } from './trace.ts';

/** Dependencies of the guards of one gateway. */
export interface GuardDeps {
  readonly clock: Clock;
  readonly traces: Traces;
  readonly pins: Pins;
  readonly approvals: Approvals;
  readonly askActionGuard: AskActionGuard;
  readonly checkOutput: OutputCheck;
  readonly events: AgentGatewayEvents;
  /** Counts a call; throws AppError 429 if the caller has exceeded the rate limit. */
  readonly countCall: CountRequest;
}

/** The result for the client, and what the audit log records. */
export interface Guarded {
  readonly result: Fields;
  readonly allowed: boolean;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ruleIds: readonly string[];
  readonly guardLatencyMs: number;
}

/** The trace with and without what the client states, and the id under which the call is judged. */
type ShownCalls = Pick<Begun, 'steps' | 'calls'> & { readonly callId: string };

interface Refusal {
  readonly outcome: Outcome;
  /** Message for the client; names the rule. */
  readonly text: string;
  readonly ruleIds?: readonly string[];
}

const refusalResult = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

const accessTarget = ({ attachment, name }: Offer) => ({
  serverId: attachment.server.serverId,
  serverName: attachment.server.name,
  tool: name,
});

/** Checked by the same rule as lists. */
export const mayUse = (
  { accessControl }: Gateway,
  { caller }: Client,
  offer: Offer,
  isTool: boolean,
): boolean =>
  isAllowed(
    accessControl,
    { userId: caller.userId, roles: caller.roles, clientId: caller.oauth?.clientId },
    { ...accessTarget(offer), ...(!isTool && { tool: undefined }) },
  );

const shownViolations = 3;

/** Short, because agents read it; the audit log contains the ids of all rules. */
function describeViolations({ violations }: ActionVerdict): string {
  const more = violations.length - shownViolations;
  return violations.slice(0, shownViolations).join(' ') + (more > 0 ? ` And ${more} more.` : '');
}

/**
 * The task that the client states can only make the guard stricter: the call must pass without it, as it is judged if
 * nothing is stated, and also with it.
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
  if (await isApproved(deps.approvals, call, verdict, () => askGuard(deps, call, policySetId, begun)))
    return undefined;
  return { outcome: 'approval_denied', text: `Not approved: ${reasons}`, ruleIds };
}

/** Why the call is refused, if it is. The cheapest checks come first. */
async function refusalOf(
  deps: GuardDeps,
  call: GuardedCall,
  begun: ShownCalls,
): Promise<Refusal | undefined> {
  const { gateway, client, offer } = call;
  if (!mayUse(gateway, client, offer, true))
    return {
      outcome: 'access_denied',
      text: `Blocked by access control: you may not call ${offer.name} at this gateway.`,
    };
  if (gateway.pinTools !== 'off' && !(await deps.pins.asPinned(offer)) && gateway.pinTools === 'block')
    return {
      outcome: 'tool_changed',
      text: `Blocked: ${offer.name} has changed since it was first seen. Its owner has to approve the change.`,
    };
  return judgeAction(deps, call, begun);
}

/** The result for the client if the output contains instructions. */
async function checkedOutput(
  deps: GuardDeps,
  { gateway, offer }: GuardedCall,
  result: Fields,
  text: string,
): Promise<{ result: Fields; refusal: Refusal | undefined }> {
  if (gateway.outputGuard === 'off') return { result, refusal: undefined };
  const finding = await deps.checkOutput(text);
  if (finding === undefined) return { result, refusal: undefined };
  deps.events.outputFlagged(gateway.gatewayId, offer.name, finding.reason);
  const refusal = {
    outcome: 'output_blocked' as const,
    text: `Blocked: what ${offer.name} answered carries instructions to the agent (rule: prompt injection in tool output). ${finding.reason}`,
  };
  if (gateway.outputGuard === 'block' && gateway.guardMode === 'enforce')
    return { result: refusalResult(refusal.text), refusal };
  const meta = fieldsOf(result['_meta']);
  const warning = { ...meta, 'bulwark/warning': `prompt injection in tool output: ${finding.reason}` };
  return { result: { ...result, _meta: warning }, refusal };
}

/** The error for the client: error messages of servers may contain instructions too. */
async function checkedError(
  deps: GuardDeps,
  { gateway, offer }: GuardedCall,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof RpcError) || gateway.outputGuard === 'off') return error;
  const finding = await deps.checkOutput(error.message);
  if (finding === undefined) return error;
  deps.events.outputFlagged(gateway.gatewayId, offer.name, finding.reason);
  if (gateway.outputGuard === 'warn' || gateway.guardMode === 'observe') return error;
  const text = `${offer.name} failed with an error that carries instructions to the agent, which is withheld.`;
  return new RpcError(error.code, text);
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
  answer: Fields,
  { result, refusal: found }: Awaited<ReturnType<typeof checkedOutput>>,
  observed: Refusal | undefined,
  guardLatencyMs: number,
): Guarded {
  const blocked = found !== undefined && result['isError'] === true;
  const noted = observed ?? found;
  const reason = noted === undefined ? '' : `Would have been blocked, or was warned of: ${noted.text}`;
  return {
    result,
    allowed: !blocked,
    outcome: blocked ? 'output_blocked' : answer['isError'] === true ? 'tool_error' : 'ok',
    reason: blocked ? found.text : reason,
    ruleIds: noted?.ruleIds ?? [],
    guardLatencyMs,
  };
}

const beginStep = (deps: GuardDeps, { client, offer, args, ask, listed }: GuardedCall) => {
  const { server } = offer.attachment;
  const task = metaOf(ask.params)[taskKey];
  const { description } = offer.definition;
  const trace = deps.traces.of(client.key);
  if (typeof task === 'string') trace.told(task);
  const begun = trace.begin({
    tool_name: offer.ownName,
    tool_params: args,
    tool_description: typeof description === 'string' ? description : '',
    server_name: server.name,
    server_id: server.serverId,
  });
  const before = listedStep(listed);
  const steps = [...before, ...begun.steps];
  const calls = begun.calls === begun.steps ? steps : [...before, ...begun.calls];
  return { trace, step: begun.step, steps, calls, callId: newUuid(deps.clock.now()) };
};

/**
 * Judges the call, forwards it, and checks the result.
 * @throws AppError 429 if the caller has exceeded the rate limit; any error of forwarding
 */
export async function guardCall(deps: GuardDeps, call: GuardedCall): Promise<Guarded> {
  const { gateway, client, forward } = call;
  await deps.countCall(client.caller.apiKeyId ?? client.caller.userId);
  const began = performance.now();
  const { trace, step, ...begun } = beginStep(deps, call);
  const refusal = await refusalOf(deps, call, begun);
  const judgedMs = performance.now() - began;
  // Access control applies in observe mode too.
  if (refusal !== undefined && (gateway.guardMode === 'enforce' || refusal.outcome === 'access_denied'))
    return refused(refusal, judgedMs);
  trace.keep(step);
  const answer = await forward().catch(async (error: unknown) => {
    const shown = await checkedError(deps, call, error);
    trace.ended(step, shown instanceof RpcError ? shown.message : '');
    throw shown;
  });
  const answeredAt = performance.now();
  const text = textOfResult(answer);
  const checked = await checkedOutput(deps, call, answer, text);
  const guarded = answered(answer, checked, refusal, judgedMs + (performance.now() - answeredAt));
  // Withheld outputs never reached the agent, so they are not part of the trace.
  trace.ended(step, guarded.outcome === 'output_blocked' ? '' : text);
  return guarded;
}
