/** Ends open streams and sessions of a caller as soon as the caller's access is revoked. */
import type { Clock } from '#base/clock.ts';
import type { Caller } from './caller.ts';
import type { Identity } from './identity.ts';

export interface Presence extends Disposable {
  /**
   * Until the result is disposed.
   * @param caller called each time, since a session's caller may change
   * @param end called once, when the caller's user or key is gone, or their sign-in has ended
   */
  enter(caller: () => Caller, end: () => void): Disposable;
  /** Ends what those have open. */
  endThose(areMeant: (caller: Caller) => boolean): void;
}

export interface PresenceDeps {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'holds' | 'person' | 'onChange'>;
  /** Also end what is open with other roles than the user has now: for what was decided once, when it was opened. */
  readonly keepsRoles?: boolean;
  readonly onError: (error: unknown) => void;
}

interface Visit {
  readonly caller: () => Caller;
  readonly since: Date;
  readonly end: () => void;
}

/** Key expiry sends no notification: its streams end at most this long after it. */
const sweepMs = 1000;

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).symmetricDifference(new Set(b)).size === 0;

export function openPresence({ clock, identity, keepsRoles = false, onError }: PresenceDeps): Presence {
  const visits = new Set<Visit>();

  const end = (visit: Visit) => {
    if (visits.delete(visit)) visit.end();
  };

  const hasRolesStill = async ({ via, userId, roles }: Caller): Promise<boolean> => {
    if (!keepsRoles || via === 'anonymous') return true;
    const now = await identity.person(userId);
    return now !== undefined && isSame(now.roles, roles);
  };

  /** Ends those whose caller is no longer valid, or a different one. */
  const check = async (areMeant: (caller: Caller) => boolean): Promise<void> => {
    for (const visit of visits) {
      const caller = visit.caller();
      if (!areMeant(caller)) continue;
      if (!(await identity.holds(caller, visit.since)) || !(await hasRolesStill(caller))) end(visit);
    }
  };

  const changes = identity.onChange((change) => {
    check(
      ({ userId, apiKeyId }) =>
        change === undefined || change.id === (change.kind === 'user' ? userId : apiKeyId),
    ).catch(onError);
  });
  const endThose = (areMeant: (caller: Caller) => boolean) => {
    for (const visit of visits) if (areMeant(visit.caller())) end(visit);
  };
  const sweep = setInterval(() => {
    const now = new Date(clock.now());
    endThose(({ keyExpiresAt }) => keyExpiresAt !== undefined && keyExpiresAt <= now);
  }, sweepMs).unref();

  return {
    enter(caller, onEnd) {
      const visit = { caller, since: new Date(clock.now()), end: onEnd };
      visits.add(visit);
      return { [Symbol.dispose]: () => void visits.delete(visit) };
    },
    endThose,
    [Symbol.dispose]() {
      clearInterval(sweep);
      changes[Symbol.dispose]();
    },
  };
}
