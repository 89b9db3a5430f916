/** The endpoint for legacy clients: sessions that begin with `initialize`. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import type { Presence } from '#identity/presence.ts';
import {
  asMessage,
  failure,
  fieldsOf,
  isNotification,
  isRequest,
  RpcError,
  rpcCodes,
  success,
  type Fields,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '#mcp/json-rpc.ts';
import { isLegacyVersion, legacyVersion, logLevels, unnamedVersion } from '#mcp/protocol.ts';
import { credentialOf, type Client } from '../guarding/ask.ts';
import { bearerOf } from './authenticate.ts';
import { dispatch } from './dispatch.ts';
import { accessEnded } from './ended-access.ts';
import { finishWithError } from './finish-with-error.ts';
import { headerText } from './header-text.ts';
import { LegacySession } from './legacy-session.ts';
import type { LiveGateway } from './live-gateway.ts';
import { instructionsOf } from './server-instructions.ts';
import { newsTo } from './server-news.ts';
import { serverCapabilities, serverInfo } from './modern.ts';
import type { ReplyStream } from './reply-stream.ts';
import { errorFor, resultFor } from './results.ts';

export interface LegacyRequest {
  readonly live: LiveGateway;
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
}

/** Creates the response stream; its events have ids if the session supports it. */
export type MakeReply = (options: {
  sessionId?: string;
  nextId?: (data: string) => string;
  primed?: boolean;
}) => ReplyStream;

export interface LegacySettings {
  readonly version: string;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly perUser: number;
  readonly presence: Pick<Presence, 'enter'>;
  readonly newSessionId: () => string;
}

/** Sessions of one gateway. */
interface Sessions {
  readonly byId: Map<string, LegacySession>;
  readonly hearing: Disposable;
}

const batchVersion = '2025-03-26';
/** From this revision on, a stream begins with an empty event that carries an id. */
const primedVersion = '2025-11-25';

/** Why a call ends with its session; not an internal error. */
const over = (text: string) => new RpcError(rpcCodes.internalError, text);

/** The caller's current rights, which may have changed since the session began. */
const clientOf = (session: LegacySession, { caller, headers }: LegacyRequest): Client => ({
  caller,
  bearer: bearerOf(headers),
  sessionId: `mcp-${session.sessionId.slice(-22)}`,
  key: session.sessionId,
  era: 'legacy',
  capabilities: session.capabilities,
});

export class LegacyEndpoint {
  readonly #settings: LegacySettings;
  readonly #gateways = new Map<LiveGateway, Sessions>();
  readonly #sweep;

