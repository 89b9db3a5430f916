/** One streaming check, from its first line to its end. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError, badRequest } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { AllowLists } from '../../guards/allow-list/live-allow-lists.ts';
import { longestAllowed } from '../../contract/allow-list.ts';
import { longestStream } from '../../contract/stream.ts';
import { concluded } from '../../judging/verdicts/outcome.ts';
import type { Asked, GroupVerdict, Verdict } from '../../judging/verdicts/verdict.ts';
import type { QueryLog } from '../../observing/queries/query-log.ts';
import type { RecordQuery } from '../../observing/record.ts';
import type { Redactor } from '../../judging/redaction/redactor.ts';
import { CodePoints } from './code-points.ts';
import type { EventFeed } from './event-feed.ts';
import { RedactedText } from './redacted-text.ts';
import { viewEnd, viewFlag } from './view.ts';
import { strongest, type WindowJudge, windowVerdicts } from './window-verdicts.ts';
import { type CheckBounds, WindowedCheck } from './windowed-check.ts';

export interface StreamLine {
  readonly text?: string | undefined;
  readonly flush?: boolean | undefined;
}

export interface RunDeps {
  readonly allowLists: AllowLists;
  readonly redactor: Redactor;
  readonly gather: QueryLog['gather'];
  readonly record: RecordQuery;
  readonly log: Logger;
  readonly idleMs: number;
}

/** What a check is about. */
export interface Session extends WindowJudge {
  readonly bounds: CheckBounds;
  readonly asked: Asked;
  /** Aborted when the caller's access ends; the reason is the error to send. */
  readonly until: AbortSignal;
}

type Groups = readonly GroupVerdict[];

/** However much comes, and however slowly it is read. */
const longestLifeMs = 3_600_000;

/** The result of the check: flagged, allowed by the allow-list, or neither. */
interface End {
  readonly flagged?: Groups;
  readonly allowedBy?: string | undefined;
}

/** Reads to the end, the flag, the failure or the caller's leaving, whichever comes first. */
export async function runCheck(
  deps: RunDeps,
  session: Session,
  lines: AsyncIterator<StreamLine>,
  feed: EventFeed,
): Promise<void> {
  const check = new StreamCheck(deps, session, feed);
  try {
    const end = await check.read(lines);
    if (end.flagged !== undefined) feed.say('flag', viewFlag(check, end.flagged));
    feed.say('end', viewEnd(check.record(end), check.shown));
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    if (known === undefined) deps.log.error({ err: error }, 'a streaming check failed');
    // Recorded up to here even if the caller disconnected or was cut off.
    else if (check.received > 0) check.record({});
    if (feed.destroyed) return;
    const detail =
      known?.detail ?? 'The check failed; the log has more. What has not passed must not be shown.';
    feed.say('error', { status: known?.status ?? 500, detail });
  } finally {
    feed.finish();
  }
}

const tooLong = (most: number) =>
  new AppError(413, 'too_large', `The text is longer than ${most} characters; nothing beyond them passes.`);

class StreamCheck {
  readonly #deps: RunDeps;
  readonly #session: Session;
  readonly #feed: EventFeed;
  readonly #check: WindowedCheck<Groups>;
  readonly #redacted: RedactedText | undefined;
  readonly #gathered;
  readonly #codePoints = new CodePoints();
  readonly #endsAt = performance.now() + longestLifeMs;
  /** The whole text, as long as it can be on an allow-list. */
  #whole: string | undefined = '';
  #received = 0;
  #shown = 0;
  #found: Groups | undefined;
  #judgingMs = 0;

  constructor(deps: RunDeps, session: Session, feed: EventFeed) {
    const { guard, bounds } = session;
    this.#deps = deps;
    this.#session = session;
    this.#feed = feed;
    this.#gathered = deps.gather(guard.tenantId);
    this.#check = new WindowedCheck(bounds, (text, isBeginning) => this.#judge(text, isBeginning));
    const { redact } = guard.settings;
    if (redact !== null)
      this.#redacted = new RedactedText((text) => deps.redactor(guard.tenantId, text, redact));
  }

  get received(): number {
    return this.#received;
  }

  /** The text up to here has been released to the reader. */
  get shown(): number {
    return this.#shown;
  }

  async read(lines: AsyncIterator<StreamLine>): Promise<End> {
    for (;;) {
      const line = await this.#next(lines);
      if (line === undefined) return this.#finish();
      const flagged = await this.#take(line);
      if (flagged !== undefined) return this.#excused(flagged, lines);
      await this.#feed.room();
    }
  }

  /** Counts and logs the result of the check. */
  record({
    flagged,
    allowedBy = null,
  }: {
    flagged?: Groups;
    allowedBy?: string | null | undefined;
  }): Verdict {
    const { guard, messages, asked } = this.#session;
    const found = this.#found ?? flagged ?? [];
    const verdict: Verdict = {
      ...concluded(guard, { found, allowedBy }),
      latencyMs: this.#judgingMs,
    };
    const text = this.#gathered;
    this.#deps.record(verdict, { fromCache: false, asked, text, messages: messages.length });
    return verdict;
  }

