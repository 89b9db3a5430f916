import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { adapterOperations } from '../../contract/adapters.ts';
import { askedBy } from '../verdicts/asked-by.ts';
import type { Evaluate } from '../../judging/evaluate/evaluate.ts';
import type { Asked } from '../../judging/verdicts/verdict.ts';
import type { Redactor } from '../../judging/redaction/redactor.ts';
import { judgeTurns } from './judge-turns.ts';
import {
  liteLlmGuard,
  liteLlmToWire,
  liteLlmTurns,
  portkeyToWire,
  portkeyTurns,
  type LiteLlmBody,
} from './view.ts';

export function adapterHandlers(
  evaluate: Evaluate,
  redactor: Redactor,
): Handlers<typeof adapterOperations, Caller> {
  async function liteLlm(caller: Caller, body: LiteLlmBody, asked: Asked, guardUuid: string) {
    const guard = await evaluate.guardFor(caller, guardUuid);
    const verdict = await judgeTurns(evaluate, guard, liteLlmTurns(body), asked);
    const { redact } = guard.settings;
    if (verdict.flagged || redact === null) return liteLlmToWire(verdict, undefined);
    const texts = await Promise.all(
      // Texts that were not judged, or as parts of a longer one, go on all the same.
      (body.texts ?? []).map(
        async (text) => verdict.redacted.get(text) ?? (await redactor(guard.tenantId, text, redact)).text,
      ),
    );
    return liteLlmToWire(verdict, texts.some((text, i) => text !== body.texts?.[i]) ? texts : undefined);
  }

  return {
    liteLlmGuardrail: ({ caller, params, body, request }) =>
      liteLlm(caller, body, askedBy(caller, request, 'litellm'), params.guard_uuid),
    liteLlmGuardrailByParam: async ({ caller, body, request }) =>
      liteLlm(caller, body, askedBy(caller, request, 'litellm'), liteLlmGuard(body)),
    portkeyWebhook: async ({ caller, params, body, request }) => {
      const guard = await evaluate.guardFor(caller, params.guard_uuid);
      const { turns, before } = portkeyTurns(body);
      return portkeyToWire(
        await judgeTurns(evaluate, guard, turns, askedBy(caller, request, 'portkey'), before),
      );
    },
  };
}