  constructor(settings: LegacySettings) {
    this.#settings = settings;
    this.#sweep = setInterval(() => {
      for (const [live, sessions] of this.#gateways)
        for (const session of sessions.byId.values())
          if (session.inFlight.size === 0 && session.usedAtMs < settings.clock.now() - settings.idleMs)
            forget(live, sessions, session, over('The session was idle for too long.'));
    }, 30_000);
    this.#sweep.unref();
  }

  async answer(request: LegacyRequest, body: unknown, makeReply: MakeReply): Promise<void> {
    if (Array.isArray(body)) {
      const session = this.#getSession(request);
      const messages = body.map(asMessage);
      if (
        session.version !== batchVersion ||
        messages.length === 0 ||
        messages.length > 100 ||
        messages.includes(undefined)
      )
        throw new AppError(
          400,
          'bad_request',
          'A batch of messages is not possible in this revision; send one message.',
        );
      await answerBatch(
        request,
        session,
        messages.filter((each) => each !== undefined),
        makeReply,
      );
      return;
    }
    const message = asMessage(body);
    if (message === undefined) throw new AppError(400, 'bad_request', 'The body is no JSON-RPC 2.0 message.');
    if (isRequest(message) && message.method === 'initialize') {
      await this.#initialize(request, message, makeReply);
      return;
    }
    const session = this.#getSession(request);
    if (isRequest(message)) await answerOne(request, session, message, makeReply);
    else {
      takeQuietly(session, message);
      makeReply({}).finish(202, undefined);
    }
  }

  /** Opens the stream that a client keeps open. Throws AppError 400 or 404. */
  attach(request: LegacyRequest, sink: ServerResponse, headers: Fields): void {
    const session = this.#getSession(request);
    if (!session.attach(sink, headers, headerText(request.headers, 'last-event-id')))
      throw new AppError(404, 'no_event', 'The event of Last-Event-ID is no longer available.');
  }

  /** Ends a session. Throws AppError 400 or 404. */
  async end(request: LegacyRequest): Promise<void> {
    const session = this.#getSession(request);
    const sessions = this.#sessionsOf(request.live);
    forget(request.live, sessions, session, over('The client ended the session.'));
    await request.live.pool.endOf(session.sessionId);
  }

  /** Number of open sessions at the gateway. */
  count(live: LiveGateway): number {
    return this.#gateways.get(live)?.byId.size ?? 0;
  }

  /** Ends the sessions of a gateway that stops. */
  endAll(live: LiveGateway): void {
    const sessions = this.#gateways.get(live);
    if (sessions === undefined) return;
    this.#gateways.delete(live);
    sessions.hearing[Symbol.dispose]();
    for (const session of sessions.byId.values()) session.close(over('The gateway was stopped.'));
  }

  #sessionsOf(live: LiveGateway): Sessions {
    const known = this.#gateways.get(live);
    if (known !== undefined) return known;
    const byId: Sessions['byId'] = new Map();
    const made = { byId, hearing: live.hear(newsTo(byId)) };
    this.#gateways.set(live, made);
    return made;
  }

  #getSession({ live, caller, headers }: LegacyRequest): LegacySession {
    const id = headerText(headers, 'mcp-session-id');
    if (id === undefined)
      throw new AppError(400, 'no_session', 'The header Mcp-Session-Id is missing. Begin with `initialize`.');
    const session = this.#sessionsOf(live).byId.get(id);
    // A session of another caller answers as if it did not exist.
    if (session?.caller.userId !== caller.userId || credentialOf(session.caller) !== credentialOf(caller))
      throw new AppError(
        404,
        'no_session',
        'The session is unknown or has ended. Begin again with `initialize`.',
      );
    const sent = headers['mcp-protocol-version'] ?? unnamedVersion;
    if (!isLegacyVersion(sent))
      throw new AppError(
        400,
        'bad_version',
        'The header MCP-Protocol-Version names a revision that is not supported.',
      );
    session.usedAtMs = this.#settings.clock.now();
    session.caller = caller;
    return session;
  }

  #makeRoom(live: LiveGateway, sessions: Sessions, caller: Caller) {
    const own = [...sessions.byId.values()].filter((each) => each.caller.userId === caller.userId);
    if (own.length < this.#settings.perUser) return;
    const oldest = own.toSorted((a, b) => a.usedAtMs - b.usedAtMs)[0];
    if (oldest !== undefined) forget(live, sessions, oldest, over('The user opened too many sessions.'));
  }

  async #initialize(request: LegacyRequest, { id, params = {} }: RpcRequest, makeReply: MakeReply) {
    const { live, caller } = request;
    const { newSessionId, clock, presence, version } = this.#settings;
    const wanted = params['protocolVersion'];
    if (typeof wanted !== 'string') {
      makeReply({}).finish(
        400,
        failure(id, { code: rpcCodes.invalidParams, message: "'protocolVersion' is missing." }),
      );
      return;
    }
    const agreed = isLegacyVersion(wanted) ? wanted : legacyVersion;
    const sessions = this.#sessionsOf(live);
    this.#makeRoom(live, sessions, caller);
    const session = new LegacySession({
      sessionId: newSessionId(),
      caller,
      version: agreed,
      capabilities: fieldsOf(params['capabilities']),
      nowMs: clock.now(),
    });
    sessions.byId.set(session.sessionId, session);
    const ended = () => forget(live, sessions, session, accessEnded());
    session.presence = presence.enter(() => session.caller, ended);
    const instructions = await instructionsOf(live, clientOf(session, request));
    const result = {
      protocolVersion: agreed,
      capabilities: serverCapabilities(),
      ...(instructions !== undefined && { instructions }),
      serverInfo: serverInfo(version, live.gateway.name),
    };
    makeReply({ sessionId: session.sessionId }).finish(200, success(id, result));
  }
}

