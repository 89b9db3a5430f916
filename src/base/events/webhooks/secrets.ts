import type { SealedColumn } from '../../secrets/sealed-column.ts';
import type { Vault } from '../../secrets/vault.ts';
import type { Destination } from './store.ts';

export interface Secret {
  readonly secret: string;
  /** Milliseconds of Unix time; null for the current one. */
  readonly untilMs: number | null;
}

const placeOf = (destinationId: string) => `webhook ${destinationId}`;

export const sealedWebhooks: SealedColumn = {
  table: 'events.webhook_destinations',
  column: 'secrets',
  keys: ['destination_id'],
  place: placeOf,
};

/** Encrypts the secrets of a destination. */
export const sealSecrets = (vault: Vault, destinationId: string, secrets: readonly Secret[]) =>
  vault.seal(JSON.stringify(secrets), placeOf(destinationId));

/** The secrets valid for signing now, newest first; none if they cannot be decrypted. */
export function openSecrets(vault: Vault, { destinationId, secrets }: Destination, nowMs: number): string[] {
  const text = vault.find(secrets, placeOf(destinationId));
  const all = text === undefined ? [] : (JSON.parse(text) as Secret[]);
  return all.filter(({ untilMs }) => untilMs === null || untilMs > nowMs).map(({ secret }) => secret);
}
