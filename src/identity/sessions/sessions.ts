import { hash as digest, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { newUuid } from '#base/ids.ts';
import type { User } from '../users/store.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  lockToken,
  replaceToken,
  type KeptToken,
} from './store.ts';

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
const cleanEveryMs = 60 * 60 * 1000;

export type Exchange =
  | { outcome: 'exchanged'; userId: string; sessionId: string; refreshToken: string }
  /** Already used: the token was copied, so the whole session is revoked. */
  | { outcome: 'reused' }
  | { outcome: 'expired' }
  | { outcome: 'unknown' };

/** Done in the transaction that changes a session of this user. */
type Within = (tx: Queries, userId: string) => Promise<void>;

/** Sessions and their refresh tokens, each usable once within 7 days. */
export interface Sessions {
  /** Returns the first refresh token; undefined where the user was disabled, or signed out everywhere, since being read. */
  begin(user: Pick<User, 'id' | 'signedOutAt'>, within: Within): Promise<string | undefined>;
  /** @param within where the token was used before, and its session is revoked */
  exchange(refreshToken: string, within: Within): Promise<Exchange>;
  /** Revokes the session that the token belongs to; nothing for one that is unknown. */
  end(refreshToken: string, within: Within): Promise<void>;
  revoke(sessionId: string): Promise<void>;
}

const hashOf = (token: string) => digest('sha256', token, 'base64url');

export function createSessions({ db, clock }: { db: Database; clock: Clock }): Sessions {
  let cleanedAtMs = 0;

  const newToken = () => {
    const token = randomBytes(32).toString('base64url');
    return { token, kept: { hash: hashOf(token), expiresAt: new Date(clock.now() + lifetimeMs) } };
  };
  const cleanSometimes = async () => {
    if (clock.now() - cleanedAtMs < cleanEveryMs) return;
    cleanedAtMs = clock.now();
    await deleteExpiredSessions(db, new Date(clock.now()));
  };
  const stateOf = ({ usedAt, expiresAt }: KeptToken) => {
    if (usedAt !== null) return 'reused';
    return expiresAt.getTime() <= clock.now() ? 'expired' : 'good';
  };

  return {
    async begin(user, within) {
      await cleanSometimes();
      const { token, kept } = newToken();
      const session = { id: newUuid(clock.now()), user, createdAt: new Date(clock.now()), token: kept };
      const isNew = await db.transaction(async (tx) => {
        if (!(await insertSession(tx, session))) return false;
        await within(tx, user.id);
        return true;
      });
      return isNew ? token : undefined;
    },
    exchange(refreshToken, within) {
      const hash = hashOf(refreshToken);
      return db.transaction<Exchange>(async (tx) => {
        const found = await lockToken(tx, hash);
        if (found === undefined) return { outcome: 'unknown' };
        const { sessionId, userId } = found;
        const state = stateOf(found);
        if (state === 'expired') return { outcome: 'expired' };
        if (state === 'reused') {
          await deleteSession(tx, sessionId);
          await within(tx, userId);
          return { outcome: 'reused' };
        }
        const { token, kept } = newToken();
        await replaceToken(tx, { hash, sessionId, at: new Date(clock.now()) }, kept);
        return { outcome: 'exchanged', userId, sessionId, refreshToken: token };
      });
    },
    end(refreshToken, within) {
      return db.transaction(async (tx) => {
        const found = await lockToken(tx, hashOf(refreshToken));
        if (found === undefined) return;
        await deleteSession(tx, found.sessionId);
        await within(tx, found.userId);
      });
    },
    revoke: (sessionId) => deleteSession(db, sessionId),
  };
}
