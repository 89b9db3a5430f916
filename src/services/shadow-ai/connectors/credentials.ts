import { type AppError, badRequest, invalid } from '#base/errors.ts';
import type { connectorKinds } from '../contract/connectors.ts';

export type ConnectorKind = (typeof connectorKinds)[number];

/** What each kind needs; what is secret is never told again. */
const fieldsOf: Record<ConnectorKind, { plain: readonly string[]; secret: readonly string[] }> = {
  'edr-a': { plain: ['tenant_id', 'client_id'], secret: ['client_secret'] },
  'edr-b': { plain: ['client_id', 'base_url'], secret: ['client_secret'] },
  'edr-b-ngsiem': { plain: ['client_id', 'base_url'], secret: ['client_secret'] },
  'edr-c': { plain: ['base_url'], secret: ['api_token'] },
};

/** Kinds that are polled by this version. */
const polled: readonly ConnectorKind[] = ['edr-a'];

/** @throws AppError 422 for a kind that nothing here can poll yet: it is not to be taken for a working connection. */
export function requirePolled(kind: ConnectorKind): void {
  if (polled.includes(kind)) return;
  throw invalid(
    `'edr_framework' ${kind} cannot be polled by this version; it polls ${polled.join(', ')}. Send the events of another ` +
      'source to POST /api/v1/shadow-ai/telemetry.',
  );
}

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
    return [name, value];
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

export interface ConnectorSettings {
  readonly pollIntervalSeconds: number;
  readonly overlapSeconds: number;
  readonly promptExtraction: boolean;
  /** Where tokens come from, and where is queried; the vendor's own unless set. */
  readonly authority: string | undefined;
  readonly apiUrl: string | undefined;
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
    if (typeof value !== 'string' || !/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''))
      throw invalid(`'settings.${name}' must be an http:// or https:// URL.`);
    return value.replace(/\/+$/, '');
  };
  const promptExtraction = settings['prompt_extraction'] ?? false;
  if (typeof promptExtraction !== 'boolean')
    throw invalid("'settings.prompt_extraction' must be true or false.");
  return {
    pollIntervalSeconds: number('poll_interval_seconds', 60, [10, 86_400]),
    overlapSeconds: number('overlap_seconds', 900, [0, 86_400]),
    promptExtraction,
    authority: url('authority_url'),
    apiUrl: url('api_url'),
  };
}
