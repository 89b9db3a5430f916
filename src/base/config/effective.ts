import { withoutSecretsInUrls } from '../secrets/without-secrets-in-urls.ts';
import { keysOf } from './load.ts';
import { Secret } from './secret.ts';
import type { Sections } from './setting.ts';

/** One setting as it holds now. */
export interface EffectiveSetting {
  /** In the file: `metrics.enabled`. */
  readonly path: string;
  /** In the environment: `BULWARK_METRICS_ENABLED`. */
  readonly variable: string;
  /** Null for one that is off until it is set; of secrets only that they are there. */
  readonly value: unknown;
  /** Whether it is another one than the preset. */
  readonly isSet: boolean;
  readonly doc: string;
}

const hidden = '…';
/** Of addresses of databases and caches. */
const secretParameter = /^(?:ssl)?(?:password|passwd|pwd)$|token|secret|key$/i;

/** Without the password that somebody wrote into an address. */
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
 * Every setting with what it is now; no secret is among the values.
 * @param config what `loadConfig` gave for the same sections
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
