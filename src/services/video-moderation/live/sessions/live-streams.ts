/** Live sessions on behalf of callers: who may make, see, feed and end them, and what becomes of those left behind. */
import type { Clock } from '#base/clock.ts';
import { openChanges, type Changes } from '#base/db/changes.ts';
import { conflict, notFound, tooManyRequests, unavailable } from '#base/errors.ts';
import type { LoggedEvent } from '#base/events/event-store.ts';
import { newId, newUuid } from '#base/ids.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#identity/caller.ts';
import type { Counted } from '#identity/count-requests.ts';
import { processEnded, shuttingDown } from './endings.ts';
import { topicOf } from './event-writer.ts';
import type { Puller } from './intake.ts';
import type { LiveSession } from './live-session.ts';
import { checkSource, newStream, unlooked, type StreamDraft } from './new-stream.ts';
import type { SessionLimits, SessionParts } from './open-session.ts';
import { callerByToken, refuseOthers, sessionByToken, type Owners } from './owner.ts';
import { RunningSessions } from './running-sessions.ts';
import { placeOf } from './sealed-source.ts';
import * as store from './store.ts';
import type { StoredStream, Transport } from './store.ts';
import { hashOf, newIngestToken, type StreamTokens } from './tokens.ts';
import { endUnattended, endWithoutAccess } from './unattended.ts';

interface LiveLimits extends SessionLimits {
  readonly streamsPerKey: number;
  readonly streams: number;
  readonly sessionSeconds: number;
}

export interface LiveStreamsDeps extends SessionParts {
  readonly clock: Clock;
  readonly identity: Owners;
  readonly counted: Counted;
  readonly vault: Vault;
  readonly tokens: StreamTokens;
  readonly limits: LiveLimits;
  /** Whether no other process can be on this database: what another one has left is orphaned at once. */
  readonly isAlone: boolean;
  /** Opens what senders of this transport connect to. @throws AppError 422, 503 */
  readonly openDoor: (transport: Transport) => Promise<void>;
  readonly pullers: {
    /** @throws AppError 422 for an address that must not be contacted, or of another kind */
    check(transport: Transport, url: string): void;
    open(transport: Transport, url: string): Puller;
  };
}

export interface CreatedStream {
  readonly stream: StoredStream;
  readonly ingestToken: string | undefined;
  readonly callbackSecret: string | undefined;
}

const stopChannel = 'video_stream_stop';
const heartbeatMs = 5000;
/** Heartbeats between two looks for what others have left. */
const beatsPerLook = 3;
/** A process that has not been seen for so long is gone. */
const goneMs = 30_000;
const tickMs = 1000;
const mostReplayed = 256;
const stopWithinMs = 20_000;

export class LiveStreams implements AsyncDisposable {
  readonly #deps: LiveStreamsDeps;
  readonly #processId = newUuid();
  readonly #running: RunningSessions;
  readonly #timers: NodeJS.Timeout[] = [];
  #changes: Changes | undefined;
  #isClosing = false;
  /** Until when sessions may wait here for their senders. */
  #waitingUntil = 0;
  #seenMs = 0;
  #beats = 0;

  private constructor(deps: LiveStreamsDeps) {
    this.#deps = deps;
    this.#running = new RunningSessions(deps);
  }

  /** Ends what a process that is gone has left, and watches over sessions from now on. */
  static async open(deps: LiveStreamsDeps): Promise<LiveStreams> {
    const streams = new LiveStreams(deps);
    await streams.#start();
    return streams;
  }

