import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Cache } from '#base/cache/cache.ts';
import type { Clock } from '#base/clock.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import type { PolicyGuardEvents } from '../events.ts';
import type { Judging } from '../judge/judging.ts';
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
import type { Verdict } from './verdict.ts';

interface EvaluateRoutesDeps {
  readonly engine: TextEngine;
  readonly judging: Judging;
  readonly cacheByDefault: boolean;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly events: PolicyGuardEvents;
}

export function evaluateHandlers(
  evaluate: Evaluate,
  { engine, judging, cache, cacheByDefault, clock, events }: EvaluateRoutesDeps,
): Handlers<typeof evaluateOperations, Caller> {
  return {
    topicGuard: async ({ caller, body }) => {
      const guard = await evaluate.guardFor(caller, body.guard_uuid);
      return verdictToWire(await evaluate.judgeText(guard, body.text, body.messages));
    },
    topicGuardOneshot: async ({ caller, body }) => {
      const start = performance.now();
      const verdict = await judgeOneshot(
        { engine, judging },
        {
          tenantId: caller.tenantId,
          text: body.text,
          mayCache: cacheByDefault,
          policies: body.policies.map(unsavedPolicyFromWire),
        },
        { threshold: body.threshold, strictnessLevel: body.strictness_level },
      );
      return oneshotToWire(verdict, { latencyMs: performance.now() - start, nowMs: clock.now() });
    },
    createModeration: async ({ caller, body }) => {
      const guard = await evaluate.guardFor(caller, body.model);
      const verdicts: Verdict[] = [];
      for (const text of textsFromWire(body.input)) {
        if (verdicts.length > 0) await othersFirst();
        verdicts.push(await evaluate.judgeText(guard, text, []));
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
