/** Everything that stands between a tool call and its server, and between the server's answer and the client. */
import type { Clock } from '#base/clock.ts';
import { AppError, tooManyRequests } from '#base/errors.ts';
import { redacted } from '../audit/redact.ts';
import type { Outcome } from '../audit/entry.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { isAllowed } from '../access/access.ts';
import type { Ask, Client } from '../endpoint/ask.ts';
import { principalOf } from '../endpoint/ask.ts';
import type { Offer } from '../endpoint/catalog.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../gateways/gateway.ts';
import type { Pins } from '../pins/pins.ts';
import { fieldsOf, RpcError, type Fields } from '#mcp/json-rpc.ts';
import type { ActionVerdict, AskActionGuard } from './action-guard.ts';
import { textOfResult, type OutputCheck } from './output-check.ts';
import type { Traces, TraceStep } from './trace.ts';

/** What the guards of one gateway need. */
export interface GuardDeps {
  readonly clock: Clock;
  readonly traces: Traces;
  readonly pins: Pins;
  readonly approvals: Approvals;
  readonly askActionGuard: AskActionGuard;
  readonly checkOutput: OutputCheck;
  readonly events: AgentGatewayEvents;
  /** Counts a call; throws AppError 429 when the caller has none left. */
  readonly countCall: (caller: string) => void;
}

export interface GuardedCall {
  readonly gateway: Gateway;
  readonly client: Client;
  readonly ask: Ask;
  readonly offer: Offer;
  readonly args: Fields;
  /** Forwards it. */
  readonly forward: () => Promise<Fields>;
}

/** What goes back, and what is written down about it. */
export interface Guarded {
  readonly result: Fields;
  readonly allowed: boolean;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ruleIds: readonly string[];
  readonly guardLatencyMs: number;
}

interface Refusal {
  readonly outcome: Outcome;
  /** For the client; it names the rule. */
  readonly text: string;
  readonly ruleIds?: readonly string[];
}

const refusalResult = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

const accessTarget = ({ attachment, name }: Offer) => ({
  serverId: attachment.server.serverId,
  serverName: attachment.server.name,
  tool: name,
});

/** By the same rule for lists and calls. */
export const mayUse = (
  { accessControl }: Gateway,
  { caller }: Client,
  offer: Offer,
  isTool: boolean,
): boolean =>
  isAllowed(
    accessControl,
    { userId: caller.userId, roles: caller.roles, clientId: undefined },
    { ...accessTarget(offer), ...(!isTool && { tool: undefined }) },
  );

const describeViolations = (verdict: ActionVerdict): string => verdict.violations.join(' ');

/** Asks the person at the client, where the client can do that. */
async function askAtClient({ ask, offer }: GuardedCall, reasons: readonly string[]): Promise<boolean> {
  const answer = await ask.onRequest(
    {
      jsonrpc: '2.0',
      id: 'approval',
      method: 'elicitation/create',
      params: {
        message: `The call of ${offer.name} needs your approval: ${reasons.join(' ')}`,
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Approve this call', default: false } },
          required: ['approve'],
        },
      },
    },
    ask.signal,
  );
  return answer['action'] === 'accept' && fieldsOf(answer['content'])['approve'] === true;
}

async function isApproved(deps: GuardDeps, call: GuardedCall, reasons: readonly string[]): Promise<boolean> {
  const { client, gateway, offer, args, ask } = call;
  if (client.capabilities['elicitation'] !== undefined) return askAtClient(call, reasons);
  const { caller } = client;
  const decision = await deps.approvals.ask(
    {
      tenantId: caller.tenantId,
      gatewayId: gateway.gatewayId,
      userId: caller.userId,
      apiKeyId: caller.apiKeyId ?? null,
      principal: principalOf(caller),
      toolName: offer.name,
      serverId: offer.attachment.server.serverId,
      arguments: redacted(args),
      reasons,
    },
    ask.signal,
  );
  return decision === 'approved';
}

