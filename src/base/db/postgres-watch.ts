import pg from 'pg';
import { unavailable } from '#base/errors.ts';
import { sqlState } from './errors.ts';
import type { OnWarning } from './notifications.ts';

/** Detects a server that has stopped responding, and fails pending statements instead of letting them hang. */
export interface ServerWatch extends Disposable {
  /** @throws AppError 503 while the server does not respond. */
  assertAnswers(): void;
  /**
   * Runs work that waits for the server.
   * @param cut aborts it; called once when the server has stopped responding, or after `longestMs`
   */
  during<T>(run: () => Promise<T>, cut: () => void, longestMs?: number): Promise<T>;
}

export interface WatchSettings {
  /** Connection settings of the probe. */
  readonly client: pg.ClientConfig;
  /** Timeout of the probe. */
  readonly answerTimeoutMs: number;
  readonly onWarning: OnWarning;
}

interface Work {
  readonly since: number;
  readonly cutAt: number;
  readonly cut: () => void;
}

/** Our statements take milliseconds: after this long, the server is probed. */
const quietMs = 1000;
/** Interval of probes during a slow statement. */
const askEveryMs = 1500;
const tickMs = 200;

/** No overhead as long as statements finish within a second. */
export function watchServer({ client, answerTimeoutMs, onWarning }: WatchSettings): ServerWatch {
  const work = new Set<Work>();
  let isAway = false;
  let asking: Promise<void> | undefined;
  let askedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const heard = (answers: boolean) => {
    if (isClosed || isAway === !answers) return;
    isAway = !answers;
    onWarning(
      answers
        ? 'The database responds again.'
        : 'The database does not respond; requests that need it fail until it does.',
    );
  };

  const tick = () => {
    const now = performance.now();
    for (const each of work) {
      if (now < each.cutAt && !(isAway && now - each.since > quietMs)) continue;
      work.delete(each);
      each.cut();
    }
    const isQuiet = [...work].some(({ since }) => now - since > quietMs);
    if ((isQuiet || isAway) && asking === undefined && now - askedAt >= askEveryMs) {
      askedAt = now;
      asking = isAnswering(client, answerTimeoutMs)
        .then(heard)
        .finally(() => {
          asking = undefined;
        });
    }
    if (work.size === 0 && !isAway) {
      clearInterval(timer);
      timer = undefined;
    }
  };

  return {
    assertAnswers() {
      if (isAway) throw unavailable('The database does not respond; try again shortly.');
    },
    async during(run, cut, longestMs = Infinity) {
      const since = performance.now();
      const mine: Work = { since, cutAt: since + longestMs, cut };
      work.add(mine);
      timer ??= setInterval(tick, tickMs).unref();
      try {
        return await run();
      } finally {
        work.delete(mine);
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** Whether the server responds on a new connection; a refusal counts as a response. */
async function isAnswering(config: pg.ClientConfig, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    ...config,
    application_name: 'bulwark watch',
    connectionTimeoutMillis: timeoutMs,
  });
  client.on('error', () => {});
  const late = setTimeout(() => client.connection.stream.destroy(), timeoutMs).unref();
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return sqlState(error) !== undefined;
  } finally {
    clearTimeout(late);
    client.end().catch(() => {});
  }
}