  /**
   * @throws AppError 404 for an unknown deployment, 422 for a source or callback that must not be contacted or does not
   * fit, 429 over the limits, 503 without a decoder
   */
  async create(caller: Caller, draft: StreamDraft): Promise<CreatedStream> {
    const { decoder, deployments, pullers, limits, clock, vault } = this.#deps;
    if (this.#isClosing) throw unavailable('The service is shutting down.');
    checkSource(draft);
    const { transport, sourceUrl } = draft;
    if (sourceUrl !== undefined) pullers.check(transport, sourceUrl);
    decoder.assertInstalled();
    if (sourceUrl === undefined) await this.#deps.openDoor(transport);
    const { categories } = await deployments.settings(caller, draft.deploymentId);
    const streamId = newId('vs');
    const callback = await this.#addCallback(caller, draft, streamId);
    const now = clock.now();
    const token = sourceUrl === undefined ? newIngestToken() : undefined;
    const stream = newStream(caller, draft, {
      streamId,
      processId: this.#processId,
      callbackId: callback?.destinationId ?? null,
      source: sourceUrl === undefined ? null : vault.seal(sourceUrl, placeOf(streamId)),
      ingestToken: token === undefined ? null : hashOf(token),
      coverage: unlooked(categories),
      createdAt: new Date(now),
      expiresAt: new Date(now + limits.sessionSeconds * 1000),
    });
    await this.#insert(stream);
    if (sourceUrl !== undefined)
      (await this.#running.open(stream, caller)).pull(pullers.open(transport, sourceUrl));
    return { stream, ingestToken: token, callbackSecret: callback?.secret };
  }

  /** @throws AppError 404 */
  async get(caller: Caller, streamId: string): Promise<StoredStream> {
    const found = await store.findStream(this.#deps.db, streamId);
    if (found?.tenantId !== caller.tenantId) throw notFound('The session');
    return this.#running.current(found);
  }

  async list(caller: Caller, of: Omit<store.StreamList, 'tenantId'>) {
    const { streams, total } = await store.listStreams(this.#deps.db, { ...of, tenantId: caller.tenantId });
    return { streams: streams.map((each) => this.#running.current(each)), total };
  }

  /** The last number of its events. */
  lastEvent(streamId: string): Promise<number> {
    return this.#deps.events.lastSeq(topicOf(streamId));
  }

  /**
   * Ends a session; resolves when its summary is out, at once where it has ended before.
   * @throws AppError 404, 403
   */
  async stop(caller: Caller, streamId: string): Promise<StoredStream> {
    const found = await this.#changeable(caller, streamId);
    if (found.status === 'running') await this.#stop(found);
    return this.get(caller, streamId);
  }

  /**
   * Events after a number, to the summary; 256 of those before now at most.
   * @throws AppError 404
   */
  async *follow(
    caller: Caller,
    streamId: string,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<LoggedEvent, void, undefined> {
    const { status } = await this.get(caller, streamId);
    const last = await this.lastEvent(streamId);
    if (status !== 'running' && (after ?? 0) >= last) return;
    yield* this.#deps.events.follow(topicOf(streamId), {
      after: Math.max(after ?? 0, last - mostReplayed),
      signal,
      isLast: ({ event }) => event === 'summary',
    });
  }

  /**
   * Whom a token in an address stands for: the owner of the session, as long as they have access.
   * @param kind `ingest`: who pushes frames; `events`: who listens
   * @throws AppError 429 where the owner has asked too often
   */
  callerByToken(kind: 'ingest' | 'events', streamId: string, token: string): Promise<Caller | undefined> {
    return callerByToken(this.#deps, { kind, streamId, token });
  }

  /** The session whose frames a token is for, with its owner; undefined where no session that runs has it. */
  sessionByToken(token: string): Promise<{ caller: Caller; streamId: string } | undefined> {
    return sessionByToken(this.#deps, token);
  }

  /**
   * The session that the caller’s frames go to.
   * @throws AppError 404; 403 for others than its owner; 409 where it has ended, is of another transport, or runs in another process; 429 where it
   * began in another process and this one has no place left
   */
  async attend(caller: Caller, streamId: string, transport: Transport): Promise<LiveSession> {
    const found = await this.#fed(caller, streamId, transport);
    if (found.status !== 'running') throw conflict('The session has ended.');
    return this.#runHere(found, caller);
  }

  /**
   * Ends the session of a sender who has no more.
   * @throws AppError as {@link attend}, but nothing where it has ended before
   */
  async endSource(caller: Caller, streamId: string, transport: Transport): Promise<void> {
    const found = await this.#fed(caller, streamId, transport);
    if (found.status !== 'running') return;
    const session = await this.#runHere(found, caller);
    await session.finish({ status: 'ended', reason: 'source_ended' });
  }

  /** @throws AppError 404; 403 for others than its owner and administrators */
  async #changeable(caller: Caller, streamId: string): Promise<StoredStream> {
    const found = await this.get(caller, streamId);
    refuseOthers(caller, found);
    return found;
  }

  /** @throws AppError 404, 403, 409 where it takes frames otherwise */
  async #fed(caller: Caller, streamId: string, transport: Transport): Promise<StoredStream> {
    const found = await this.#changeable(caller, streamId);
    if (found.settings.transport !== transport)
      throw conflict(`The session takes ${found.settings.transport}, not ${transport}.`);
    return found;
  }

  /** @throws AppError 409, 429 */
  async #runHere(found: StoredStream, caller: Caller): Promise<LiveSession> {
    const { streamId } = found;
    const here = this.#running.get(streamId);
    if (here !== undefined) return here;
    if (!(await this.#claim(found)))
      throw conflict('The session runs in another process: connect to the one where it began.');
    return this.#running.open(found, caller);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running.finishAll(shuttingDown);
    await store.forgetProcess(this.#deps.db, this.#processId);
    await this.#changes?.[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const { db, log, clock } = this.#deps;
    if (this.#deps.isAlone) await store.forgetProcessesBefore(db, new Date(clock.now()));
    this.#changes = await openChanges({
      db,
      log,
      channel: stopChannel,
      onChange: (streamId) =>
        void this.#running.get(streamId)?.finish({ status: 'stopped', reason: 'deleted' }),
      onGap: () => undefined,
    });
    await this.#endOrphans();
    const repeat = (ms: number, work: () => Promise<void>) => {
      let isRunning = false;
      const timer = setInterval(() => {
        if (isRunning) return;
        isRunning = true;
        void work()
          .catch((err: unknown) => log.warn({ err }, 'live sessions could not be looked after'))
          .finally(() => (isRunning = false));
      }, ms);
      this.#timers.push(timer.unref());
    };
    repeat(tickMs, () => this.#tick());
    repeat(heartbeatMs, () => this.#beat());
  }

  async #addCallback(caller: Caller, { callbackUrl }: StreamDraft, streamId: string) {
    if (callbackUrl === undefined) return undefined;
    const secret = this.#deps.tokens.callbackSecret(caller.tenantId, caller.apiKeyId ?? caller.userId);
    return this.#deps.webhooks.add({ owner: topicOf(streamId), url: callbackUrl, secret });
  }

  /** @throws AppError 429, and the callback is gone again */
  async #insert(stream: StoredStream): Promise<void> {
    const { db, limits, webhooks } = this.#deps;
    await this.#seen();
    this.#waitingUntil = stream.createdAt.getTime() + limits.idleSeconds * 1000 + goneMs;
    try {
      await db.transaction(async (tx) => {
        this.#refuseTooMany(await store.countRunning(tx, stream));
        await store.insertStream(tx, stream);
      });
    } catch (error) {
      if (stream.callbackId !== null) await webhooks.remove(stream.callbackId);
      throw error;
    }
  }

  /** Makes a waiting session one of this process. @throws AppError 429 */
  async #claim(stream: StoredStream): Promise<boolean> {
    const { streamId } = stream;
    const processId = this.#processId;
    if (stream.processId === processId) return store.claimStream(this.#deps.db, streamId, processId);
    return this.#deps.db.transaction(async (tx) => {
      const { here } = await store.countRunning(tx, { ...stream, processId });
      this.#refuseTooMany({ own: 0, here });
      return store.claimStream(tx, streamId, processId);
    });
  }

  #refuseTooMany({ own, here }: { own: number; here: number }): void {
    const { streamsPerKey, streams, idleSeconds } = this.#deps.limits;
    if (own >= streamsPerKey)
      throw tooManyRequests(`${streamsPerKey} sessions at a time is the most for one key.`, idleSeconds);
    if (here >= streams)
      throw tooManyRequests(`This service runs ${streams} sessions at a time at most.`, idleSeconds);
  }

  async #stop(stream: StoredStream): Promise<void> {
    const { streamId } = stream;
    const session = this.#running.get(streamId);
    const stopped = { status: 'stopped', reason: 'deleted' } as const;
    if (session !== undefined) {
      await session.finish(stopped);
      return;
    }
    if (stream.processId === this.#processId || stream.ingestState === 'waiting') {
      await endUnattended(this.#deps, stream, stopped);
      return;
    }
    await this.#changes?.announce(streamId);
    for (const until = performance.now() + stopWithinMs; performance.now() < until; await sleep(100))
      if ((await store.findStream(this.#deps.db, streamId))?.status !== 'running') return;
    await this.#endOrphans();
    if ((await store.findStream(this.#deps.db, streamId))?.status === 'running')
      throw unavailable('The process in which the session runs does not answer. Try again in a moment.');
  }

  /** Sessions whose process is gone have failed. */
  async #endOrphans(): Promise<void> {
    const { db } = this.#deps;
    for (;;) {
      const orphans = await store.listOrphans(db, this.#aliveSince());
      for (const stream of orphans) await endUnattended(this.#deps, stream, processEnded);
      if (orphans.length === 0) return;
    }
  }

  /** A process that has not been seen since is gone. */
  #aliveSince(): Date {
    const { clock, isAlone } = this.#deps;
    return new Date(clock.now() - (isAlone ? 2 * heartbeatMs : goneMs));
  }

  async #tick(): Promise<void> {
    const { clock, limits } = this.#deps;
    this.#running.tick();
    if (clock.now() > this.#waitingUntil) return;
    for (const stream of await this.#waiting(clock.now() - limits.idleSeconds * 1000))
      await endUnattended(this.#deps, stream, { status: 'ended', reason: 'idle' });
  }

  /** Those that wait here for their sender. */
  async #waiting(createdBefore: number): Promise<StoredStream[]> {
    const { db } = this.#deps;
    const found = await store.listUnattended(db, this.#processId, new Date(createdBefore));
    return found.filter(({ streamId }) => this.#running.get(streamId) === undefined);
  }

  /** Tells the other processes that this one lives. */
  async #seen(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    if (now - this.#seenMs < heartbeatMs / 2) return;
    await store.seenProcess(db, this.#processId, new Date(now));
    this.#seenMs = now;
  }

  async #beat(): Promise<void> {
    const { db, clock } = this.#deps;
    // Without sessions nothing is written, and others are looked after now and then.
    const isIdle = this.#running.size === 0 && clock.now() > this.#waitingUntil;
    this.#beats += 1;
    if (!isIdle) await this.#seen();
    if (this.#beats % beatsPerLook === 0) {
      await this.#endOrphans();
      await store.forgetProcessesBefore(db, new Date(clock.now() - 10 * goneMs));
    }
    await this.#running.beat();
    if (!isIdle) await endWithoutAccess(this.#deps, await this.#waiting(clock.now()));
  }
}
