/** Who is there: sessions, streams and calls under way, each ended as soon as its caller may no longer have it. */
import type { Clock } from '#base/clock.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { RpcError, rpcCodes } from '#mcp/json-rpc.ts';

export interface Presence extends Disposable {
  /**
   * Until the answer is disposed.
   * @param end called once, when the caller's user, key or consent is gone
   */
  enter(caller: () => Caller, end: (reason: Error) => void): Disposable;
}

export interface PresenceDeps {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'holds' | 'onChange'>;
  /** Calls back with the id of each consent that ends. */
  readonly onConsentEnded: (listener: (grantId: string) => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

interface Visit {
  readonly caller: () => Caller;
  readonly since: Date;
  readonly end: (reason: Error) => void;
}

/** A key that expires tells nobody: what was begun with it ends so long after it at most. */
const sweepMs = 1000;

export function openPresence({ clock, identity, onConsentEnded, onError }: PresenceDeps): Presence {
  const visits = new Set<Visit>();

  const end = (visit: Visit) => {
    if (!visits.delete(visit)) return;
    visit.end(new RpcError(rpcCodes.internalError, 'Your access has ended. Sign in, or connect again.'));
  };

  /** Ends those whose caller is nobody any more. */
  const check = async (isMeant: (caller: Caller) => boolean): Promise<void> => {
    for (const visit of visits) {
      const caller = visit.caller();
      if (isMeant(caller) && !(await identity.holds(caller, visit.since))) end(visit);
    }
  };
  const checkSoon = (isMeant: (caller: Caller) => boolean) => {
    check(isMeant).catch(onError);
  };

  const changes = identity.onChange((change) => {
    if (change === undefined) checkSoon(() => true);
    else if (change.kind === 'user') checkSoon(({ userId }) => userId === change.id);
    else checkSoon(({ apiKeyId }) => apiKeyId === change.id);
  });
  const consents = onConsentEnded((grantId) => {
    for (const visit of visits) if (visit.caller().oauth?.grantId === grantId) end(visit);
  });
  const sweep = setInterval(() => {
    const now = new Date(clock.now());
    for (const visit of visits) {
      const { keyExpiresAt } = visit.caller();
      if (keyExpiresAt !== undefined && keyExpiresAt <= now) end(visit);
    }
  }, sweepMs).unref();

  return {
    enter(caller, onEnd) {
      const visit = { caller, since: new Date(clock.now()), end: onEnd };
      visits.add(visit);
      return { [Symbol.dispose]: () => void visits.delete(visit) };
    },
    [Symbol.dispose]() {
      clearInterval(sweep);
      changes[Symbol.dispose]();
      consents[Symbol.dispose]();
    },
  };
}
