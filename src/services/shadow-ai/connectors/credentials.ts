import { type AppError, badRequest, invalid } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';
import type { connectorKinds } from '../contract/connectors.ts';

export type ConnectorKind = (typeof connectorKinds)[number];

/** What each kind needs; what is secret is never told again. */
const fieldsOf: Record<ConnectorKind, { plain: readonly string[]; secret: readonly string[] }> = {
  'edr-a': { plain: ['tenant_id', 'client_id'], secret: ['client_secret'] },
  'edr-b': { plain: ['client_id', 'base_url'], secret: ['client_secret'] },
  'edr-b-ngsiem': { plain: ['client_id', 'base_url'], secret: ['client_secret'] },
  'edr-c': { plain: ['base_url'], secret: ['api_token'] },
};

export interface Credentials {
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * What was sent, together with the secrets that are kept already.
 * @throws AppError 400 for a missing field, 422 for an empty one
 */
export function credentialsOf(
  kind: ConnectorKind,
  sent: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>>,
): Credentials {
  const { plain, secret } = fieldsOf[kind];
  const take = (name: string, before?: string): [string, string] => {
    const value = Object.hasOwn(sent, name) ? sent[name] : before;
    if (value === undefined) throw missing(kind, name);
    if (value.trim() === '') throw invalid(`'credentials.${name}' must not be empty.`);
    return [name, name === 'base_url' ? value.trim().replace(/\/+$/, '') : value];
  };
  return {
    fields: Object.fromEntries(plain.map((name) => take(name))),
    secrets: Object.fromEntries(
      secret.map((name) => take(name, Object.hasOwn(kept, name) ? kept[name] : undefined)),
    ),
  };
}

const missing = (kind: ConnectorKind, name: string): AppError =>
  badRequest(`'credentials.${name}' is missing; ${kind} needs it.`);

export const edrCApis = ['auto', 'long_running', 'deep_visibility'] as const;

export interface ConnectorSettings {
  readonly pollIntervalSeconds: number;
  readonly overlapSeconds: number;
  /** How far the first poll looks back. */
  readonly historyDays: number;
  readonly promptExtraction: boolean;
  /** Where tokens of `edr-a` come from, and where is queried; the vendor's own unless set. */
  readonly authority: string | undefined;
  readonly apiUrl: string | undefined;
  /** Of `edr-b-ngsiem`. */
  readonly repository: string;
  /** Of `edr-c`. */
  readonly api: (typeof edrCApis)[number];
}

/** @throws AppError 422 that names the setting */
export function readSettings(settings: Readonly<Record<string, unknown>>): ConnectorSettings {
  const number = (name: string, preset: number, [min, max]: readonly [number, number]): number => {
    const value = settings[name] ?? preset;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw invalid(`'settings.${name}' must be a whole number from ${min} to ${max}.`);
    return value;
  };
  const url = (name: string): string | undefined => {
    const value = settings[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalid(`'settings.${name}' must be an https:// URL.`);
    return value.replace(/\/+$/, '');
  };
  const promptExtraction = settings['prompt_extraction'] ?? false;
  if (typeof promptExtraction !== 'boolean')
    throw invalid("'settings.prompt_extraction' must be true or false.");
  const repository = settings['repository'] ?? 'search-all';
  if (typeof repository !== 'string' || !/^[\w.-]{1,100}$/.test(repository))
    throw invalid("'settings.repository' must be the name of a repository, such as search-all.");
  const api = edrCApis.find((each) => each === (settings['api'] ?? 'auto'));
  if (api === undefined) throw invalid(`'settings.api' must be one of ${edrCApis.join(', ')}.`);
  return {
    pollIntervalSeconds: number('poll_interval_seconds', 60, [10, 86_400]),
    overlapSeconds: number('overlap_seconds', 900, [0, 86_400]),
    historyDays: number('history_days', 1, [1, 30]),
    promptExtraction,
    authority: url('authority_url'),
    apiUrl: url('api_url'),
    repository,
    api,
  };
}

export interface AddressRule {
  readonly environment: string;
  readonly allowPrivateNetwork: readonly string[];
}

/**
 * Credentials go over TLS. In plain text they may go to this machine in development, and where the operator has allowed
 * private networks.
 * @throws AppError 422 that names the field
 */
export function requireSafeAddresses(
  { fields }: Credentials,
  settings: Readonly<Record<string, unknown>>,
  { environment, allowPrivateNetwork }: AddressRule,
): void {
  const addresses = [
    ['credentials.base_url', fields['base_url']],
    ['settings.authority_url', settings['authority_url']],
    ['settings.api_url', settings['api_url']],
  ] as const;
  for (const [name, value] of addresses)
    if (value !== undefined)
      requireSafeAddress(name, value, (hostname) => {
        const isOwn = environment === 'development' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
        return isOwn || allowPrivateNetwork.some((each) => each.toLowerCase() !== 'false');
      });
}

function requireSafeAddress(name: string, value: unknown, isOpen: (hostname: string) => boolean): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid(`'${name}' must be an https:// URL.`);
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== ''))
    throw invalid(`'${name}' must be an address alone, without credentials, query or fragment.`);
  if (url.protocol === 'http:' && !isOpen(url.hostname))
    throw invalid(
      `'${name}' must begin with https://: credentials go there. http:// is for private networks that the operator ` +
        'allows with BULWARK_ALLOW_PRIVATE_NETWORK.',
    );
}
