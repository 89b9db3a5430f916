/** The model under test, and its secrets. */
import { Secret } from '#base/config/secret.ts';
import type { Clock } from '#base/clock.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { type ChatTarget, type ChatTargetSettings, openChatTarget } from '#llm/target/chat-target.ts';
import type { ScannedModel } from '../records/scan.ts';

export interface ModelSecrets {
  readonly apiKey: string;
  readonly extraHeaders: Readonly<Record<string, string>>;
}

const placeOf = (scanId: string) => `model_scan:${scanId}`;

export const sealedModelKeys: SealedColumn = {
  table: 'model_scan.scans',
  column: 'secrets',
  keys: ['scan_id'],
  place: placeOf,
};

export const sealSecrets = (vault: Vault, scanId: string, secrets: ModelSecrets): Buffer =>
  vault.seal(JSON.stringify(secrets), placeOf(scanId));

export const openSecrets = (vault: Vault, scanId: string, sealed: Buffer): ModelSecrets =>
  JSON.parse(vault.open(sealed, placeOf(scanId))) as ModelSecrets;

export interface ModelDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

type Pacing = Omit<
  ChatTargetSettings,
  'baseUrl' | 'apiKey' | 'model' | 'temperature' | 'maxTokens' | 'extraHeaders'
>;

/** @throws AppError 422 for an address or a header that must not be sent */
export const openModel = (
  deps: ModelDeps,
  { baseUrl, modelName, temperature, maxTokens }: ScannedModel,
  { apiKey, extraHeaders }: ModelSecrets,
  pacing: Pacing,
): ChatTarget =>
  openChatTarget(
    {
      ...pacing,
      baseUrl,
      apiKey: new Secret(apiKey),
      model: modelName,
      temperature,
      maxTokens,
      extraHeaders: Object.fromEntries(
        Object.entries(extraHeaders).map(([name, value]) => [name, new Secret(value)]),
      ),
    },
    deps,
  );

const shortest = 8;

/** Takes the secrets out of what a target wrote: a server may repeat the key that it was sent. */
export function withoutSecrets({ apiKey, extraHeaders }: ModelSecrets): (text: string) => string {
  const secrets = [apiKey, ...Object.values(extraHeaders)]
    .flatMap((value) => [value, value.replace(/^Bearer\s+/i, '')])
    // Short values such as "true" occur in any text.
    .filter(({ length }) => length >= shortest);
  return (text) => secrets.reduce((all, secret) => all.replaceAll(secret, '[secret]'), text);
}

/** The first question to a target: whether it answers at all. */
export const probeTurns = [{ role: 'user', content: 'Answer with the word OK.' }] as const;
export const probeAttempts = 3;
