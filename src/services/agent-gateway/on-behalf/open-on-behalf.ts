/** Assembles the modules that pass the caller's identity to servers. */
import { Assertions, type AssertionsDeps } from '../assertions/assertions.ts';
import { createCredentialsFor, type OnBehalfDeps } from './credentials.ts';
import { createTokenExchange, type TokenExchangeDeps } from './token-exchange.ts';

export type OpenOnBehalfDeps = AssertionsDeps &
  Omit<OnBehalfDeps & TokenExchangeDeps, 'assertions' | 'exchange'>;

export function openOnBehalf(deps: OpenOnBehalfDeps) {
  const assertions = new Assertions(deps);
  const exchange = createTokenExchange({ ...deps, assertions });
  return { assertions, exchange, credentialsFor: createCredentialsFor({ ...deps, assertions, exchange }) };
}
