import { threeDecimals } from '#base/three-decimals.ts';
import { badRequest } from '#base/errors.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { adapterOperations } from '../../contract/adapters.ts';
import { messageTurns, requestTurns, responseTurns, toolCallTurns, type Turn } from './chat-turns.ts';
import type { TurnsVerdict } from './judge-turns.ts';

type Operations = typeof adapterOperations;
export type LiteLlmBody = Checked<Operations['liteLlmGuardrail']>['body'];
type PortkeyBody = Checked<Operations['portkeyWebhook']>['body'];

/**
 * The turns that LiteLLM sends. Its messages say who wrote a text; texts that they do not contain are the user's in a
 * request and the assistant's in a response.
 */
export function liteLlmTurns({
  texts,
  structured_messages: messages,
  tool_calls: calls,
  input_type: input,
  additional_provider_specific_params: params,
}: LiteLlmBody): Turn[] {
  const said = (messages ?? []).flatMap(messageTurns);
  const known = new Set(said.map(({ text }) => text));
  const others = (texts ?? [])
    .filter((text) => !known.has(text))
    .map((text): Turn => ({ role: input === 'response' ? 'assistant' : 'user', text }));
  // The current request stays the last turn: that of the messages, else that of the texts.
  const all = [...toolCallTurns(calls), ...others, ...said];
  if (params?.skip_system_messages !== true) return all;
  const skipped = new Set(said.filter(({ role }) => role === 'system').map(({ text }) => text));
  return all.filter(({ text }) => !skipped.has(text));
}

/** The guard that the parameters name. */
export function liteLlmGuard({ additional_provider_specific_params: params }: LiteLlmBody): string {
  if (params?.guard_uuid !== undefined) return params.guard_uuid;
  throw badRequest(
    "'additional_provider_specific_params.guard_uuid' is required: name the guard there, or let api_base end in /api/adapters/litellm/<guard>.",
  );
}

const policyNames = ({ violations }: TurnsVerdict) => [...new Set(violations.map(({ policy }) => policy))];

/** @param texts in place of those that were sent, where they hold what the guard takes out. */
export function liteLlmToWire(
  verdict: TurnsVerdict,
  texts: string[] | undefined,
): Answer<Operations['liteLlmGuardrail']> {
  if (verdict.flagged)
    return { action: 'BLOCKED', blocked_reason: `Not allowed here: ${policyNames(verdict).join(', ')}.` };
  return texts === undefined ? { action: 'NONE' } : { action: 'GUARDRAIL_INTERVENED', texts };
}

/** What is judged in a call of the webhook, and the turns before it. */
export function portkeyTurns({ eventType, request, response }: PortkeyBody): {
  turns: Turn[];
  before: Turn[];
} {
  const asked = requestTurns(request?.json);
  // The text extracted by the gateway itself, for request formats that are unknown here.
  const turnsOf = (turns: Turn[], text: unknown) => (turns.length > 0 ? turns : messageTurns(text));
  return eventType === 'beforeRequestHook'
    ? { turns: turnsOf(asked, request?.text), before: [] }
    : { turns: turnsOf(responseTurns(response?.json), response?.text), before: asked };
}

export const portkeyToWire = ({
  guard,
  flagged,
  violations,
  textsJudged,
  latencyMs,
}: TurnsVerdict): Answer<Operations['portkeyWebhook']> => ({
  verdict: !flagged,
  data: {
    guard_uuid: guard.guardUuid,
    guard: guard.name,
    violations: violations.map(({ groupUuid, policy, probability, threshold }) => ({
      policy_group_uuid: groupUuid,
      policy,
      probability,
      threshold,
    })),
    texts_judged: textsJudged,
    latency_ms: threeDecimals(latencyMs),
  },
});