async function judgeAction(
  deps: GuardDeps,
  call: GuardedCall,
  steps: readonly TraceStep[],
): Promise<Refusal | undefined> {
  const { gateway, client } = call;
  if (gateway.actionGuardPolicyId === null) return undefined;
  let verdict: ActionVerdict;
  try {
    verdict = await deps.askActionGuard({
      caller: client.caller,
      gatewayId: gateway.gatewayId,
      policySetId: gateway.actionGuardPolicyId,
      sessionId: client.sessionId,
      steps,
    });
  } catch (error) {
    if (gateway.guardFailure === 'open' || !(error instanceof AppError)) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
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
  if (await isApproved(deps, call, verdict.violations)) return undefined;
  return { outcome: 'approval_denied', text: `Not approved: ${reasons}`, ruleIds };
}

/** Why the call must not go on; the order is that of cost. */
async function refusalOf(
  deps: GuardDeps,
  call: GuardedCall,
  steps: readonly TraceStep[],
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
  return judgeAction(deps, call, steps);
}

/** What the client gets of an answer that carries instructions. */
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

/** What is written down of a call that must not go on. */
const refused = (refusal: Refusal, guardLatencyMs: number): Guarded => ({
  result: refusalResult(refusal.text),
  allowed: false,
  outcome: refusal.outcome,
  reason: refusal.text,
  ruleIds: refusal.ruleIds ?? [],
  guardLatencyMs,
});

/** What is written down of a call that went on, with what was found before or after it. */
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

const beginStep = (deps: GuardDeps, { client, offer, args }: GuardedCall) => {
  const { server } = offer.attachment;
  const { description } = offer.definition;
  const trace = deps.traces.of(client.key);
  const begun = trace.begin({
    tool_name: offer.ownName,
    tool_params: args,
    tool_description: typeof description === 'string' ? description : '',
    server_name: server.name,
    server_id: server.serverId,
  });
  return { trace, ...begun };
};

/**
 * Judges, forwards, and judges the answer.
 * @throws AppError 429 when the caller has no calls left; whatever forwarding throws.
 */
export async function guardCall(deps: GuardDeps, call: GuardedCall): Promise<Guarded> {
  const { gateway, client, forward } = call;
  deps.countCall(client.caller.apiKeyId ?? client.caller.userId);
  const began = performance.now();
  const { trace, steps, step } = beginStep(deps, call);
  const refusal = await refusalOf(deps, call, steps);
  const judgedMs = performance.now() - began;
  // Who may use what is no matter of observing: that is decided by people.
  if (refusal !== undefined && (gateway.guardMode === 'enforce' || refusal.outcome === 'access_denied'))
    return refused(refusal, judgedMs);
  trace.keep(step);
  const answer = await forward().catch((error: unknown) => {
    trace.ended(step, error instanceof RpcError ? error.message : '');
    throw error;
  });
  const answeredAt = performance.now();
  const text = textOfResult(answer);
  const checked = await checkedOutput(deps, call, answer, text);
  const guarded = answered(answer, checked, refusal, judgedMs + (performance.now() - answeredAt));
  // What never reached the agent cannot lead it astray.
  trace.ended(step, guarded.outcome === 'output_blocked' ? '' : text);
  return guarded;
}

/** Counts the calls of each caller by the minute; the limit is that of the gateway as it is now. */
export function createCallCounter(clock: Clock, limit: () => number | null): (caller: string) => void {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (caller) => {
    const perMinute = limit();
    if (perMinute === null) return;
    const nowMs = clock.now();
    const known = buckets.get(caller);
    const gained = known === undefined ? perMinute : ((nowMs - known.atMs) * perMinute) / 60_000;
    const tokens = Math.min(perMinute, (known?.tokens ?? 0) + Math.max(0, gained));
    if (tokens < 1)
      throw tooManyRequests(
        `More than ${perMinute} calls a minute at this gateway. Wait as long as Retry-After says.`,
        ((1 - tokens) * 60) / perMinute,
      );
    if (buckets.size > 10_000) buckets.clear();
    buckets.set(caller, { tokens: tokens - 1, atMs: nowMs });
  };
}
