import type { Cache } from '#base/cache/cache.ts';
import { conflict, notFound } from '#base/errors.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import type { PolicyGuardEvents } from '../events.ts';
import type { JudgedGroup } from '../groups/judged-group.ts';
import type { Guard } from '../guards/guard.ts';
import type { LiveGuards } from '../guards/live-guards.ts';
import type { GuardMetrics } from '../guards/metrics.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { fitText } from './fit-text.ts';
import { judge } from './judge.ts';
import { barOf, groupVerdict, noFinding, type Verdict } from './verdict.ts';
import { throughCache } from './verdict-cache.ts';

export interface EvaluateDeps {
  readonly engine: TextEngine;
  readonly cache: Cache;
  /** Whether verdicts are cached for guards that do not say. */
  readonly cacheByDefault: boolean;
  readonly liveGuards: LiveGuards;
  /** The groups that the guard judges by, adapted as it says. */
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
  readonly metrics: GuardMetrics;
  readonly redactor: Redactor;
  readonly events: PolicyGuardEvents;
}

/** Judging texts by guards. */
export function createEvaluate(deps: EvaluateDeps) {
  const { engine, cache, cacheByDefault, liveGuards, judgedGroups, metrics, events, redactor } = deps;

  return {
    /**
     * The guard, if the caller may ask it.
     * @throws AppError 404 when the caller's tenant has none of that id; 409 when it is disabled.
     */
    async guardFor(caller: Caller, guardUuid: string): Promise<Guard> {
      const guard = await liveGuards.find(caller.tenantId, guardUuid);
      if (guard === undefined) throw notFound(`The guard ${guardUuid}`);
      if (!guard.enabled)
        throw conflict(
          `The guard ${guardUuid} is disabled. Its owner can enable it with PUT /api/guards/${guardUuid}.`,
        );
      return guard;
    },

    /** @throws AppError 422 when the text is longer than the guard takes. */
    async judgeText(guard: Guard, fullText: string, messages: readonly ContextMessage[]): Promise<Verdict> {
      const start = performance.now();
      const text = fitText(fullText, guard.settings);
      const groups = await judgedGroups(guard);
      const make = () =>
        judge(
          engine,
          { text, messages },
          groups.map((group) => ({ policies: group.policies, bar: barOf(guard, group) })),
        );
      const { findings: found, fromCache } =
        (guard.settings.cacheEnabled ?? cacheByDefault)
          ? await throughCache(cache, { guard, groups, engineVersion: engine.version, text, messages }, make)
          : { findings: await make(), fromCache: false };
      const verdicts = groups.map((group, i) =>
        groupVerdict(group, barOf(guard, group), found[i] ?? noFinding),
      );
      const { redact } = guard.settings;
      const redacted = redact === null ? undefined : await redactor(guard.tenantId, fullText, redact);
      const latencyMs = performance.now() - start;
      const flagged = verdicts.some((each) => each.flagged);
      metrics.count(guard.guardUuid, { flagged, fromCache, latencyMs });
      const verdict = { guard, flagged, groups: verdicts, latencyMs, redactedText: redacted?.text };
      events.evaluated(verdict, { fromCache, characters: text.length });
      return verdict;
    },
  };
}

export type Evaluate = ReturnType<typeof createEvaluate>;
