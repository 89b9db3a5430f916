/**
 * Dispatches client requests to servers: finds the server, applies the guards, translates names, returns the response.
 */
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import { fieldsOf, isFields, RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import { metaOf } from '#mcp/protocol.ts';
import type { Outcome } from '../audit/entry.ts';
import { redacted, withoutSecrets } from '../audit/redact.ts';
import { guardAnswer } from '../guarding/guard-answer.ts';
import { guardCall } from '../guarding/guard-call.ts';
import type { Guarded } from '../guarding/guarded-call.ts';
import { isQuarantined, mayUse } from '../guarding/may-use.ts';
import { principalOf, type Ask, type Client } from '../guarding/ask.ts';
import type { Offer } from '../upstreams/catalog.ts';
import { forward } from './forward.ts';
import { findOne, findResource, invalidParams } from './find-offer.ts';
import { kindOf, listOffers } from './list-offers.ts';
import type { LiveGateway } from './live-gateway.ts';
import { soundToolResult } from './results.ts';
import { signInError, signInResult } from './sign-in-first.ts';

/**
 * Answers a client's request. Throws RpcError for protocol errors, AppError for errors with an HTTP status of their
 * own.
 */
export type Dispatch = (live: LiveGateway, client: Client, ask: Ask) => Promise<Fields>;

/** Maximum length of a tool or prompt name or a URI, since it is compared with everything that servers offer. */
const longestName = 8192;

function textParam(params: Fields, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`'${name}' must be a text.`);
  if (value.length > longestName)
    throw invalidParams(`'${name}' must have at most ${longestName} characters.`);
  return value;
}

/** The part of the client's `_meta` that is forwarded: the client's own keys and the trace context. */
const traceIdOf = (params: Fields): string | null => {
  const { traceparent } = metaOf(params);
  return typeof traceparent === 'string'
    ? (/^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent)?.[1] ?? null)
    : null;
};

/** The server was asked, or should have been, and gave no answer that counts. */
const failures: ReadonlySet<Outcome> = new Set(['tool_error', 'guard_failed', 'failed']);

function outcomeOfError(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return 'cancelled';
  if (error instanceof AppError && error.status === 429) return 'rate_limited';
  return error instanceof RpcError && error.code === rpcCodes.invalidParams ? 'unknown' : 'failed';
}

/** Starts a span as a child of the client's span, if tracing is on. */
function inSpan(
  live: LiveGateway,
  ask: Ask,
  toolName: string,
  run: () => Promise<Guarded>,
): Promise<Guarded> {
  const { tracing } = live.deps;
  if (tracing === undefined) return run();
  const attributes = {
    'mcp.method.name': ask.method,
    'mcp.tool.name': toolName.slice(0, 200),
    'bulwark.gateway_id': live.gateway.gatewayId,
  };
  const facts = { name: `agent_gateway.${ask.method}`, parent: metaOf(ask.params), attributes };
  return tracing.call(facts, async (note) => {
    const guarded = await run();
    note({ 'bulwark.outcome': guarded.outcome, 'bulwark.allowed': String(guarded.allowed) });
    return guarded;
  });
}

/** What is asked for. */
interface Subject {
  toolName: string;
  args: unknown;
  serverOf: () => string | undefined;
  /** The approval that the call was held for; undefined if for none. */
  heldOf?: () => { approvalId: string | null } | undefined;
}

/** Runs the call and writes its audit entry. */
async function audited(
  live: LiveGateway,
  client: Client,
  ask: Ask,
  subject: Subject,
  run: () => Promise<Guarded>,
): Promise<Fields> {
  const began = performance.now();
  const { caller } = client;
  const note = (
    facts: Pick<Guarded, 'allowed' | 'outcome' | 'reason' | 'ruleIds' | 'guardLatencyMs' | 'redactions'>,
  ) => {
    const held = subject.heldOf?.();
    const nowMs = live.deps.clock.now();
    const entry = {
      callId: newUuid(nowMs),
      tenantId: caller.tenantId,
      gatewayId: live.gateway.gatewayId,
      at: new Date(nowMs),
      method: ask.method,
      toolName: subject.toolName.slice(0, 2000),
      serverId: subject.serverOf() ?? null,
      userId: caller.userId,
      principal: principalOf(caller),
      sessionId: client.sessionId,
      arguments: subject.args === undefined ? null : redacted(subject.args),
      ...facts,
      redactions: facts.redactions ?? null,
      held: held !== undefined,
      approvalId: held?.approvalId ?? null,
      // Server errors may repeat secrets from the request.
      reason: withoutSecrets(facts.reason),
      latencyMs: performance.now() - began,
      traceId: traceIdOf(ask.params) ?? live.deps.tracing?.traceId() ?? null,
    };
    live.deps.events.called(entry);
    live.deps.count?.({
      tenantId: entry.tenantId,
      source: 'calls',
      subject: entry.gatewayId,
      subjectName: live.gateway.name,
      stopped: !entry.allowed,
      failed: failures.has(entry.outcome),
    });
    return live.deps.callLog.write(entry);
  };
  let guarded: Guarded;
  try {
    guarded = await inSpan(live, ask, subject.toolName, run);
  } catch (error) {
    const outcome = outcomeOfError(error, ask.signal);
    const reason = error instanceof Error ? error.message : 'It failed.';
    await note({ allowed: outcome !== 'rate_limited', outcome, reason, ruleIds: [], guardLatencyMs: 0 });
    throw error;
  }
  const { allowed, outcome, reason, ruleIds, guardLatencyMs, redactions } = guarded;
  const noted = note({ allowed, outcome, reason, ruleIds, guardLatencyMs, redactions });
  if (noted !== undefined) await noted;
  if (guarded.error !== undefined) throw guarded.error;
  return guarded.result;
}

