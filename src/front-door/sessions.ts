import { hash } from 'node:crypto';
import type { RequestFacts } from '#base/http/mount.ts';
import type { SignIn, TokenPair } from '#identity/sign-in/sign-in.ts';

/** Two tabs may send the same cookie at once: they share one result for this long. */
const sharedMs = 10_000;

/**
 * Exchanges refresh tokens; equal ones within {@link sharedMs} share one exchange, since the second would count
 * as stolen and revoke the session in every tab.
 */
export function createExchange(signIn: SignIn) {
  const running = new Map<string, Promise<TokenPair>>();
  return async (refreshToken: string, request: RequestFacts): Promise<TokenPair> => {
    const key = hash('sha256', refreshToken);
    const before = running.get(key);
    if (before !== undefined) return before;
    const exchange = signIn.refresh(refreshToken, request);
    running.set(key, exchange);
    setTimeout(() => running.delete(key), sharedMs).unref();
    // Failures are not shared.
    exchange.catch(() => running.delete(key));
    return exchange;
  };
}
