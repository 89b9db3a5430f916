import pg from 'pg';
import { deliverSafely, type OnWarning } from './notifications.ts';

interface Subscription {
  channel: string;
  onMessage: (payload: string) => void;
  onGap: (() => void) | undefined;
}

const longestPauseMs = 10_000;
const heartbeatMs = 30_000;
/** Timeout of its statements, which are instant on a server that responds. */
const answerMs = 10_000;

/** One dedicated connection for all channels, opened for the first; reconnects automatically. */
export class PostgresListener {
  readonly #config: pg.ClientConfig;
  readonly #onWarning: OnWarning;
  readonly #subscriptions = new Set<Subscription>();
  #client: Promise<pg.Client> | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(config: pg.ClientConfig, onWarning: OnWarning) {
    this.#config = config;
    this.#onWarning = onWarning;
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap?: () => void,
  ): Promise<AsyncDisposable> {
    const subscription = { channel, onMessage, onGap };
    this.#subscriptions.add(subscription);
    try {
      this.#client ??= this.#connect().catch((error: unknown) => {
        this.#client = undefined;
        throw error;
      });
      await (await this.#client).query(`listen "${channel}"`);
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw error;
    }
    return {
      [Symbol.asyncDispose]: async () => {
        this.#subscriptions.delete(subscription);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    await this.#client?.then(
      (open) => open.end(),
      () => {},
    );
  }

  async #connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      ...this.#config,
      application_name: 'bulwark listener',
      query_timeout: answerMs,
    });
    fresh.on('notification', ({ channel, payload }) => {
      for (const each of this.#subscriptions)
        if (each.channel === channel) deliverSafely(each.onMessage, payload ?? '', this.#onWarning);
    });
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      if (!this.#closed) this.#reconnect(1);
    };
    fresh.on('error', () => {});
    await fresh.connect();
    for (const channel of new Set([...this.#subscriptions].map((each) => each.channel)))
      await fresh.query(`listen "${channel}"`);
    fresh.on('end', onLost);
    this.#watch(fresh);
    return fresh;
  }

  /** Detects a connection that died silently, such as behind a firewall. */
  #watch(watched: pg.Client) {
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => {
      const late = setTimeout(() => watched.connection.stream.destroy(), heartbeatMs / 2);
      watched
        .query('select 1')
        .catch(() => {})
        .finally(() => clearTimeout(late));
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  #reconnect(attempt: number) {
    if (attempt === 1)
      this.#onWarning('The connection for database notifications was lost; connecting again.');
    clearInterval(this.#heartbeat);
    const pauseMs = Math.min(longestPauseMs, 100 * 2 ** attempt);
    this.#retry = setTimeout(() => {
      this.#client = this.#connect();
      this.#client.then(
        () => {
          for (const { onGap } of this.#subscriptions)
            if (onGap !== undefined) deliverSafely(onGap, '', this.#onWarning);
        },
        () => {
          if (!this.#closed) this.#reconnect(attempt + 1);
        },
      );
    }, pauseMs);
  }
}
