/** Who has a stream open: each is ended as soon as its caller is no longer who opened it. */
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';

export interface Presence extends Disposable {
  /**
   * Until the answer is disposed.
   * @param end called once, when the caller's user or key is gone, their sign-in has ended, or their roles have changed
   */
  enter(caller: Caller, end: () => void): Disposable;
}

export interface PresenceDeps {
  readonly identity: Pick<Identity, 'holds' | 'person' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Visit {
  readonly caller: Caller;
  readonly since: Date;
  readonly end: () => void;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).symmetricDifference(new Set(b)).size === 0;

export function openPresence({ identity, clock, log }: PresenceDeps): Presence {
  const visits = new Set<Visit>();

  const mayStay = async ({ caller, since }: Visit): Promise<boolean> => {
    if (!(await identity.holds(caller, since))) return false;
    const now = await identity.person(caller.userId);
    return now === undefined ? caller.via === 'anonymous' : isSame(now.roles, caller.roles);
  };

  const check = async (isMeant: (caller: Caller) => boolean): Promise<void> => {
    for (const visit of visits)
      if (isMeant(visit.caller) && !(await mayStay(visit)) && visits.delete(visit)) visit.end();
  };

  const changes = identity.onChange((change) => {
    check(
      ({ userId, apiKeyId }) =>
        change === undefined || change.id === (change.kind === 'user' ? userId : apiKeyId),
    ).catch((err: unknown) => {
      log.warn({ err }, 'whether open streams may go on could not be found out');
    });
  });

  return {
    enter(caller, end) {
      const visit = { caller, since: new Date(clock.now()), end };
      visits.add(visit);
      return { [Symbol.dispose]: () => void visits.delete(visit) };
    },
    [Symbol.dispose]: () => changes[Symbol.dispose](),
  };
}
