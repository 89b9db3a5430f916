/** Values of `env`, of `headers` and among arguments: sealed where they are stored, masked where they are shown. */
import { createHash } from 'node:crypto';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { heldValues, maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import type { ConfigOrigin } from '#engine/mcp-servers/config-findings.ts';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';
import { ScanFailure } from '../scanning/scan-project.ts';
import type { Scan, StoredConfig } from './scan.ts';

const mask = '********';

interface Held {
  env: Record<string, string>;
  headers: Record<string, string>;
  args: string[];
  url: string | undefined;
}

const place = 'mcp_scan:config';
const tokenPlace = 'mcp_scan:token';

const sealed = (column: string, placeOf: string): SealedColumn => ({
  table: 'mcp_scan.scans',
  column,
  keys: ['scan_id'],
  place: () => placeOf,
});
export const sealedScans: readonly SealedColumn[] = [sealed('secrets', place), sealed('token', tokenPlace)];

const masked = (values: Record<string, string>) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, mask]));

/** The address without what only its owner knows: a password, and values of a query. */
function maskedUrl(text: string): string {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  for (const name of url.searchParams.keys()) url.searchParams.set(name, mask);
  return url.href;
}

/** The same for the same address or command, whatever its environment and headers are. */
export const serverKeyOf = ({ url, command, args }: ServerConfig): string =>
  createHash('sha256')
    .update(JSON.stringify(url === undefined ? [command, args] : [new URL(url).href]))
    .digest('hex');

/** A definition as it is stored: what may be secret apart and sealed. */
export function sealConfig(
  config: ServerConfig,
  { areSecretsKept = false }: ConfigOrigin,
  vault: Vault,
): { config: StoredConfig; secrets: Buffer } {
  const { env, headers, args, url, allowNetwork, command, transport } = config;
  const held: Held = { env, headers, args, url };
  return {
    config: {
      args: maskedArguments(args),
      env: masked(env),
      headers: masked(headers),
      allowNetwork,
      ...(areSecretsKept && { areSecretsKept }),
      ...(url !== undefined && { url: maskedUrl(url) }),
      ...(command !== undefined && { command }),
      ...(transport !== undefined && { transport }),
    },
    secrets: vault.seal(JSON.stringify(held), place),
  };
}

/** Where the configuration of a scan came from. */
export const originOf = ({ config }: Pick<Scan, 'config'>): ConfigOrigin => ({
  areSecretsKept: config?.areSecretsKept === true,
});

/** @throws ScanFailure where the key that sealed it is gone */
export function openConfig(stored: StoredConfig, secrets: Uint8Array | null, vault: Vault): ServerConfig {
  const text = secrets === null ? undefined : vault.find(secrets, place);
  if (text === undefined)
    throw new ScanFailure(
      'The secrets of this scan can no longer be opened: the key that sealed them is gone. Send the configuration anew.',
    );
  const { env, headers, args, url } = JSON.parse(text) as Held;
  const { areSecretsKept: _, ...rest } = stored;
  return { ...rest, env, headers, args, ...(url !== undefined && { url }) };
}

export const sealToken = (token: string, vault: Vault): Buffer => vault.seal(token, tokenPlace);

export const openToken = (sealed: Uint8Array | null, vault: Vault): string | undefined =>
  sealed === null ? undefined : vault.find(sealed, tokenPlace);

/** Takes values that must not be told out of a text. */
export function withoutSecrets(
  text: string,
  { env, headers, args }: Pick<ServerConfig, 'env' | 'headers' | 'args'>,
  token?: string,
): string {
  const ofArguments = heldValues(args).map(({ value }) => value);
  const values = [env, headers]
    .flatMap((each) => Object.values(each))
    .concat(ofArguments, token ?? [])
    .flatMap((value) => [value, value.replace(/^bearer\s+/i, '')])
    .filter(({ length }) => length >= 6);
  return values
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, '[redacted]'), text);
}
