import pg from 'pg';
import { deliverSafely, type OnWarning } from './notifications.ts';

interface Subscription {
  channel: string;
  onMessage: (payload: string) => void;
  onGap: (() => void) | undefined;
}

export interface PostgresListener {
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<AsyncDisposable>;
  close(): Promise<void>;
}

const longestPauseMs = 10_000;
const heartbeatMs = 30_000;
/** Its statements are instant: a server that takes longer has stopped to answer. */
const answerMs = 10_000;

/** One connection of its own for all channels, opened with the first; when it is lost, it comes back by itself. */
export function postgresListener(config: pg.ClientConfig, onWarning: OnWarning): PostgresListener {
  const subscriptions = new Set<Subscription>();
  let client: Promise<pg.Client> | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({ ...config, application_name: 'bulwark listener', query_timeout: answerMs });
    fresh.on('notification', ({ channel, payload }) => {
      for (const each of subscriptions)
        if (each.channel === channel) deliverSafely(each.onMessage, payload ?? '', onWarning);
    });
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      if (!closed) reconnect(1);
    };
    fresh.on('error', () => {});
    await fresh.connect();
    for (const channel of new Set([...subscriptions].map((each) => each.channel)))
      await fresh.query(`listen "${channel}"`);
    fresh.on('end', onLost);
    watch(fresh);
    return fresh;
  };

  /** Finds a connection that died without a word, such as behind a firewall. */
  const watch = (watched: pg.Client) => {
    clearInterval(heartbeat);
    heartbeat = setInterval(() => {
      const late = setTimeout(() => watched.connection.stream.destroy(), heartbeatMs / 2);
      watched
        .query('select 1')
        .catch(() => {})
        .finally(() => clearTimeout(late));
    }, heartbeatMs);
    heartbeat.unref();
  };

  const reconnect = (attempt: number) => {
    if (attempt === 1) onWarning('The connection for database notifications was lost; connecting again.');
    clearInterval(heartbeat);
    const pauseMs = Math.min(longestPauseMs, 100 * 2 ** attempt);
    retry = setTimeout(() => {
      client = connect();
      client.then(
        () => {
          for (const { onGap } of subscriptions) if (onGap !== undefined) deliverSafely(onGap, '', onWarning);
        },
        () => {
          if (!closed) reconnect(attempt + 1);
        },
      );
    }, pauseMs);
  };

  return {
    async listen(channel, onMessage, onGap) {
      const subscription = { channel, onMessage, onGap };
      subscriptions.add(subscription);
      try {
        client ??= connect().catch((error: unknown) => {
          client = undefined;
          throw error;
        });
        await (await client).query(`listen "${channel}"`);
      } catch (error) {
        subscriptions.delete(subscription);
        throw error;
      }
      return {
        async [Symbol.asyncDispose]() {
          subscriptions.delete(subscription);
        },
      };
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      await client?.then(
        (open) => open.end(),
        () => {},
      );
    },
  };
}
