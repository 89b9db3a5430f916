import type { Environment } from './kit/environment.ts';
import { brokerage } from './brokerage/brokerage.ts';
import { mail } from './mail/mail.ts';
import { payments } from './payments/payments.ts';

/** All environments; a new one is added here. */
export const environments: readonly Environment[] = [mail, payments, brokerage];

/** The environment with this id, or undefined. */
export function findEnvironment(id: string): Environment | undefined {
  return environments.find((environment) => environment.id === id);
}
