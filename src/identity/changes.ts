import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';

/** Something that caches may hold is no longer so: a user by id, or an API key by its hash. */
export interface Change {
  kind: 'user' | 'key';
  id: string;
}

/** Tells all processes that use the database what to forget. */
export interface Changes extends AsyncDisposable {
  /** Call it after the change is committed. */
  announce(change: Change): Promise<void>;
}

const channel = 'identity_changes';

export async function createChanges(
  { db, log }: { db: Database; log: Logger },
  forget: (change: Change) => void,
  forgetAll: () => void,
): Promise<Changes> {
  const onMessage = (payload: string) => {
    const [kind, id] = payload.split(' ');
    if ((kind === 'user' || kind === 'key') && id !== undefined) forget({ kind, id });
  };
  const listening = await db.listen(channel, onMessage, forgetAll);
  return {
    async announce({ kind, id }) {
      forget({ kind, id });
      try {
        await db.notify(channel, `${kind} ${id}`);
      } catch (error) {
        // The change itself is committed, and other processes see it within seconds without being told.
        log.warn({ err: error }, 'other processes were not told of a change of identity');
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(listening[Symbol.asyncDispose]()),
  };
}
