import type { Cache } from '#base/cache/cache.ts';
import type { Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { TextKind } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { keysOfOwner } from '../../judging/evaluate/verdict-cache.ts';
import type { evaluateOperations } from '../../contract/evaluate.ts';
import type { JudgingEvents } from '../../judging/events.ts';
import type { Guard } from '../../guards/guard.ts';
import { askedBy } from '../verdicts/asked-by.ts';
import type { Judging } from '../../judging/judges/judging.ts';
import type { Evaluate } from '../../judging/evaluate/evaluate.ts';
import { isOpenAiModel, type FindModerationGuard } from '../openai/moderation-guard.ts';
import { openAiModerationToWire } from '../openai/view.ts';
import { judgeOneshot } from '../../judging/evaluate/oneshot.ts';
import {
  cacheStatsToWire,
  moderationToWire,
  oneshotToWire,
  textInContext,
  textsFromWire,
  unsavedPolicyFromWire,
  verdictToWire,
  type ModerationInput,
} from '../verdicts/view.ts';
import type { Asked, Verdict } from '../../judging/verdicts/verdict.ts';

interface Moderated {
  readonly input: ModerationInput;
  readonly model: string;
  readonly context?: TextKind | undefined;
}

interface EvaluateRoutesDeps {
  readonly engine: TextEngine;
  readonly judging: Judging;
  readonly cacheByDefault: boolean;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly events: JudgingEvents;
  readonly moderationGuard: FindModerationGuard;
}

export function evaluateHandlers(
  evaluate: Evaluate,
  { engine, judging, cache, cacheByDefault, clock, events, moderationGuard }: EvaluateRoutesDeps,
): Handlers<typeof evaluateOperations, Caller> {
  const verdictsOf = (
    guard: Guard,
    { input, context: kind }: Pick<Moderated, 'input' | 'context'>,
    asked: Asked,
  ): Promise<Verdict[]> =>
    evaluate.judgeTexts(
      guard,
      textsFromWire(input).map((text) => ({ text, messages: [], kind })),
      asked,
    );

  async function openAiModeration(caller: Caller, body: Moderated, asked: Asked) {
    const guard = await evaluate.guardFor(
      caller,
      isOpenAiModel(body.model) ? await moderationGuard(caller, body.model) : body.model,
    );
    return openAiModerationToWire(body.model, await verdictsOf(guard, body, asked));
  }

  return {
    topicGuard: async ({ caller, body, request }) => {
      const guard = await evaluate.guardFor(caller, body.guard_uuid);
      const asked = askedBy(caller, request, 'topic_guard');
      return verdictToWire(await evaluate.judgeText(guard, textInContext(body), asked));
    },
    topicGuardOneshot: async ({ caller, body }) => {
      const start = performance.now();
      const verdict = await judgeOneshot(
        { engine, judging },
        {
          tenantId: caller.tenantId,
          text: body.text,
          kind: body.context,
          mayCache: cacheByDefault,
          policies: body.policies.map(unsavedPolicyFromWire),
        },
        { threshold: body.threshold, strictnessLevel: body.strictness_level },
      );
      return oneshotToWire(verdict, { latencyMs: performance.now() - start, nowMs: clock.now() });
    },
    createModeration: async ({ caller, body, request }) => {
      const asked = askedBy(caller, request, 'moderations');
      if (isOpenAiModel(body.model)) return openAiModeration(caller, body, asked);
      const guard = await evaluate.guardFor(caller, body.model);
      return moderationToWire(guard.guardUuid, await verdictsOf(guard, body, asked));
    },
    createOpenAiModeration: ({ caller, body, request }) =>
      openAiModeration(caller, body, askedBy(caller, request, 'openai_moderations')),
    getCacheStats: async ({ caller }) => cacheStatsToWire(cache.backend, await cache.stats(caller.tenantId)),
    clearCache: async ({ caller }) => {
      const keysFrom = viewerOf(caller).isAdmin ? undefined : keysOfOwner(caller.userId);
      const cleared = await cache.clear(caller.tenantId, keysFrom);
      events.cacheCleared(caller, cleared);
      return { cleared };
    },
  };
}
