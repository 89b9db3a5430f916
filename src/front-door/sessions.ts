import { hash } from 'node:crypto';
import type { RequestFacts } from '#base/http/mount.ts';
import type { SignIn, TokenPair } from '#identity/sign-in/sign-in.ts';

/** Two tabs may send one cookie at the same moment; the slower gets what the faster got, for so long. */
const sharedMs = 10_000;

/**
 * Exchanges refresh tokens such that equal ones within {@link sharedMs} are one exchange: else the second would count
 * as a stolen token and end the session in every tab.
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
    // What failed may go well the next time.
    exchange.catch(() => running.delete(key));
    return exchange;
  };
}
