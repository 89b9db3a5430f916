/** Streaming checks: a guard asked about a text while it is being written. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { AppError, badRequest, invalid, tooManyRequests, unavailable } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { ContextMessage } from '#engine/text/types.ts';
import type { Caller } from '#identity/caller.ts';
import { longestStream } from '../contract/stream.ts';
import { judge } from '../evaluate/judge.ts';
import { concluded } from '../evaluate/outcome.ts';
import { barOf, type GroupVerdict, groupVerdict, noFinding, type Verdict } from '../evaluate/verdict.ts';
import type { PolicyGuardEvents } from '../events.ts';
import type { JudgedGroup } from '../groups/judged-group.ts';
import type { Guard } from '../guards/guard.ts';
import type { UsageCounts } from '../governance/usage-counts.ts';
import type { GuardMetrics } from '../guards/metrics.ts';
import { EventFeed } from './event-feed.ts';
import { type CheckBounds, WindowedCheck } from './windowed-check.ts';
import { viewFlag } from './view.ts';

export interface StreamLine {
  readonly text?: string | undefined;
  readonly flush?: boolean | undefined;
}

export interface StreamOpening extends Partial<CheckBounds> {
  readonly guardUuid: string;
  readonly messages: readonly ContextMessage[];
}

export interface StreamDeps {
  readonly engine: TextEngine;
  readonly guardFor: (caller: Caller, guardUuid: string) => Promise<Guard>;
  readonly judgedGroups: (guard: Guard) => Promise<readonly JudgedGroup[]>;
  readonly metrics: GuardMetrics;
  readonly usage: UsageCounts;
  readonly events: PolicyGuardEvents;
  readonly log: Logger;
  readonly maxStreams: number;
  readonly idleMs: number;
}

const standard: CheckBounds = { window: 1000, step: 200, holdBack: 0 };
/** However much comes, and however slowly it is read. */
const longestLifeMs = 3_600_000;

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
      feed.say('open', { window: bounds.window, step: bounds.step, hold_back: bounds.holdBack });
      void run(deps, { guard, groups, bounds, messages: opening.messages }, lines, feed).finally(() =>
        place[Symbol.dispose](),
      );
      return feed;
    },
  };
}

function boundsOf(opening: StreamOpening): CheckBounds {
  const window = opening.window ?? standard.window;
  const step = opening.step ?? Math.min(standard.step, window);
  const holdBack = opening.holdBack ?? standard.holdBack;
  if (step > window)
    throw invalid("'step' must not be larger than 'window': text between two windows would be judged apart.");
  if (holdBack > window) throw invalid("'hold_back' must not be larger than 'window'.");
  return { window, step, holdBack };
}

interface Session {
  readonly guard: Guard;
  readonly groups: readonly JudgedGroup[];
  readonly bounds: CheckBounds;
  readonly messages: readonly ContextMessage[];
}

/** Reads to the end, the flag, the failure or the caller's leaving, whichever comes first. */
async function run(
  deps: StreamDeps,
  session: Session,
  lines: AsyncIterator<StreamLine>,
  feed: EventFeed,
): Promise<void> {
  const { guard } = session;
  const start = performance.now();
  let last: readonly GroupVerdict[] = [];
  // What a guard finds that only observes: the text passes all the same.
  let observed: readonly GroupVerdict[] | undefined;
  const check = new WindowedCheck<readonly GroupVerdict[]>(session.bounds, async (text, isBeginning) => {
    last = await verdictsOf(deps.engine, session, text, isBeginning);
    // A whole text sent at once is many windows.
    await othersFirst();
    if (!last.some(({ flagged }) => flagged)) return undefined;
    if (guard.settings.mode === 'enforce') return last;
    observed ??= last;
    return undefined;
  });
  try {
    const flagged = await readAll(deps, session, { check, lines, feed });
    if (flagged !== undefined) feed.say('flag', viewFlag(check, flagged));
    feed.say('end', { offset: check.passed, flagged: flagged !== undefined });
    const latencyMs = performance.now() - start;
    const found = flagged ?? observed ?? last;
    const verdict: Verdict = { ...concluded(guard, { found, allowedBy: null }), latencyMs };
    deps.metrics.count(guard.guardUuid, { ...verdict, fromCache: false });
    deps.usage.count(verdict, false);
    deps.events.evaluated(verdict, { fromCache: false, characters: check.received });
  } catch (error) {
    if (feed.destroyed) return;
    const known = error instanceof AppError ? error : undefined;
    if (known === undefined) deps.log.error({ err: error }, 'a streaming check failed');
    const detail =
      known?.detail ?? 'The check failed; the log has more. What has not passed must not be shown.';
    feed.say('error', { status: known?.status ?? 500, detail });
  } finally {
    feed.finish();
  }
}

interface Reading {
  readonly check: WindowedCheck<readonly GroupVerdict[]>;
  readonly lines: AsyncIterator<StreamLine>;
  readonly feed: EventFeed;
}

async function readAll({ idleMs }: StreamDeps, { guard }: Session, { check, lines, feed }: Reading) {
  const end = performance.now() + longestLifeMs;
  const limit = Math.min(longestStream, guard.settings.maxTextLength ?? longestStream);
  const pass = () => feed.pass(check.passed);
  for (;;) {
    const { done, value } = await nextWithin(lines, idleMs, feed);
    if (done === true) return check.end().then((flag) => (flag === undefined ? (pass(), flag) : flag));
    if (performance.now() > end)
      throw new AppError(408, 'timeout', 'A streaming check takes an hour at most.');
    const { text = '', flush } = value;
    if (check.received + text.length > limit)
      throw new AppError(
        413,
        'too_large',
        `The text is longer than ${limit} characters; nothing beyond them passes.`,
      );
    const flag = (await check.append(text, pass)) ?? (flush === true ? await check.flush() : undefined);
    if (flag !== undefined) return flag;
    if (flush === true) pass();
  }
}

/** @throws AppError 408 when nothing comes for so long, 400 when the caller has left. */
async function nextWithin(lines: AsyncIterator<StreamLine>, idleMs: number, feed: EventFeed) {
  const { promise, reject } = Promise.withResolvers<never>();
  const idle = () => reject(new AppError(408, 'timeout', `Nothing was sent for ${idleMs / 1000} seconds.`));
  // What came while the process stood still is read first.
  const timer = setTimeout(() => setImmediate(idle), idleMs);
  const left = () => reject(badRequest('The caller has left.'));
  feed.once('close', left);
  if (feed.destroyed) left();
  try {
    return await Promise.race([lines.next(), promise]);
  } finally {
    clearTimeout(timer);
    feed.off('close', left);
  }
}

async function verdictsOf(
  engine: TextEngine,
  { guard, groups, messages }: Session,
  text: string,
  isBeginning: boolean,
): Promise<GroupVerdict[]> {
  const bars = groups.map((group) => barOf(guard, group));
  const sets = groups.map(({ policies }, i) => ({ policies, bar: bars[i] ?? noBar }));
  const findings = await judge(engine, { text, messages: isBeginning ? messages : [] }, sets);
  return groups.map((group, i) => groupVerdict(group, bars[i] ?? noBar, findings[i] ?? noFinding));
}

const noBar = { threshold: 1, strictnessLevel: 'medium' } as const;
