import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Cache } from '#base/cache/cache.ts';
import { conflict, notFound } from '#base/errors.ts';
import type { ContextMessage, TextKind } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import type { LiveGuards } from '../../guards/live-guards.ts';
import type { AllowLists } from '../../guards/allow-list/live-allow-lists.ts';
import type { Stages } from '../stages.ts';
import { inParallel } from '../in-parallel.ts';
import type { Judging } from '../judges/judging.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { fitText } from './fit-text.ts';
import { concluded } from '../verdicts/outcome.ts';
import type { RecordVerdict } from '../verdicts/record.ts';
import {
  sensitivityOf,
  groupVerdict,
  noFinding,
  type Asked,
  type GroupVerdict,
  type Verdict,
} from '../verdicts/verdict.ts';
import { throughCache } from './verdict-cache.ts';

export interface EvaluateDeps {
  readonly judging: Judging;
  readonly cache: Cache;
  /** Whether verdicts are cached for guards without a setting of their own. */
  readonly cacheByDefault: boolean;
  readonly liveGuards: LiveGuards;
  /** The groups of the guard, with its active adaptation applied. */
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
  readonly allowLists: AllowLists;
  readonly stages: Stages;
  readonly redactor: Redactor;
  readonly record: RecordVerdict;
}

/** A text to judge, with the turns before it. */
export interface TextInContext {
  readonly text: string;
  readonly messages: readonly ContextMessage[];
  /** What the caller says the text is. */
  readonly kind?: TextKind | undefined;
}

interface Input extends TextInContext {
  readonly kind: TextKind | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Texts of one call that are judged at a time, where that is waiting for another judge. */
const textsAtATime = 8;

/** Judging texts by guards. */
export class Evaluate {
  readonly #deps: EvaluateDeps;

  constructor(deps: EvaluateDeps) {
    this.#deps = deps;
  }

  /**
   * The guard's verdict on the text, which is counted and logged.
   * @throws AppError 422 when the text is longer than the guard takes.
   */
  async judgeText(
    guard: Guard,
    { text: fullText, messages, kind }: TextInContext,
    asked: Asked,
  ): Promise<Verdict> {
    const { allowLists, redactor } = this.#deps;
    const start = performance.now();
    const input = { text: fitText(fullText, guard.settings), messages, kind, signal: asked.signal };
    const allowedBy = (await allowLists.find(guard, fullText)) ?? null;
    const { found, fromCache } = await (allowedBy === null
      ? this.#judged(guard, input)
      : this.#unjudged(guard));
    const { redact } = guard.settings;
    const redacted = redact === null ? undefined : await redactor(guard.tenantId, fullText, redact);
    const verdict: Verdict = {
      ...concluded(guard, { found, allowedBy }),
      redactedText: redacted?.text,
      latencyMs: performance.now() - start,
    };
    this.#deps.record(verdict, { fromCache, asked, text: input.text, messages: messages.length });
    return verdict;
  }

  /** The verdicts on all texts of one call, in their order; other requests have their turn in between. */
  judgeTexts(guard: Guard, texts: readonly TextInContext[], asked: Asked): Promise<Verdict[]> {
    const isOwnWork = (guard.settings.engine ?? this.#deps.judging.preset.engine) === 'embedded';
    return inParallel(texts, isOwnWork ? 1 : textsAtATime, async (text) => {
      await yieldToEventLoop();
      return this.judgeText(guard, text, asked);
    });
  }

  /**
   * The guard, if the caller may ask it.
   * @throws AppError 404 when the caller's tenant has none of that id; 409 when it is disabled.
   */
  async guardFor(caller: Caller, guardUuid: string): Promise<Guard> {
    const guard = await this.#deps.liveGuards.find(caller.tenantId, guardUuid);
    if (guard === undefined) throw notFound(`The guard ${guardUuid}`);
    if (!guard.enabled)
      throw conflict(
        `The guard ${guardUuid} is disabled. Its owner can enable it with PUT /api/guards/${guardUuid}.`,
      );
    return guard;
  }

  async #findings(guard: Guard, groups: readonly JudgedGroup[], input: Input) {
    const { cacheByDefault, stages, judging, cache } = this.#deps;
    const { tenantId, settings } = guard;
    const mayCache = settings.cacheEnabled ?? cacheByDefault;
    const make = () =>
      stages.run('judge', () =>
        judging.judge(
          { ...settings, tenantId, ...input, mayCache },
          groups.map((group) => ({ policies: group.policies, sensitivity: sensitivityOf(guard, group) })),
        ),
      );
    if (!mayCache) return { findings: await make(), fromCache: false };
    const judgeVersion = await judging.version(tenantId, settings);
    return stages.run('cache', () => throughCache(cache, { guard, groups, judgeVersion, ...input }, make));
  }

  async #judged(guard: Guard, input: Input) {
    const groups = await this.#deps.judgedGroups(guard);
    const { findings: found, fromCache } = await this.#findings(guard, groups, input);
    return {
      found: groups.map((group, i) =>
        groupVerdict(group, sensitivityOf(guard, group), found[i] ?? noFinding),
      ),
      fromCache,
    };
  }

  /** The groups of a text that is not judged. */
  async #unjudged(guard: Guard): Promise<{ found: GroupVerdict[]; fromCache: boolean }> {
    const groups = await this.#deps.judgedGroups(guard);
    return {
      found: groups.map((group) => groupVerdict(group, sensitivityOf(guard, group), noFinding)),
      fromCache: false,
    };
  }
}
