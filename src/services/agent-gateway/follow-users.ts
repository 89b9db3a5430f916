/**
 * Ends sessions and authorizations of users who were deleted or disabled, or who signed out everywhere by a new
 * password.
 */
import type { Identity } from '#identity/identity.ts';
import type { AgentGatewayEvents } from './events.ts';
import type { SignIn } from './grants/sign-in.ts';
import type { Grants } from './oauth/grants.ts';
import type { TokenExchange } from './on-behalf/token-exchange.ts';

export interface FollowUsersDeps {
  readonly identity: Pick<Identity, 'person' | 'onChange'>;
  readonly events: Pick<AgentGatewayEvents, 'failedCall'>;
  readonly exchange: Pick<TokenExchange, 'forget'>;
  readonly consents: Pick<Grants, 'users' | 'endOfUser'>;
  readonly signIn: Pick<SignIn, 'holders' | 'forgetUser'>;
}

/**
 * Runs until the returned value is disposed. Missed notifications are harmless: each use checks the user; this only
 * deletes.
 */
export function followUsers({ identity, events, exchange, consents, signIn }: FollowUsersDeps): Disposable {
  let isOver = false;
  const follow = async (userId: string) => {
    exchange.forget(userId);
    await consents.endOfUser(userId);
    if ((await identity.person(userId)) === undefined) await signIn.forgetUser(userId);
  };
  const followAll = async () => {
    for (const userId of new Set([...(await consents.users()), ...(await signIn.holders())])) {
      if (isOver) return;
      await follow(userId);
    }
  };
  const inBackground = (work: Promise<void>) => {
    work.catch((error: unknown) => {
      if (!isOver) events.failedCall('', 'user_changed', error);
    });
  };
  const changes = identity.onChange((change) => {
    if (change === undefined) inBackground(followAll());
    else if (change.kind === 'user') inBackground(follow(change.id));
  });
  // Users may have been deleted while no process was running.
  inBackground(followAll());
  return {
    [Symbol.dispose]() {
      isOver = true;
      changes[Symbol.dispose]();
    },
  };
}
