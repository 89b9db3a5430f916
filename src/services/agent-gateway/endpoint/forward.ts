/** Forwards a request to its server: what is passed on, what the server may ask or say meanwhile, and subscriptions. */
import { readTraceparent } from '#base/tracing/traceparent.ts';
import type { Connection } from '#mcp/connection.ts';
import { headersFor } from '#mcp/header-values.ts';
import { RpcError, rpcCodes, type Fields, type RpcNotification, type RpcRequest } from '#mcp/json-rpc.ts';
import { levelReaches, metaOf, ownMetaPrefix, traceKeys } from '#mcp/protocol.ts';
import type { Ask, Client } from '../guarding/ask.ts';
import { deliverable } from '../guarding/deliverable.ts';
import { inspect, marked } from '../guarding/inspect.ts';
import type { Offer } from '../upstreams/catalog.ts';
import { checkedNews, type CheckedNews } from './checked-news.ts';
import type { LiveGateway } from './live-gateway.ts';
import { signInFirst } from './sign-in-first.ts';

const isForwarded = (key: string): boolean =>
  traceKeys.some((each) => each === key) ||
  (!key.startsWith('io.modelcontextprotocol/') && !key.startsWith(ownMetaPrefix) && key !== 'progressToken');

/** Undefined if nothing of it is forwarded, as in most calls. */
function forwardedMeta(params: Fields): Fields | undefined {
  const entries = Object.entries(metaOf(params)).filter(([key]) => isForwarded(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What is forwarded of the client's, with our span if calls are traced: the server's spans become its children. */
function metaFor(live: LiveGateway, ask: Ask): Fields | undefined {
  const meta = forwardedMeta(ask.params);
  const traceparent = live.deps.tracing?.traceparent();
  return traceparent === undefined ? meta : { ...meta, traceparent };
}

/** Forwards a request to the server of the offer. */
export function forward(
  live: LiveGateway,
  client: Client,
  ask: Ask,
  offer: Offer,
  params: Fields,
): Promise<Fields> {
  const { attachment, headerParams } = offer;
  const meta = metaFor(live, ask);
  const traceparent = meta?.['traceparent'];
  const own: Fields = meta === undefined ? { ...params } : { ...params, _meta: meta };
  for (const key of ['inputResponses', 'requestState'])
    if (ask.params[key] !== undefined) own[key] = ask.params[key];
  const said = checkedNews(live, offer.name, ask.onNotification);
  const wantsProgress = metaOf(ask.params)['progressToken'] !== undefined;
  const { server } = attachment;
  const run = (connection: Connection) => {
    if (connection.era === 'modern' && ask.method.endsWith('subscribe'))
      return subscribe(live, client, ask.method, String(params['uri']), connection);
    const passesThrough = connection.era === 'modern' && client.era === 'modern';
    const hears = wantsProgress || ask.logLevel !== undefined || connection.era === 'legacy';
    return connection.request({
      method: ask.method,
      params: own,
      capabilities: client.capabilities,
      logLevel: ask.logLevel,
      signal: ask.signal,
      timeoutMs: live.deps.limits.callTimeoutMs,
      headers: {
        ...(connection.era === 'modern' && headersFor(headerParams, params['arguments'])),
        ...(typeof traceparent === 'string' && readTraceparent(traceparent) && { traceparent }),
      },
      ...(hears && { onNotification: (message) => pass(ask, message, said) }),
      ...(!passesThrough && {
        onRequest: (request, signal) => askClient(live, ask, offer.name, request, signal),
      }),
    });
  };
  const send = async () => {
    const result = await live.pool.use(server, client, run);
    // What was said before the answer reaches the client before it.
    const telling = said.settled();
    if (telling !== undefined) await telling;
    return result;
  };
  return server.identityScheme === 'user_oauth'
    ? signInFirst(live.deps.signIn, { client, ask, server }, send)
    : send();
}

/** Maximum delay of a Node.js timer. */
const foreverMs = 2 ** 31 - 1;

/** Legacy clients subscribe to single resources; modern servers report updates on a stream that must be opened. */
function subscribe(
  live: LiveGateway,
  client: Client,
  method: string,
  uri: string,
  connection: Connection,
): Promise<Fields> {
  if (method === 'resources/unsubscribe') live.unwatch(client.key, uri);
  else
    live.watch(client.key, uri, (signal) => {
      const params = { notifications: { resourceSubscriptions: [uri] } };
      connection
        .request({ method: 'subscriptions/listen', params, signal, timeoutMs: foreverMs })
        // Ends with the subscription or when the server disconnects; the gateway's status reports disconnected servers.
        .catch(() => live.unwatch(client.key, uri));
    });
  return Promise.resolve({});
}

/** A question of the server is put to the client if the output guard lets it pass; a withheld one is refused. */
async function askClient(
  live: LiveGateway,
  ask: Ask,
  name: string,
  request: RpcRequest,
  signal: AbortSignal,
): Promise<Fields> {
  const found = await inspect(live.guards, { gateway: live.gateway, name }, request.params);
  if (found?.withheld === true)
    throw new RpcError(
      rpcCodes.invalidRequest,
      'The gateway withheld the request, because it carries instructions to the agent.',
    );
  const params = (await deliverable(live.gateway, request.params ?? {})).result;
  return ask.onRequest({ ...request, params: found === undefined ? params : marked(params, found) }, signal);
}

/** Forwards progress under the client's token, and log messages of the level that the client wants. */
function pass(ask: Ask, message: RpcNotification, said: CheckedNews): void {
  if (message.method === 'notifications/progress') {
    const { progressToken } = metaOf(ask.params);
    if (progressToken !== undefined) said.tell({ ...message, params: { ...message.params, progressToken } });
  } else if (ask.logLevel !== undefined && levelReaches(message.params?.['level'], ask.logLevel))
    said.tell(message);
}
