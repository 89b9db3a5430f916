/** A connection to an MCP server of either protocol era; the era is detected first and hidden from callers. */
import { AppError } from '#base/errors.ts';
import {
  fieldsOf,
  isFields,
  RpcError,
  rpcCodes,
  type Fields,
  type RpcNotification,
  type RpcRequest,
} from './json-rpc.ts';
import { Peer, type PeerCall, type PeerHandlers } from './peer.ts';
import {
  clientMethods,
  isLegacyVersion,
  isModernVersion,
  legacyVersion,
  metaKeys,
  metaOf,
  modernVersion,
  type Era,
} from './protocol.ts';
import type { ClientFacts, Transport } from './transport.ts';

export interface ConnectionCall extends PeerCall {
  /**
   * What the server may ask the client for during this request; default: as on the connection. Sent to modern servers
   * only.
   */
  readonly capabilities?: Fields | undefined;
  /** Minimum level of log messages that a modern server sends during the call. */
  readonly logLevel?: string | undefined;
}

export interface Connection extends AsyncDisposable {
  readonly era: Era;
  readonly version: string;
  readonly serverInfo: Fields;
  readonly capabilities: Fields;
  readonly instructions: string | undefined;
  /**
   * A modern server may answer `input_required`; its questions then go to `onRequest`, and the call is repeated with
   * the answers. Without `onRequest` such an answer is returned as it is.
   * @throws RpcError that the server answered; AppError 502 or 504; the signal's reason if it was aborted.
   */
  request(call: ConnectionCall): Promise<Fields>;
  notify(method: string, params?: Fields): Promise<void>;
  readonly inFlight: number;
}

export interface ConnectSettings {
  readonly transport: Transport;
  readonly client: ClientFacts;
  /** Era known from an earlier connection; saves the detection request. */
  readonly era?: Era | undefined;
  /**
   * The era to try first; default: modern. A server of both eras can send requests to its client only in the client's
   * own era: many servers ask in the middle of a legacy call, and have no other form of the question.
   */
  readonly prefer?: Era | undefined;
  /** Timeout of each request during the handshake. */
  readonly timeoutMs: number;
  readonly handlers: PeerHandlers;
}

interface Greeting {
  readonly era: Era;
  readonly version: string;
  readonly serverInfo: Fields;
  readonly capabilities: Fields;
  readonly instructions: string | undefined;
}

/** Maximum rounds of server requests within one call. */
const maxRounds = 10;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const modernMeta = (version: string, client: ClientFacts, call: Partial<ConnectionCall>): Fields => ({
  [metaKeys.protocolVersion]: version,
  [metaKeys.clientInfo]: client.info,
  [metaKeys.clientCapabilities]: call.capabilities ?? client.capabilities,
  ...(call.logLevel !== undefined && { [metaKeys.logLevel]: call.logLevel }),
});

/** The era that an error implies. */
function eraOfRefusal(error: unknown): Era | 'unknown' {
  if (error instanceof RpcError) {
    const { headerMismatch, missingClientCapability } = rpcCodes;
    return error.code === headerMismatch || error.code === missingClientCapability ? 'unknown' : 'legacy';
  }
  // Legacy servers refuse requests without a session in many ways; a missing credential says nothing about the era.
  if (error instanceof AppError)
    return ['upstream_refused', 'upstream_garbage', 'timed_out'].includes(error.code) ? 'legacy' : 'unknown';
  return 'unknown';
}

/** A server that has sent nothing at all in the time of one request is not waited for a second time. */
const isSilence = (error: unknown, { hasAnswered }: Transport): boolean =>
  error instanceof AppError && error.code === 'timed_out' && hasAnswered === false;

/** A version error that lists our version: such a server is retried once. */
const speaksModern = (error: unknown): boolean => {
  const named =
    error instanceof RpcError && error.code === rpcCodes.unsupportedProtocolVersion
      ? fieldsOf(error.data)['supported']
      : undefined;
  return Array.isArray(named) && named.some(isModernVersion);
};

async function discover(peer: Peer, settings: ConnectSettings): Promise<Greeting | undefined> {
  const { transport, client, timeoutMs } = settings;
  transport.agreed(modernVersion, 'modern');
  const params = { _meta: modernMeta(modernVersion, client, {}) };
  const ask = () => peer.request({ method: 'server/discover', params, timeoutMs });
  try {
    const result = await ask().catch((error: unknown) => {
      if (!speaksModern(error)) throw error;
      return ask();
    });
    const versions = result['supportedVersions'];
    if (!Array.isArray(versions) || !versions.some(isModernVersion)) return undefined;
    return {
      era: 'modern',
      version: modernVersion,
      serverInfo: fieldsOf(metaOf(result)[metaKeys.serverInfo] ?? result['serverInfo']),
      capabilities: fieldsOf(result['capabilities']),
      instructions: textOf(result['instructions']),
    };
  } catch (error) {
    if (eraOfRefusal(error) === 'unknown' || isSilence(error, transport)) throw error;
    return undefined;
  }
}

async function initialize(peer: Peer, settings: ConnectSettings): Promise<Greeting> {
  const { transport, client, timeoutMs } = settings;
  transport.agreed(undefined, 'legacy');
  const params = {
    protocolVersion: legacyVersion,
    capabilities: client.capabilities,
    clientInfo: client.info,
  };
  const result = await peer.request({ method: 'initialize', params, timeoutMs });
  const version = textOf(result['protocolVersion']) ?? '';
  if (!isLegacyVersion(version))
    throw new AppError(
      502,
      'upstream_version',
      `The MCP server speaks the unknown protocol version ${version.slice(0, 40)}.`,
    );
  transport.agreed(version, 'legacy');
  await peer.notify('notifications/initialized');
  await transport.listen();
  return {
    era: 'legacy',
    version,
    serverInfo: fieldsOf(result['serverInfo']),
    capabilities: fieldsOf(result['capabilities']),
    instructions: textOf(result['instructions']),
  };
}