const forget = (live: LiveGateway, sessions: Sessions, session: LegacySession, reason: Error) => {
  sessions.byId.delete(session.sessionId);
  session.close(reason);
  live.guards.traces.forget(session.sessionId);
  live.unwatch(session.sessionId);
  // Not awaited: closing takes a moment.
  void live.pool.endOf(session.sessionId);
};

/** Handles requests that the gateway answers itself; undefined for requests that go to servers. */
const answerHere = (session: LegacySession, { method, params = {} }: RpcRequest): Fields | undefined => {
  if (method === 'ping') return {};
  if (method !== 'logging/setLevel') return undefined;
  const level = logLevels.find((each) => each === params['level']);
  if (level === undefined)
    throw new RpcError(rpcCodes.invalidParams, `'level' must be one of ${logLevels.join(', ')}.`);
  session.logLevel = level;
  return {};
};

const keepSubscription = ({ method, params = {} }: RpcRequest, session: LegacySession) => {
  if (method === 'resources/subscribe') session.subscriptions.add(String(params['uri']));
  if (method === 'resources/unsubscribe') session.subscriptions.delete(String(params['uri']));
};

const run = async (
  asked: LegacyRequest,
  session: LegacySession,
  request: RpcRequest,
  reply: ReplyStream,
): Promise<RpcResponse> => {
  const { id, method, params = {} } = request;
  // Two requests with the same id could not be cancelled separately.
  if (session.inFlight.has(id))
    throw new RpcError(rpcCodes.invalidRequest, 'A request with this id is under way in the session.');
  const stop = new AbortController();
  session.inFlight.set(id, stop);
  try {
    const result =
      answerHere(session, request) ??
      (await dispatch(asked.live, clientOf(session, asked), {
        method,
        params,
        signal: stop.signal,
        stop,
        logLevel: session.logLevel ?? 'debug',
        onNotification: (message) => void reply.send(message),
        onRequest: (question, signal) => session.ask(question, signal, (sent) => reply.send(sent)),
      }));
    keepSubscription(request, session);
    return success(id, resultFor('legacy', method, result));
  } finally {
    session.inFlight.delete(id);
  }
};

const answerOne = async (
  asked: LegacyRequest,
  session: LegacySession,
  request: RpcRequest,
  makeReply: MakeReply,
) => {
  const stream = session.newStream();
  const reply = makeReply({ nextId: stream.nextId, primed: session.version >= primedVersion });
  try {
    reply.finish(200, await run(asked, session, request, reply));
  } catch (error) {
    finishWithError({ live: asked.live, era: 'legacy', request, reply }, error);
  } finally {
    stream.end();
  }
};

const takeQuietly = (session: LegacySession, message: RpcMessage) => {
  if (!isNotification(message)) session.answered(message as RpcResponse);
  else if (message.method === 'notifications/cancelled') {
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number')
      session.inFlight.get(id)?.abort(over('The client cancelled the request.'));
  }
};

const answerBatch = async (
  asked: LegacyRequest,
  session: LegacySession,
  messages: readonly RpcMessage[],
  makeReply: MakeReply,
) => {
  const reply = makeReply({});
  for (const message of messages) if (!isRequest(message)) takeQuietly(session, message);
  const requests = messages.filter(isRequest);
  const answers = await Promise.all(
    requests.map((request) =>
      run(asked, session, request, reply).catch((error: unknown) =>
        failure(request.id, errorFor('legacy', error)),
      ),
    ),
  );
  reply.finish(requests.length === 0 ? 202 : 200, requests.length === 0 ? undefined : answers);
};
