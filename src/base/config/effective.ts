import { withoutSecretsInUrls } from '../secrets/without-secrets-in-urls.ts';
import { keysOf } from './load.ts';
import { Secret } from './secret.ts';
import type { Sections } from './setting.ts';

/** One setting with its current value. */
export interface EffectiveSetting {
  /** Key in the file: `metrics.enabled`. */
  readonly path: string;
  /** Environment variable: `BULWARK_METRICS_ENABLED`. */
  readonly variable: string;
  /** Null if unset; a secret shows only that it is set. */
  readonly value: unknown;
  /** Whether it differs from the default. */
  readonly isSet: boolean;
  readonly doc: string;
}

const hidden = '…';
/** Query parameters of database and cache URLs that hold secrets. */
const secretParameter = /^(?:ssl)?(?:password|passwd|pwd)$|token|secret|key$/i;

/** The value with any password in a URL removed. */
function withoutPassword(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPassword);
  if (typeof value !== 'string') return value;
  if (!URL.canParse(value)) return withoutSecretsInUrls(value);
  const url = new URL(value);
  const secrets = [...url.searchParams.keys()].filter((name) => secretParameter.test(name));
  if (url.password === '' && secrets.length === 0) return value;
  if (url.password !== '') url.password = hidden;
  for (const name of secrets) url.searchParams.set(name, hidden);
  return url.href.replaceAll(encodeURIComponent(hidden), hidden);
}

/**
 * Every setting with its current value, secrets removed.
 * @param config the result of `loadConfig` for the same sections
 */
export const effectiveSettings = (sections: Sections, config: object): EffectiveSetting[] =>
  keysOf(sections).map(({ section, name, path, variable, setting }) => {
    const parts = config as Record<string, unknown>;
    const part = section === '' ? parts : (parts[section] as Record<string, unknown>);
    const value = part[name] ?? null;
    return {
      path,
      variable,
      value: value instanceof Secret ? value.toJSON() : withoutPassword(value),
      isSet: part[name] !== setting.preset,
      doc: setting.doc,
    };
  });
