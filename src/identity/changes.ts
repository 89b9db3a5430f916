import { openChanges } from '#base/db/changes.ts';
import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';

/** A change that invalidates cached data. */
export type Change =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string; readonly hash: string };

const written = (change: Change): string =>
  change.kind === 'user' ? `user ${change.id}` : `key ${change.id} ${change.hash}`;

function read(payload: string): Change | undefined {
  const [kind, id, hash] = payload.split(' ');
  if (id === undefined) return undefined;
  if (kind === 'user') return { kind, id };
  return kind === 'key' && hash !== undefined ? { kind, id, hash } : undefined;
}

/** Notifies all processes on the database what to invalidate. */
export interface Changes extends AsyncDisposable {
  /** Call it after the change is committed. */
  announce(change: Change): Promise<void>;
}

export async function openIdentityChanges(
  { db, log }: { db: Database; log: Logger },
  forget: (change: Change) => void,
  forgetAll: () => void,
): Promise<Changes> {
  const changes = await openChanges({
    db,
    log,
    channel: 'identity_changes',
    onChange(payload) {
      const change = read(payload);
      if (change !== undefined) forget(change);
    },
    onGap: forgetAll,
  });
  return {
    announce: (change) => changes.announce(written(change)),
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}
