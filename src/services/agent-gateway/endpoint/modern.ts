/** The endpoint for modern clients: each request is self-contained. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '#identity/caller.ts';
import type { Presence } from '#identity/presence.ts';
import { contradiction, decodeHeaderValue } from '#mcp/header-values.ts';
import {
  failure,
  fieldsOf,
  isFields,
  isNotification,
  isRequest,
  RpcError,
  rpcCodes,
  success,
  type Fields,
  type RpcMessage,
  type RpcRequest,
} from '#mcp/json-rpc.ts';
import {
  isModernVersion,
  legacyVersions,
  logLevels,
  metaKeys,
  metaOf,
  modernVersions,
  namedBy,
} from '#mcp/protocol.ts';
import { credentialOf, type Ask, type Client } from '../guarding/ask.ts';
import { bearerOf } from './authenticate.ts';
import { dispatch } from './dispatch.ts';
import { accessEnded } from './ended-access.ts';
import { finishWithError } from './finish-with-error.ts';
import { headerText } from './header-text.ts';
import { answerListen } from './listen.ts';
import type { LiveGateway } from './live-gateway.ts';
import type { ReplyStream } from './reply-stream.ts';
import { resultFor } from './results.ts';
import type { Offer } from '../upstreams/catalog.ts';
import { instructionsOf } from './server-instructions.ts';
import { Suspensions } from './suspended.ts';

const supported = [...modernVersions, ...legacyVersions];
const reserved = [metaKeys.protocolVersion, metaKeys.clientCapabilities, metaKeys.clientInfo];

/** What a gateway offers depends on the caller and may change at any time, so all capabilities are announced. */
export const serverCapabilities = (extra: Fields = {}): Fields => ({
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  ...extra,
});

export const serverInfo = (version: string, name: string): Fields => ({
  name: 'bulwark-agent-gateway',
  title: name,
  version,
});

/** Whether a request is modern: its `_meta` or its version header names a modern revision. */
export function isModern(message: RpcMessage, headers: IncomingHttpHeaders): boolean {
  const meta = 'method' in message ? metaOf(message.params) : {};
  return reserved.some((key) => key in meta) || isModernVersion(headers['mcp-protocol-version']);
}

const mismatch = (text: string) => new RpcError(rpcCodes.headerMismatch, text);
/** The protocol requires status 400 for these errors; invalid parameters reported by a server are a normal response. */
class BadMeta extends RpcError {}

function checkVersion(meta: Fields, headers: IncomingHttpHeaders): void {
  const version = meta[metaKeys.protocolVersion];
  const sent = headerText(headers, 'mcp-protocol-version');
  if (typeof version !== 'string')
    throw new BadMeta(
      rpcCodes.invalidParams,
      `_meta needs '${metaKeys.protocolVersion}', the protocol version.`,
    );
  if (sent !== version)
    throw mismatch(
      `The header MCP-Protocol-Version must be there and say what _meta says: ${version.slice(0, 40)}.`,
    );
  if (!isModernVersion(version))
    throw new RpcError(
      rpcCodes.unsupportedProtocolVersion,
      `The protocol version ${version.slice(0, 40)} is not supported.`,
      {
        supported,
        requested: version,
      },
    );
}

function checkRequest({ method, params = {} }: RpcRequest, headers: IncomingHttpHeaders): void {
  const meta = metaOf(params);
  checkVersion(meta, headers);
  if (!isFields(meta[metaKeys.clientCapabilities]))
    throw new BadMeta(rpcCodes.invalidParams, `_meta needs '${metaKeys.clientCapabilities}', an object.`);
  const sentMethod = headerText(headers, 'mcp-method');
  if (sentMethod?.trim() !== method)
    throw mismatch('The header Mcp-Method must be there and repeat the method.');
  const field = namedBy.get(method);
  const name = field === undefined ? undefined : params[field];
  if (typeof name !== 'string') return;
  const sentName = headerText(headers, 'mcp-name');
  if (sentName === undefined || decodeHeaderValue(sentName) !== name)
    throw mismatch(`The header Mcp-Name must be there and repeat '${field}'.`);
}

/** Session ids for the logs, by key: one hash for each client instead of one for each call. */
const sessionIds = new LRUCache<string, string>({ max: 10_000 });

function sessionIdOf(key: string): string {
  const known = sessionIds.get(key);
  if (known !== undefined) return known;
  const made = `mcp-${hash('sha256', key, 'base64url').slice(0, 22)}`;
  sessionIds.set(key, made);
  return made;
}

/** State of one modern client, identified by its caller; the trace of its calls is stored under that key. */
function clientOf(
  live: LiveGateway,
  caller: Caller,
  capabilities: Fields,
  headers: IncomingHttpHeaders,
): Client {
  const key = `${live.gateway.gatewayId}:${caller.userId}:${credentialOf(caller)}`;
  return {
    caller,
    bearer: bearerOf(headers),
    sessionId: sessionIdOf(key),
    key,
    era: 'modern',
    capabilities,
  };
}

