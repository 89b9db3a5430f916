/** Assembles the modules that pass the caller's identity to servers. */
import { Assertions, type AssertionsDeps } from '../assertions/assertions.ts';
import { createCredentialsFor, type OnBehalfDeps } from './credentials.ts';
import { AskedTokens } from './asked-tokens.ts';
import { createEnterpriseCredentials } from './enterprise-credentials.ts';
import { createMachineCredentials } from './machine-credentials.ts';
import { createTokenExchange, type TokenExchangeDeps } from './token-exchange.ts';

export type OpenOnBehalfDeps = AssertionsDeps &
  Omit<OnBehalfDeps & TokenExchangeDeps, 'assertions' | 'exchange' | 'ofMachine' | 'ofEnterprise'>;

export function openOnBehalf(deps: OpenOnBehalfDeps) {
  const assertions = new Assertions(deps);
  const exchange = createTokenExchange({ ...deps, assertions });
  const tokens = new AskedTokens(deps);
  const ofMachine = createMachineCredentials(tokens, assertions);
  const ofEnterprise = createEnterpriseCredentials({ ...deps, tokens });
  const credentialsFor = createCredentialsFor({ ...deps, assertions, exchange, ofMachine, ofEnterprise });
  return { assertions, exchange, credentialsFor };
}