  async #judge(text: string, isBeginning: boolean): Promise<Groups | undefined> {
    const start = performance.now();
    const verdicts = await windowVerdicts(this.#session, text, isBeginning);
    this.#judgingMs += performance.now() - start;
    this.#found = strongest(this.#found, verdicts);
    // A whole text sent at once is many windows.
    await yieldToEventLoop();
    const isTold = this.#session.guard.settings.mode === 'enforce';
    return isTold && verdicts.some(({ flagged }) => flagged) ? verdicts : undefined;
  }

  /** The next line; undefined at the end. */
  async #next(lines: AsyncIterator<StreamLine>): Promise<StreamLine | undefined> {
    const { done, value } = await nextWithin(lines, this.#deps.idleMs, {
      feed: this.#feed,
      until: this.#session.until,
    });
    if (done === true) return undefined;
    if (performance.now() > this.#endsAt)
      throw new AppError(408, 'timeout', 'A streaming check takes an hour at most.');
    const { text = '' } = value;
    if (this.#received + text.length > longestStream) throw tooLong(longestStream);
    this.#codePoints.add(text);
    const { maxTextLength } = this.#session.guard.settings;
    if (maxTextLength !== null && this.#codePoints.count > maxTextLength) throw tooLong(maxTextLength);
    this.#gather(text);
    return value;
  }

  #gather(piece: string): void {
    this.#received += piece.length;
    this.#gathered.add(piece);
    this.#redacted?.add(piece);
    if (this.#whole !== undefined)
      this.#whole = this.#received > longestAllowed ? undefined : this.#whole + piece;
  }

  async #take({ text = '', flush = false }: StreamLine): Promise<Groups | undefined> {
    const flagged = await this.#check.append(text, () => this.#pass());
    if (flagged !== undefined || !flush) return flagged;
    const atFlush = await this.#check.flush();
    if (atFlush === undefined) await this.#pass();
    return atFlush;
  }

  #pass(): Promise<void> {
    return this.#show(this.#check.passed, false);
  }

  /** Lets the reader show the text up to an offset; redacted it may stay behind until the end. */
  async #show(to: number, isEnd: boolean): Promise<void> {
    const text = await this.#redacted?.next(to, isEnd);
    this.#shown = this.#redacted?.given ?? to;
    if (text !== '' || isEnd) this.#feed.pass(this.#shown, text);
  }

  async #finish(): Promise<End> {
    const allowedBy = await this.#allowedBy();
    const flagged = allowedBy === undefined ? await this.#check.end() : undefined;
    if (flagged !== undefined) return { flagged };
    await this.#show(this.#received, true);
    return { allowedBy };
  }

  async #allowedBy(): Promise<string | undefined> {
    const { guard } = this.#session;
    return this.#whole === undefined ? undefined : this.#deps.allowLists.find(guard, this.#whole);
  }

  /** Holds the flag back, and with it the text, as long as the text may become one that the allow-list has. */
  async #excused(flagged: Groups, lines: AsyncIterator<StreamLine>): Promise<End> {
    const { guard, bounds } = this.#session;
    const mayBecome = async () =>
      this.#whole !== undefined && this.#deps.allowLists.mayFind(guard, this.#whole);
    let asked = -Infinity;
    for (;;) {
      if (this.#received - asked >= bounds.step) {
        if (!(await mayBecome())) return { flagged };
        asked = this.#received;
      }
      const line = await this.#next(lines);
      if (line !== undefined) continue;
      const allowedBy = await this.#allowedBy();
      if (allowedBy === undefined) return { flagged };
      await this.#show(this.#received, true);
      return { allowedBy };
    }
  }
}

/** @throws AppError 408 when nothing comes for so long, 400 when the caller has left, 401 when they may not go on. */
async function nextWithin(
  lines: AsyncIterator<StreamLine>,
  idleMs: number,
  { feed, until }: { feed: EventFeed; until: AbortSignal },
) {
  const { promise, reject } = Promise.withResolvers<never>();
  const idle = () => reject(new AppError(408, 'timeout', `Nothing was sent for ${idleMs / 1000} seconds.`));
  // Read input that arrived while the process was suspended before deciding on idleness.
  const timer = setTimeout(() => setImmediate(idle), idleMs);
  const left = () => reject(badRequest('The caller has left.'));
  feed.once('close', left);
  const ended = () => reject(until.reason as AppError);
  until.addEventListener('abort', ended, { once: true });
  if (until.aborted) ended();
  if (feed.destroyed) left();
  try {
    return await Promise.race([lines.next(), promise]);
  } finally {
    clearTimeout(timer);
    feed.off('close', left);
    until.removeEventListener('abort', ended);
  }
}
