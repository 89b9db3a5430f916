import type { Queries } from '#base/db/database.ts';
import type { User } from '../users/store.ts';

export interface NewToken {
  hash: string;
  expiresAt: Date;
}

export type KeptToken = { sessionId: string; userId: string; expiresAt: Date; usedAt: Date | null };

/** Whether it was made: not where a new password, disabling or deletion came between reading the user and this. */
export async function insertSession(
  tx: Queries,
  session: { id: string; user: Pick<User, 'id' | 'signedOutAt'>; createdAt: Date; token: NewToken },
): Promise<boolean> {
  const { id, user, createdAt, token } = session;
  const made = await tx.query(
    `insert into identity.sessions (id, user_id, created_at, expires_at)
     select $1, u.id, $3, $4 from identity.users u where u.id = $2 and u.deleted_at is null
       and u.disabled_at is null and u.signed_out_at is not distinct from $5 for share returning id`,
    [id, user.id, createdAt, token.expiresAt, user.signedOutAt],
  );
  if (made.length === 1) await insertToken(tx, id, token);
  return made.length === 1;
}

const insertToken = (db: Queries, sessionId: string, token: NewToken) =>
  db.query('insert into identity.refresh_tokens (hash, session_id, expires_at) values ($1, $2, $3)', [
    token.hash,
    sessionId,
    token.expiresAt,
  ]);

/**
 * The token, with its session locked until the end of the transaction, so that what is decided on it
 * cannot be overtaken by another use of any token of the session.
 */
export async function lockToken(tx: Queries, hash: string): Promise<KeptToken | undefined> {
  const locked = await tx.query(
    `select id from identity.sessions
     where id = (select session_id from identity.refresh_tokens where hash = $1) for update`,
    [hash],
  );
  if (locked.length === 0) return undefined;
  // A second statement: the first one's view of the token may be older than its lock.
  const [row] = await tx.query<KeptToken>(
    `select r.session_id as "sessionId", s.user_id as "userId", r.expires_at as "expiresAt", r.used_at as "usedAt"
     from identity.refresh_tokens r join identity.sessions s on s.id = r.session_id where r.hash = $1`,
    [hash],
  );
  return row;
}

/** Marks the token as used and puts the next one in its place. */
export async function replaceToken(
  tx: Queries,
  used: { hash: string; sessionId: string; at: Date },
  next: NewToken,
): Promise<void> {
  await tx.query('update identity.refresh_tokens set used_at = $2 where hash = $1', [used.hash, used.at]);
  await insertToken(tx, used.sessionId, next);
  await tx.query('update identity.sessions set expires_at = $2 where id = $1', [
    used.sessionId,
    next.expiresAt,
  ]);
}

/** Revokes all tokens of the session. */
export async function deleteSession(db: Queries, id: string): Promise<void> {
  await db.query('delete from identity.sessions where id = $1', [id]);
}

/** Also tokens that are too old to be sent again, of sessions that go on. */
export async function deleteExpiredSessions(db: Queries, now: Date): Promise<void> {
  await db.query('delete from identity.refresh_tokens where expires_at < $1', [now]);
  await db.query('delete from identity.sessions where expires_at < $1', [now]);
}
