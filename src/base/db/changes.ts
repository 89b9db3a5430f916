import type { Logger } from '../log/log.ts';
import type { Database } from './database.ts';

/** Change notifications between all processes that share the database. */
export interface Changes extends AsyncDisposable {
  /**
   * Announces a committed change: here at once, in other processes soon. Never throws if they cannot be notified:
   * the change is committed, and they notice it when their cached copies expire.
   */
  announce(payload: string): Promise<void>;
  /** Whether notifications of other processes are being received. */
  isConnected(): boolean;
}

export interface ChangesOptions {
  readonly db: Database;
  readonly log: Logger;
  /** See {@link Database.listen}. */
  readonly channel: string;
  /** Called for each change, announced by any process. */
  readonly onChange: (payload: string) => void;
  /** Called when notifications may have been missed. */
  readonly onGap: () => void;
}

const retryListeningMs = 5_000;

/** Listens for changes; retries until it can. */
export async function openChanges({ db, log, channel, onChange, onGap }: ChangesOptions): Promise<Changes> {
  let subscription: AsyncDisposable | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const listen = async (): Promise<void> => {
    try {
      subscription = await db.listen(channel, onChange, onGap);
      onGap();
    } catch (err) {
      if (isClosed) return;
      log.warn(
        { err, channel },
        'no database notifications: changes made by other processes are noticed late',
      );
      retry = setTimeout(() => {
        attempt = listen();
      }, retryListeningMs).unref();
    }
  };
  let attempt = listen();
  await attempt;

  return {
    async announce(payload) {
      onChange(payload);
      try {
        await db.notify(channel, payload);
      } catch (err) {
        log.warn({ err, channel }, 'other processes could not be notified of a change');
      }
    },
    isConnected: () => subscription !== undefined,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(retry);
      await attempt;
      await subscription?.[Symbol.asyncDispose]();
    },
  };
}