/** A server that knows only the other era refuses the handshake; any other failure concerns the server itself. */
async function greet(peer: Peer, settings: ConnectSettings): Promise<Greeting> {
  if (settings.era === 'legacy') return initialize(peer, settings);
  if (settings.prefer !== 'legacy')
    return (await discover(peer, settings)) ?? (await initialize(peer, settings));
  try {
    const greeting = await initialize(peer, settings);
    if (settings.transport.hasSession !== false) return greeting;
    // A server that answers each legacy request by itself cannot ask; in the newer era it can.
    return (await discover(peer, settings)) ?? greeting;
  } catch (error) {
    if (isSilence(error, settings.transport)) throw error;
    if (!speaksModern(error) && eraOfRefusal(error) === 'unknown') throw error;
    const greeting = await discover(peer, settings);
    if (greeting === undefined) throw error;
    return greeting;
  }
}

/** Answers to a modern server's questions, by the key of the question. */
async function inputResponses(result: Fields, call: ConnectionCall): Promise<Fields> {
  const answers: Fields = {};
  for (const [key, value] of Object.entries(fieldsOf(result['inputRequests']))) {
    const { method, params } = fieldsOf(value);
    if (typeof method !== 'string' || !clientMethods.has(method))
      throw new RpcError(rpcCodes.internalError, 'The server sent a request that no client supports.');
    const request: RpcRequest = { jsonrpc: '2.0', id: key, method, params: fieldsOf(params) };
    answers[key] = await call.onRequest?.(request, call.signal ?? new AbortController().signal);
  }
  return answers;
}

/** Sends a request to a modern server and resolves its questions. */
async function askModern(
  peer: Peer,
  greeting: Greeting,
  client: ClientFacts,
  call: ConnectionCall,
): Promise<Fields> {
  const meta = modernMeta(greeting.version, client, call);
  let more: Fields = {};
  for (let round = 0; ; round += 1) {
    const params = { ...call.params, ...more, _meta: { ...metaOf(call.params), ...meta } };
    const result = await peer.request({ ...call, params, onRequest: undefined });
    if (result['resultType'] !== 'input_required' || call.onRequest === undefined) return result;
    if (round === maxRounds)
      throw new RpcError(
        rpcCodes.internalError,
        `The server sent more than ${maxRounds} rounds of requests for one call.`,
      );
    const { requestState } = result;
    more = {
      ...(isFields(result['inputRequests']) && { inputResponses: await inputResponses(result, call) }),
      ...(typeof requestState === 'string' && { requestState }),
    };
  }
}

const pauseMs = 1000;
const longestPauseMs = 60_000;

/** Keeps a modern server's change stream open for the lifetime of the connection. */
function hearChanges(
  peer: Peer,
  greeting: Greeting,
  client: ClientFacts,
  isOver: () => boolean,
  handlers: PeerHandlers,
): void {
  const { tools, prompts, resources } = greeting.capabilities;
  const notifications = {
    ...(fieldsOf(tools)['listChanged'] === true && { toolsListChanged: true }),
    ...(fieldsOf(prompts)['listChanged'] === true && { promptsListChanged: true }),
    ...(fieldsOf(resources)['listChanged'] === true && { resourcesListChanged: true }),
  };
  if (Object.keys(notifications).length === 0) return;
  const params = { notifications, _meta: modernMeta(greeting.version, client, {}) };
  // Maximum delay of a Node.js timer.
  const timeoutMs = 2 ** 31 - 1;
  const onNotification = (message: RpcNotification) => handlers.onNotification(message);
  const hear = (waitMs: number): void => {
    if (isOver()) return;
    const began = Date.now();
    const again = () => {
      const next = Date.now() - began > longestPauseMs ? pauseMs : Math.min(waitMs * 2, longestPauseMs);
      setTimeout(() => hear(next), waitMs).unref();
    };
    peer
      .request({ method: 'subscriptions/listen', params, timeoutMs, onNotification })
      .then(again, (error: unknown) => {
        // A server that refuses has no such stream; if it is unreachable, the next call notices.
        if (!(error instanceof RpcError)) again();
      });
  };
  hear(pauseMs);
}

/**
 * Connects and initializes.
 * @throws AppError 502 or 504 if the server is unreachable or responds invalidly; 422 for a forbidden address.
 */
export async function connect(settings: ConnectSettings): Promise<Connection> {
  const { transport, client, handlers } = settings;
  let isOver = false;
  const peer = new Peer(transport, {
    onNotification: (message: RpcNotification) => handlers.onNotification(message),
    onClosed(reason) {
      isOver = true;
      handlers.onClosed(reason);
    },
  });
  let greeting: Greeting;
  try {
    await peer.open();
    greeting = await greet(peer, settings);
  } catch (error) {
    await peer[Symbol.asyncDispose]();
    throw error;
  }
  if (greeting.era === 'modern') hearChanges(peer, greeting, client, () => isOver, handlers);
  return {
    ...greeting,
    get inFlight() {
      return peer.inFlight;
    },
    request: (call) =>
      greeting.era === 'modern' ? askModern(peer, greeting, client, call) : peer.request(call),
    notify: (method, params) => peer.notify(method, params),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}
