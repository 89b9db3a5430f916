/** Forwards notifications of servers to the sessions they concern. */
import { notification, type RpcNotification } from '#mcp/json-rpc.ts';
import { levelReaches } from '#mcp/protocol.ts';
import type { LegacySession } from './legacy-session.ts';
import type { Hear } from './live-gateway.ts';

/** The notification as the session receives it; undefined if it does not concern the session. */
function newsFor(
  session: LegacySession,
  isOwn: boolean,
  message: RpcNotification,
): RpcNotification | undefined {
  const { method, params = {} } = message;
  if (method.endsWith('/list_changed')) return notification(method);
  if (method === 'notifications/resources/updated')
    return session.subscriptions.has(String(params['uri'])) ? message : undefined;
  // On a shared connection, a log message cannot be assigned to a session.
  if (!isOwn) return undefined;
  if (method === 'notifications/message')
    return levelReaches(params['level'], session.logLevel ?? 'debug') ? message : undefined;
  return method === 'notifications/elicitation/complete' ? message : undefined;
}

/** @param sessions open sessions by id (live) */
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
