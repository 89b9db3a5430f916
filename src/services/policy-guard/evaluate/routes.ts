import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Cache } from '#base/cache/cache.ts';
import type { Clock } from '#base/clock.ts';
import type { Handlers, RequestFacts } from '#base/http/mount.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import type { PolicyGuardEvents } from '../events.ts';
import type { Evaluate } from './evaluate.ts';
import { judgeOneshot } from './oneshot.ts';
import {
  cacheStatsToWire,
  moderationToWire,
  oneshotToWire,
  textsFromWire,
  unsavedPolicyFromWire,
  verdictToWire,
} from './view.ts';
import type { Asked, Verdict } from './verdict.ts';

interface EvaluateRoutesDeps {
  readonly engine: TextEngine;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly events: PolicyGuardEvents;
}

/** Who asks through a route, for the query log. */
const askedBy = ({ userId, apiKeyId }: Caller, { id }: RequestFacts, door: string): Asked => ({
  door,
  userId,
  apiKeyId,
  requestId: id,
});

export function evaluateHandlers(
  evaluate: Evaluate,
  { engine, cache, clock, events }: EvaluateRoutesDeps,
): Handlers<typeof evaluateOperations, Caller> {
  return {
    topicGuard: async ({ caller, body, request }) => {
      const guard = await evaluate.guardFor(caller, body.guard_uuid);
      const asked = askedBy(caller, request, 'topic_guard');
      return verdictToWire(await evaluate.judgeText(guard, body.text, body.messages, asked));
    },
    topicGuardOneshot: async ({ body }) => {
      const start = performance.now();
      const verdict = await judgeOneshot(engine, body.text, body.policies.map(unsavedPolicyFromWire), {
        threshold: body.threshold,
        strictnessLevel: body.strictness_level,
      });
      return oneshotToWire(verdict, { latencyMs: performance.now() - start, nowMs: clock.now() });
    },
    createModeration: async ({ caller, body, request }) => {
      const guard = await evaluate.guardFor(caller, body.model);
      const asked = askedBy(caller, request, 'moderations');
      const verdicts: Verdict[] = [];
      for (const text of textsFromWire(body.input)) {
        if (verdicts.length > 0) await othersFirst();
        verdicts.push(await evaluate.judgeText(guard, text, [], asked));
      }
      return moderationToWire(guard.guardUuid, verdicts);
    },
    getCacheStats: async ({ caller }) => cacheStatsToWire(cache.backend, await cache.stats(caller.tenantId)),
    clearCache: async ({ caller }) => {
      const cleared = await cache.clear(caller.tenantId);
      events.cacheCleared(caller, cleared);
      return { cleared };
    },
  };
}
