/** What ends here when a user is gone, or has signed out everywhere by a new password. */
import type { Identity } from '#identity/identity.ts';
import type { AgentGatewayEvents } from './events.ts';
import type { SignIn } from './grants/sign-in.ts';
import type { Grants } from './oauth/grants.ts';
import type { TokenExchange } from './on-behalf/token-exchange.ts';

export interface FollowUsersDeps {
  readonly identity: Pick<Identity, 'person' | 'onChange'>;
  readonly events: Pick<AgentGatewayEvents, 'failedCall'>;
  readonly exchange: Pick<TokenExchange, 'forget'>;
  readonly consents: Pick<Grants, 'endOfUser'>;
  readonly signIn: Pick<SignIn, 'forgetUser'>;
}

/** Until the answer is disposed. What is missed meanwhile holds no more either: each use asks for the user. */
export function followUsers({ identity, events, exchange, consents, signIn }: FollowUsersDeps): Disposable {
  const follow = async (userId: string) => {
    exchange.forget(userId);
    await consents.endOfUser(userId);
    if ((await identity.person(userId)) === undefined) await signIn.forgetUser(userId);
  };
  return identity.onChange((change) => {
    if (change?.kind === 'user')
      follow(change.id).catch((error: unknown) => events.failedCall('', 'user_changed', error));
  });
}
