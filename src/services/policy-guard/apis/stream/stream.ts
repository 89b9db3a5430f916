/** Streaming checks: a guard judges a text while it is being written. */
import { invalid, tooManyRequests, unavailable } from '#base/errors.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage, TextKind } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import { unauthorized } from '#identity/challenges.ts';
import type { Presence } from '#identity/presence.ts';
import type { Asked } from '../../judging/verdicts/verdict.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Guard } from '../../guards/guard.ts';
import type { EngineChoice } from '../../guards/engines.ts';
import { EventFeed } from './event-feed.ts';
import { runCheck, type RunDeps, type StreamLine } from './run.ts';
import { viewOpen } from './view.ts';
import type { CheckBounds } from './windowed-check.ts';

export interface StreamOpening extends Partial<CheckBounds> {
  readonly guardUuid: string;
  readonly messages: readonly ContextMessage[];
  readonly kind: TextKind | undefined;
  readonly asked: Asked;
}

export interface StreamDeps extends RunDeps {
  readonly engine: TextEngine;
  /** The engine of guards without a setting of their own. */
  readonly presetEngine: EngineChoice;
  readonly guardFor: (caller: Caller, guardUuid: string) => Promise<Guard>;
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
  readonly presence: Presence;
  readonly maxStreams: number;
}

const standard: CheckBounds = { window: 1000, step: 200, holdBack: 0 };

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(deps: StreamDeps) {
  const open = new Map<string, number>();
  let total = 0;

  function enter(tenantId: string): Disposable {
    const own = open.get(tenantId) ?? 0;
    if (total >= deps.maxStreams)
      throw unavailable('Too many streaming checks are open in this process. Try again in a moment.');
    if (own >= Math.ceil(deps.maxStreams / 2))
      throw tooManyRequests('Your tenant has too many streaming checks open. End some of them first.', 1);
    total += 1;
    open.set(tenantId, own + 1);
    return {
      [Symbol.dispose]() {
        total -= 1;
        const left = (open.get(tenantId) ?? 1) - 1;
        if (left === 0) open.delete(tenantId);
        else open.set(tenantId, left);
      },
    };
  }

  return {
    /**
     * Begins a check; what it finds comes out of the feed.
     * @throws AppError 404 and 409 for the guard, 422 for the bounds, 429 and 503 when too many are open.
     */
    async begin(
      caller: Caller,
      opening: StreamOpening,
      lines: AsyncIterator<StreamLine>,
    ): Promise<EventFeed> {
      const guard = await deps.guardFor(caller, opening.guardUuid);
      const bounds = boundsOf(opening);
      const groups = await deps.judgedGroups(guard);
      const place = enter(guard.tenantId);
      const feed = new EventFeed();
      feed.say('open', viewOpen(bounds, guard));
      const { messages, kind, asked } = opening;
      const isDegraded = (guard.settings.engine ?? deps.presetEngine) !== 'embedded';
      const gone = new AbortController();
      const visit = deps.presence.enter(
        () => caller,
        () => gone.abort(accessEnded()),
      );
      const until = gone.signal;
      const judge = { engine: deps.engine, guard, groups, messages, kind, isDegraded };
      const session = { ...judge, bounds, asked, until };
      void runCheck(deps, session, lines, feed).finally(() => {
        visit[Symbol.dispose]();
        place[Symbol.dispose]();
      });
      return feed;
    },
  };
}

const accessEnded = () =>
  unauthorized('invalid_token', 'Your access has ended. What has not passed must not be shown.');

function boundsOf(opening: StreamOpening): CheckBounds {
  const window = opening.window ?? standard.window;
  const step = opening.step ?? Math.min(standard.step, window);
  const holdBack = opening.holdBack ?? standard.holdBack;
  if (step > window)
    throw invalid("'step' must not be larger than 'window': text between two windows would be judged apart.");
  if (holdBack > window) throw invalid("'hold_back' must not be larger than 'window'.");
  return { window, step, holdBack };
}
