/** The sessions that run in this process, and what is looked after in them. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Caller } from '#identity/caller.ts';
import { lookAfterCallback } from './callback-care.ts';
import { accessEnded, type Ending } from './endings.ts';
import type { LiveSession } from './live-session.ts';
import { openSession, type SessionParts } from './open-session.ts';
import { ownerOf, type Owners } from './owner.ts';
import * as store from './store.ts';
import type { StoredStream } from './store.ts';

export interface RunningSessionsDeps extends SessionParts {
  readonly clock: Clock;
  readonly identity: Owners;
}

export class RunningSessions {
  readonly #deps: RunningSessionsDeps;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();

  constructor(deps: RunningSessionsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get(streamId: string): LiveSession | undefined {
    return this.#sessions.get(streamId);
  }

  /** The session of a row, which runs from now on. @throws AppError 404 where its deployment is gone */
  async open(stream: StoredStream, caller: Caller): Promise<LiveSession> {
    const { streamId } = stream;
    const opening = this.#opening.get(streamId) ?? this.#open(stream, caller);
    this.#opening.set(streamId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(streamId);
    }
  }

  /** A row with what only the process knows in which it runs. */
  current(stream: StoredStream): StoredStream {
    const session = this.#sessions.get(stream.streamId);
    if (session === undefined || stream.status !== 'running') return stream;
    return { ...stream, ...session.counts, ingestState: session.state };
  }

  /** Once a second. */
  tick(): void {
    for (const session of this.#sessions.values()) session.tick();
  }

  /** Every few seconds. */
  async beat(): Promise<void> {
    for (const session of this.#sessions.values()) {
      await this.#save(session);
      await this.#endWithoutAccess(session);
      await lookAfterCallback(this.#deps, session);
    }
  }

  async finishAll(ending: Ending): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.finish(ending)));
  }

  async #open(stream: StoredStream, caller: Caller): Promise<LiveSession> {
    const session = await openSession(this.#deps, stream, caller, {
      save: (changed) => void this.#save(changed),
      saveEnd: (ended, ending, tx) => this.#saveEnd(ended, ending, tx),
      onEnded: ({ stream: { streamId } }) => this.#sessions.delete(streamId),
    });
    this.#sessions.set(stream.streamId, session);
    return session;
  }

  async #save(session: LiveSession): Promise<void> {
    const { db, log } = this.#deps;
    const { streamId } = session.stream;
    try {
      await store.saveProgress(db, streamId, { ...session.counts, ingestState: session.state });
    } catch (err) {
      log.warn({ err, stream_id: streamId }, 'the state of a live session could not be saved');
    }
  }

  #saveEnd(session: LiveSession, { status, problem }: Ending, tx: Queries): Promise<boolean> {
    const { clock } = this.#deps;
    const { streamId } = session.stream;
    return store.finishStream(tx, {
      streamId,
      status,
      error: status === 'failed' ? (problem?.message ?? null) : null,
      at: new Date(clock.now()),
      counts: session.counts,
    });
  }

  /** Whoever has been deleted, or whose key has been revoked, has no sessions. */
  async #endWithoutAccess(session: LiveSession): Promise<void> {
    if ((await ownerOf(session.stream, this.#deps.identity)) === undefined) void session.finish(accessEnded);
  }
}