function callTool(live: LiveGateway, client: Client, ask: Ask): Promise<Fields> {
  const toolName = textParam(ask.params, 'name');
  const sent = ask.params['arguments'] ?? undefined;
  // Any other value would be dropped and the tool called without its arguments.
  if (sent !== undefined && !isFields(sent)) throw invalidParams("'arguments' must be an object.");
  const args = fieldsOf(sent);
  let offer: Offer | undefined;
  let held: { approvalId: string | null } | undefined;
  return audited(
    live,
    client,
    ask,
    { toolName, args, serverOf: () => offer?.attachment.server.serverId, heldOf: () => held },
    async () => {
      const finding = findOne(live, client, 'tools', toolName);
      const found = finding instanceof Promise ? await finding : finding;
      offer = found;
      const listing = live.catalog.list('tools', client);
      const listed = listing instanceof Promise ? await listing : listing;
      const params = sent === undefined ? { name: found.ownName } : { name: found.ownName, arguments: args };
      return guardCall(live.guards, {
        gateway: live.gateway,
        client,
        ask,
        offer: found,
        args,
        listed,
        onHeld: (approvalId) => (held = { approvalId }),
        forward: () => forward(live, client, ask, found, params).then(soundToolResult),
      });
    },
  ).catch(signInResult);
}

/** Whether the prompt or resource is not listed because of what its definition says. */
const waitsForApproval = (live: LiveGateway, ask: Ask, offer: Offer): boolean | Promise<boolean> =>
  // A resource that no list names has no definition.
  'name' in offer.definition || 'uri' in offer.definition
    ? isQuarantined(
        live.guards,
        live.gateway,
        ask.method.startsWith('prompts/')
          ? 'prompts'
          : 'uriTemplate' in offer.definition
            ? 'templates'
            : 'resources',
        offer,
      )
    : false;

/** Prompts and resources: access control, output guard and audit log, without action guard. */
function reach(
  live: LiveGateway,
  client: Client,
  ask: Ask,
  toolName: string,
  find: () => Promise<{ offer: Offer; params: Fields }>,
): Promise<Fields> {
  let offer: Offer | undefined;
  const serverOf = () => offer?.attachment.server.serverId;
  return audited(live, client, ask, { toolName, args: ask.params['arguments'], serverOf }, async () => {
    const found = await find();
    offer = found.offer;
    await live.guards.countCall(client.caller.apiKeyId ?? client.caller.userId);
    // Answered as not found, as lists do not show it either.
    if (!mayUse(live.gateway, client, offer, false) || (await waitsForApproval(live, ask, offer)))
      throw invalidParams(`Unknown at this gateway, or not for you: ${toolName.slice(0, 200)}`);
    return guardAnswer(live.guards, { gateway: live.gateway, name: toolName.slice(0, 200) }, () =>
      forward(live, client, ask, found.offer, found.params),
    );
  }).catch(signInError);
}

function complete(live: LiveGateway, client: Client, ask: Ask): Promise<Fields> {
  const ref = fieldsOf(ask.params['ref']);
  const { argument, context } = ask.params;
  const rest = { argument, ...(context !== undefined && { context }) };
  if (ref['type'] === 'ref/prompt') {
    const name = textParam(ref, 'name');
    return reach(live, client, ask, name, async () => {
      const offer = await findOne(live, client, 'prompts', name);
      return { offer, params: { ref: { ...ref, name: offer.ownName }, ...rest } };
    });
  }
  const uri = textParam(ref, 'uri');
  return reach(live, client, ask, uri, async () => {
    const [template] = await live.catalog.find('templates', uri, client);
    return { offer: template ?? (await findResource(live, client, uri)), params: { ref, ...rest } };
  });
}

const byResource = (live: LiveGateway, client: Client, ask: Ask): Promise<Fields> => {
  const uri = textParam(ask.params, 'uri');
  return reach(live, client, ask, uri, async () => ({
    offer: await findResource(live, client, uri),
    params: { uri },
  }));
};

const byPrompt = (live: LiveGateway, client: Client, ask: Ask): Promise<Fields> => {
  const name = textParam(ask.params, 'name');
  return reach(live, client, ask, name, async () => {
    const offer = await findOne(live, client, 'prompts', name);
    const args = ask.params['arguments'];
    return { offer, params: { name: offer.ownName, ...(args !== undefined && { arguments: args }) } };
  });
};

const byMethod: ReadonlyMap<string, Dispatch> = new Map(
  Object.entries({
    'tools/call': callTool,
    'prompts/get': byPrompt,
    'resources/read': byResource,
    'resources/subscribe': byResource,
    'resources/unsubscribe': byResource,
    'completion/complete': complete,
  }),
);

export const dispatch: Dispatch = async (live, client, ask) => {
  using _ = live.begin();
  const kind = kindOf(ask.method);
  if (kind !== undefined) return await listOffers(live, client, kind, ask.method);
  const run = byMethod.get(ask.method);
  if (run === undefined)
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${ask.method.slice(0, 100)}`);
  // Whatever a call waits for, it is aborted when the gateway stops.
  using _until = live.untilStopped(ask.stop);
  return await run(live, client, ask);
};
