import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { adapterOperations } from '../contract/adapters.ts';
import { askedBy } from '../evaluate/asked-by.ts';
import type { Evaluate } from '../evaluate/evaluate.ts';
import { judgeTurns } from './judge-turns.ts';
import { liteLlmGuard, liteLlmToWire, liteLlmTurns, portkeyToWire, portkeyTurns } from './view.ts';

export const adapterHandlers = (evaluate: Evaluate): Handlers<typeof adapterOperations, Caller> => ({
  liteLlmGuardrail: async ({ caller, params, body, request }) => {
    const guard = await evaluate.guardFor(caller, params.guard_uuid);
    return liteLlmToWire(
      await judgeTurns(evaluate, guard, liteLlmTurns(body), askedBy(caller, request, 'litellm')),
    );
  },
  liteLlmGuardrailByParam: async ({ caller, body, request }) => {
    const guard = await evaluate.guardFor(caller, liteLlmGuard(body));
    return liteLlmToWire(
      await judgeTurns(evaluate, guard, liteLlmTurns(body), askedBy(caller, request, 'litellm')),
    );
  },
  portkeyWebhook: async ({ caller, params, body, request }) => {
    const guard = await evaluate.guardFor(caller, params.guard_uuid);
    const { turns, before } = portkeyTurns(body);
    return portkeyToWire(
      await judgeTurns(evaluate, guard, turns, askedBy(caller, request, 'portkey'), before),
    );
  },
});
