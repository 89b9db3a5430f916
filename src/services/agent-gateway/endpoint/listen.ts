/** `subscriptions/listen`: the stream on which modern clients receive change notifications. */
import {
  fieldsOf,
  isFields,
  notification,
  RpcError,
  rpcCodes,
  success,
  type Fields,
  type RpcRequest,
} from '#mcp/json-rpc.ts';
import { metaKeys } from '#mcp/protocol.ts';
import type { Client } from '../guarding/ask.ts';
import { ChangedLists } from './changed-lists.ts';
import { dispatch } from './dispatch.ts';
import type { LiveGateway } from './live-gateway.ts';
import type { ReplyStream } from './reply-stream.ts';

const flags: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
]);

const maxSubscriptions = 100;

/** The resources that can be subscribed to. */
async function subscribed(
  live: LiveGateway,
  client: Client,
  uris: readonly unknown[],
  reply: ReplyStream,
): Promise<string[]> {
  const done: string[] = [];
  for (const uri of uris.slice(0, maxSubscriptions)) {
    if (typeof uri !== 'string') continue;
    const ask = {
      method: 'resources/subscribe',
      params: { uri },
      signal: reply.gone,
      stop: reply.work,
      onNotification: () => undefined,
      onRequest: () => Promise.reject(new RpcError(rpcCodes.methodNotFound, 'The client is not asked here.')),
    };
    try {
      await dispatch(live, client, ask);
      done.push(uri);
    } catch (error) {
      // Subscriptions that are not available are left out of the acknowledgement.
      if (!(error instanceof Error)) throw error;
    }
  }
  return done;
}

/** Streams until the client disconnects or the gateway stops. */
export async function answerListen(
  live: LiveGateway,
  client: Client,
  request: RpcRequest,
  reply: ReplyStream,
): Promise<void> {
  const wanted = request.params?.['notifications'];
  if (!isFields(wanted))
    throw new RpcError(rpcCodes.invalidParams, "'notifications' must say what to listen for.");
  const uris = Array.isArray(wanted['resourceSubscriptions'])
    ? await subscribed(live, client, wanted['resourceSubscriptions'], reply)
    : [];
  const honored: Fields = {
    ...Object.fromEntries(
      [...flags.values()].filter((flag) => wanted[flag] === true).map((flag) => [flag, true]),
    ),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
  const tag = { [metaKeys.subscriptionId]: request.id };
  const send = (method: string, params: Fields) =>
    reply.send(notification(method, { ...params, _meta: { ...fieldsOf(params['_meta']), ...tag } }));
  if (!send('notifications/subscriptions/acknowledged', { notifications: honored }))
    throw new RpcError(rpcCodes.invalidRequest, 'Listening needs the header Accept: text/event-stream.');
  const finish = () => reply.finish(200, success(request.id, { resultType: 'complete', _meta: tag }));
  if (Object.keys(honored).length === 0) {
    finish();
    return;
  }
  const over = AbortSignal.any([reply.gone, live.stopping]);
  using lists = new ChangedLists(({ method }) => send(method, {}));
  lists.opened();
  using _ = live.hear((_server, key, { method, params = {} }, userId) => {
    if (key !== undefined && key !== client.key) return;
    if (userId !== undefined && userId !== client.caller.userId) return;
    const flag = flags.get(method);
    if (flag !== undefined) {
      if (honored[flag] === true) lists.take(method);
    } else if (method === 'notifications/resources/updated' && uris.includes(String(params['uri'])))
      send(method, params);
  });
  await new Promise<void>((resolve) => {
    if (over.aborted) resolve();
    over.addEventListener('abort', () => resolve(), { once: true });
  });
  finish();
}
