/** What servers say by themselves, to the sessions that it concerns. */
import { notification, type RpcMessage, type RpcNotification } from '#mcp/json-rpc.ts';
import { levelReaches } from '#mcp/protocol.ts';
import type { LegacySession } from './legacy-session.ts';
import type { Hear } from './live-gateway.ts';

/** What the session is told of it; undefined where it is none of its business. */
function newsFor(session: LegacySession, isOwn: boolean, message: RpcNotification): RpcMessage | undefined {
  const { method, params = {} } = message;
  if (method.endsWith('/list_changed')) return notification(method);
  if (method === 'notifications/resources/updated')
    return session.subscriptions.has(String(params['uri'])) ? message : undefined;
  // On a connection that is shared nobody knows whose call a log message is about.
  if (!isOwn) return undefined;
  if (method === 'notifications/message')
    return levelReaches(params['level'], session.logLevel ?? 'debug') ? message : undefined;
  return method === 'notifications/elicitation/complete' ? message : undefined;
}

/** @param sessions by their ids, as they come and go */
export const newsTo =
  (sessions: ReadonlyMap<string, LegacySession>): Hear =>
  (_serverId, key, message, userId) => {
    for (const session of sessions.values()) {
      if (key !== undefined && key !== session.sessionId) continue;
      if (userId !== undefined && userId !== session.caller.userId) continue;
      const news = newsFor(session, key !== undefined, message);
      if (news !== undefined) session.sayOnStream(news);
    }
  };
