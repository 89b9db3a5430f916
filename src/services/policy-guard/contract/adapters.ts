import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Gateways';

const guardParam = z.object({ guard_uuid: z.string().min(1).max(100) });

const whoMayAsk =
  'Every user and API key of the guard’s tenant may ask it; to other tenants it does not exist (404). A disabled guard answers 409.';

/** A chat as OpenAI’s, Anthropic’s and Portkey’s clients send it: read for its texts, whatever else it holds. */
const chat = z.record(z.string(), z.unknown());

const LiteLlmParams = z
  .object({
    guard_uuid: z.string().min(1).max(100).optional().meta({
      description: 'The guard, where the path names none.',
    }),
    skip_system_messages: z.boolean().default(false).meta({
      description:
        'Do not judge system and developer messages; only where no one but the application can write them.',
    }),
  })
  .meta({ id: 'LiteLlmParams' });

const LiteLlmRequest = z
  .object({
    texts: z.array(z.string()).max(10_000).nullish(),
    structured_messages: z.array(chat).max(10_000).nullish(),
    tool_calls: z.array(chat).max(10_000).nullish(),
    input_type: z.enum(['request', 'response']).default('request'),
    additional_provider_specific_params: LiteLlmParams.nullish(),
  })
  .meta({ id: 'LiteLlmRequest' });

const LiteLlmAnswer = z
  .object({
    action: z.enum(['BLOCKED', 'NONE', 'GUARDRAIL_INTERVENED']),
    blocked_reason: z
      .string()
      .optional()
      .meta({ description: 'Which policies are violated; LiteLLM shows it to its caller.' }),
    texts: z.array(z.string()).optional().meta({
      description:
        'With `GUARDRAIL_INTERVENED`: one for each of `texts`, without what the guard’s `settings.redact` takes out.',
    }),
  })
  .meta({ id: 'LiteLlmAnswer' });

const liteLlm =
  `${whoMayAsk} Each text and the arguments of each tool call are judged; the last text with the turns before it as ` +
  'context. Images and definitions of tools are not. An empty text is passed over. Where nothing is flagged and the ' +
  'guard redacts, texts with personal data or secrets come back without them; for the arguments of tool calls the ' +
  'interface has no way back.';

const PortkeyRequest = z
  .object({
    eventType: z.enum(['beforeRequestHook', 'afterRequestHook']),
    request: z.object({ json: z.unknown(), text: z.unknown() }).partial().nullish(),
    response: z.object({ json: z.unknown(), text: z.unknown() }).partial().nullish(),
  })
  .meta({ id: 'PortkeyRequest' });

const PortkeyAnswer = z
  .object({
    verdict: z.boolean().meta({ description: 'True: the request or the response may go on.' }),
    data: z
      .object({
        guard_uuid: z.string(),
        guard: z.string(),
        violations: z.array(
          z
            .object({
              policy_group_uuid: z.string(),
              policy: z.string(),
              probability: z.number(),
              threshold: z.number(),
            })
            .meta({ id: 'Violation' }),
        ),
        texts_judged: z.int(),
        latency_ms: z.number(),
      })
      .meta({ id: 'PortkeyData' }),
  })
  .meta({ id: 'PortkeyAnswer' });

/** Guards behind the interfaces that gateways for language models call. */
export const adapterOperations = {
  liteLlmGuardrail: defineOperation({
    method: 'POST',
    path: '/api/adapters/litellm/{guard_uuid}/beta/litellm_basic_guardrail_api',
    tag,
    summary: 'A guard as LiteLLM’s generic guardrail; `api_base` ends in the guard’s UUID',
    description: liteLlm,
    access: 'jwt_or_key',
    params: guardParam,
    body: LiteLlmRequest,
    response: LiteLlmAnswer,
    errors: [404, 409],
  }),
  liteLlmGuardrailByParam: defineOperation({
    method: 'POST',
    path: '/beta/litellm_basic_guardrail_api',
    tag,
    summary: 'The same, the guard named by `additional_provider_specific_params.guard_uuid`',
    description: liteLlm,
    access: 'jwt_or_key',
    body: LiteLlmRequest,
    response: LiteLlmAnswer,
    errors: [404, 409],
  }),
  portkeyWebhook: defineOperation({
    method: 'POST',
    path: '/api/adapters/portkey/{guard_uuid}',
    tag,
    summary: 'A guard as a webhook of Portkey’s gateway, before the request and after it',
    description:
      `${whoMayAsk} Before the request all of its messages are judged, after it the texts and tool calls of the ` +
      'response. The gateway waits 3 seconds unless configured otherwise, and passes what failed unless the check sets ' +
      '`failOnError`.',
    access: 'jwt_or_key',
    params: guardParam,
    body: PortkeyRequest,
    response: PortkeyAnswer,
    errors: [404, 409],
  }),
};
