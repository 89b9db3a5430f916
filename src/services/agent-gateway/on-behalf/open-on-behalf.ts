/** Assembles the modules that pass the caller's identity to servers. */
import { Assertions, type AssertionsDeps } from '../assertions/assertions.ts';
import { createCredentialsFor, type OnBehalfDeps } from './credentials.ts';
import { MachineCredentials } from './machine-credentials.ts';
import { createTokenExchange, type TokenExchangeDeps } from './token-exchange.ts';

export type OpenOnBehalfDeps = AssertionsDeps &
  Omit<OnBehalfDeps & TokenExchangeDeps, 'assertions' | 'exchange' | 'machines'>;

export function openOnBehalf(deps: OpenOnBehalfDeps) {
  const assertions = new Assertions(deps);
  const exchange = createTokenExchange({ ...deps, assertions });
  const machines = new MachineCredentials({ ...deps, assertions });
  const credentialsFor = createCredentialsFor({ ...deps, assertions, exchange, machines });
  return { assertions, exchange, credentialsFor };
}
