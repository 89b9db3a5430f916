/** Whom a session belongs to, and who stands for its owner. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { forbidden } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import type { Counted } from '#identity/count-requests.ts';
import type { Identity } from '#identity/identity.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import { findRunningByToken, findStream, type StoredStream } from './store.ts';
import { hashOf, matches, type StreamTokens } from './tokens.ts';

export type Owners = Pick<Identity, 'callerOf'>;

/** Who made a session, through the API key they made it with; undefined once the user or the key is gone. */
export async function ownerOf(
  { ownerId, apiKeyId, tenantId }: Pick<StoredStream, 'ownerId' | 'apiKeyId' | 'tenantId'>,
  identity: Owners,
): Promise<Caller | undefined> {
  const owner = await identity.callerOf(ownerId, apiKeyId);
  return owner?.tenantId === tenantId ? owner : undefined;
}

/** @throws AppError 403 for others than its owner and administrators */
export function refuseOthers(caller: Caller, stream: StoredStream): void {
  if (!mayChange(viewerOf(caller), stream))
    throw forbidden(
      'Only who started the session, or an administrator of the tenant, may send frames to it or end it.',
    );
}

interface TokenDeps {
  readonly db: Queries;
  readonly identity: Owners;
  /** Counts a request of who is known by a token. */
  readonly counted: Counted;
  readonly tokens: StreamTokens;
  readonly clock: Clock;
}

/**
 * The owner of a session whose token this is.
 * @throws AppError 429 where the owner has asked too often
 */
export async function callerByToken(
  { db, tokens, clock, identity, counted }: TokenDeps,
  { kind, streamId, token }: { kind: 'ingest' | 'events'; streamId: string; token: string },
): Promise<Caller | undefined> {
  const found = await findStream(db, streamId);
  if (found === undefined) return undefined;
  const isValid =
    kind === 'ingest' ? matches(token, found.ingestToken) : tokens.isEventToken(token, streamId, clock.now());
  return isValid ? counted(await ownerOf(found, identity)) : undefined;
}

/**
 * The session that runs and has this ingest token, with its owner.
 * @throws AppError 429 where the owner has asked too often
 */
export async function sessionByToken(
  { db, identity, counted }: Pick<TokenDeps, 'db' | 'identity' | 'counted'>,
  token: string,
): Promise<{ caller: Caller; streamId: string } | undefined> {
  const found = await findRunningByToken(db, hashOf(token));
  const caller = await counted(found && (await ownerOf(found, identity)));
  return caller && found && { caller, streamId: found.streamId };
}