function checkParamHeaders(offers: readonly Offer[], params: Fields, headers: IncomingHttpHeaders): void {
  const [offer] = offers;
  // Nearly all tools have none.
  if (offer === undefined || offer.headerParams.length === 0) return;
  const wrong = contradiction(offer.headerParams, params['arguments'], headers);
  if (wrong !== undefined) throw mismatch(wrong);
}

const discovery = (live: LiveGateway, version: string, instructions: string | undefined): Fields => ({
  supportedVersions: supported,
  capabilities: serverCapabilities(),
  ...(instructions !== undefined && { instructions }),
  ttlMs: 60_000,
  cacheScope: 'private',
  _meta: { [metaKeys.serverInfo]: serverInfo(version, live.gateway.name) },
});

/** Methods that may require answers from the client and therefore several requests. */
const inRounds = new Set(['tools/call', 'prompts/get', 'resources/read']);

export class ModernEndpoint {
  readonly #version: string;
  readonly #presence: Pick<Presence, 'enter'>;
  readonly #suspensions: Suspensions;

  /** @param newCallId makes ids of calls that wait for their client, which name this process */
  constructor(version: string, presence: Pick<Presence, 'enter'>, newCallId: () => string) {
    this.#version = version;
    this.#presence = presence;
    this.#suspensions = new Suspensions(newCallId);
  }

  async answer(
    live: LiveGateway,
    caller: Caller,
    message: RpcMessage,
    headers: IncomingHttpHeaders,
    reply: ReplyStream,
  ): Promise<void> {
    if (isNotification(message)) {
      reply.finish(202, undefined);
      return;
    }
    if (!isRequest(message)) {
      reply.finish(
        400,
        failure(null, {
          code: rpcCodes.invalidRequest,
          message: 'Clients send requests here, no responses.',
        }),
      );
      return;
    }
    using _ = this.#presence.enter(
      () => caller,
      () => reply.abandon(accessEnded()),
    );
    try {
      const result = await this.#answerRequest(live, caller, message, headers, reply);
      if (result !== undefined)
        reply.finish(200, success(message.id, resultFor('modern', message.method, result)));
    } catch (error) {
      const failed = { live, era: 'modern' as const, request: message, reply };
      finishWithError(failed, error, error instanceof BadMeta ? 400 : undefined);
    }
  }

  async #inTurns(
    live: LiveGateway,
    client: Client,
    request: RpcRequest,
    reply: ReplyStream,
  ): Promise<Fields> {
    const { method, params = {} } = request;
    const owner = `${client.key}\n${method}\n${String(params['name'] ?? params['uri'])}`;
    const level = metaOf(params)[metaKeys.logLevel];
    const known = this.#suspensions.find(params['requestState'], owner);
    const running =
      known ??
      this.#suspensions.start({
        owner,
        capabilities: client.capabilities,
        run: (stop, onNotification, onRequest) => {
          const logLevel = level === undefined ? undefined : logLevels.find((each) => each === level);
          const ask: Ask = {
            method,
            params,
            signal: stop.signal,
            stop,
            logLevel,
            onNotification,
            onRequest,
          };
          return dispatch(live, client, ask);
        },
      });
    running.notify = (message) => void reply.send(message);
    if (known !== undefined) running.answer(fieldsOf(params['inputResponses']));
    const turn = await running.turn(reply.gone);
    return 'result' in turn ? turn.result : { resultType: 'input_required', ...turn };
  }

  /** @throws at once where the request itself is wrong */
  #answerRequest(
    live: LiveGateway,
    caller: Caller,
    request: RpcRequest,
    headers: IncomingHttpHeaders,
    reply: ReplyStream,
  ): Fields | Promise<Fields | undefined> {
    checkRequest(request, headers);
    const { method, params = {} } = request;
    const capabilities = fieldsOf(metaOf(params)[metaKeys.clientCapabilities]);
    const client = clientOf(live, caller, capabilities, headers);
    if (method === 'server/discover')
      return instructionsOf(live, client).then((said) => discovery(live, this.#version, said));
    if (method === 'subscriptions/listen')
      return answerListen(live, client, request, reply).then(() => undefined);
    if (method === 'tools/call') {
      const offers = live.catalog.find('tools', String(params['name']), client);
      if (offers instanceof Promise)
        return offers.then((found) => {
          checkParamHeaders(found, params, headers);
          return this.#inTurns(live, client, request, reply);
        });
      checkParamHeaders(offers, params, headers);
    }
    if (inRounds.has(method)) return this.#inTurns(live, client, request, reply);
    // Legacy only.
    if (method.startsWith('resources/') && method.endsWith('subscribe'))
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`);
    const nobody = () =>
      Promise.reject(new RpcError(rpcCodes.methodNotFound, 'The client is not asked here.'));
    return dispatch(live, client, {
      method,
      params,
      signal: reply.gone,
      stop: reply.work,
      onNotification: (message) => void reply.send(message),
      onRequest: nobody,
    });
  }
}
