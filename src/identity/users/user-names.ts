import { LRUCache } from 'lru-cache';
import type { Queries } from '#base/db/database.ts';
import { isUuid } from '#base/ids.ts';
import { listUserNames } from './store.ts';

/** The name of a user; null for no user, and for an id that never was one. */
export type NameOf = (userId: string | null | undefined) => string | null;

/**
 * The names of users, deleted ones too, by one query for all that are not known yet: ask once for a whole page of a list.
 * For ids that we wrote ourselves; an id that somebody sent may be of another tenant, so say whose users are meant.
 */
export type UserNames = (
  userIds: Iterable<string | null | undefined>,
  of?: { readonly tenantId: string },
) => Promise<NameOf>;

const mostKept = 10_000;
/** The issuer may change a user's name. */
const ttlMs = 60_000;

interface Known {
  readonly name: string;
  readonly tenantId: string;
}

export function createUserNames(db: Queries): UserNames {
  const known = new LRUCache<string, Known>({ max: mostKept, ttl: ttlMs });
  return async (userIds, of) => {
    const wanted = [...new Set(userIds)].filter((id) => typeof id === 'string' && isUuid(id)) as string[];
    const found = new Map<string, Known>();
    const unknown: string[] = [];
    for (const id of wanted) {
      const kept = known.get(id);
      if (kept === undefined) unknown.push(id);
      else found.set(id, kept);
    }
    for (const { id, ...user } of unknown.length === 0 ? [] : await listUserNames(db, unknown)) {
      known.set(id, user);
      found.set(id, user);
    }
    return (userId) => {
      const user = found.get(userId ?? '');
      return user === undefined || (of !== undefined && user.tenantId !== of.tenantId) ? null : user.name;
    };
  };
}
