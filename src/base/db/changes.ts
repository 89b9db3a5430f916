import type { Logger } from '../log/log.ts';
import type { Database } from './database.ts';

/** What one process tells all others that use the database: that something has changed. */
export interface Changes extends AsyncDisposable {
  /**
   * Tells of a change that is committed: here at once, in the other processes soon. Never throws for the others' sake:
   * the change is done, and they notice it by themselves when their copies grow old.
   */
  announce(payload: string): Promise<void>;
  /** Whether changes that others tell of arrive. */
  hears(): boolean;
}

export interface ChangesOptions {
  readonly db: Database;
  readonly log: Logger;
  /** As {@link Database.listen} takes it. */
  readonly channel: string;
  /** Called for each change, told here or elsewhere. */
  readonly onChange: (payload: string) => void;
  /** Called when changes may have been missed. */
  readonly onGap: () => void;
}

const retryListeningMs = 5_000;

/** Listens for changes, and tries again while it cannot. */
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
        'changes made by other processes are noticed late: no database notifications',
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
        log.warn({ err, channel }, 'other processes were not told of a change');
      }
    },
    hears: () => subscription !== undefined,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(retry);
      await attempt;
      await subscription?.[Symbol.asyncDispose]();
    },
  };
}
