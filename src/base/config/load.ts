import { existsSync, readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { StartupError } from '../errors.ts';
import { nearest } from './nearest.ts';
import { yamlProblem } from './parse-yaml.ts';
import type { ConfigOf, Sections, Setting } from './setting.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Key {
  section: string;
  name: string;
  /** Key in the file: `metrics.enabled`. */
  path: string;
  /** Environment variable: `BULWARK_METRICS_ENABLED`. */
  variable: string;
  setting: Setting<unknown>;
}

/** Variables with our prefix that are not settings: those of the command line and of tests. */
const otherVariables = [
  'BULWARK_CONFIG',
  'BULWARK_URL',
  'BULWARK_ACTION_GUARD_URL',
  'BULWARK_AGENT_GATEWAY_URL',
  'BULWARK_SHADOW_AI_URL',
  'BULWARK_MCP_SCAN_URL',
  'BULWARK_VIDEO_MODERATION_URL',
  'BULWARK_MODEL_SCAN_URL',
  'BULWARK_TARGET_API_KEY',
  'BULWARK_MCP_AUTH_TOKEN',
  'BULWARK_API_KEY',
  'BULWARK_TOKEN',
  'BULWARK_USERNAME',
  'BULWARK_PASSWORD',
  'BULWARK_TENANT',
];

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every setting of the sections with its external names. */
export const keysOf = (sections: Sections): Key[] =>
  Object.entries(sections).flatMap(([section, keys]) =>
    Object.entries(keys).map(([name, setting]) => {
      const path = section === '' ? toSnake(name) : `${toSnake(section)}.${toSnake(name)}`;
      return { section, name, path, variable: `BULWARK_${path.replace('.', '_').toUpperCase()}`, setting };
    }),
  );

/** The file's values by path; reports sections that are not maps, and unknown keys. */
function flatten(document: unknown, keys: readonly Key[], problems: string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const known = new Set(keys.map(({ path }) => path));
  const parts = new Set(
    keys.filter(({ section }) => section !== '').map(({ path }) => path.split('.')[0] ?? ''),
  );
  const add = (path: string, value: unknown) => {
    if (known.has(path)) values.set(path, value);
    else problems.push(`${path} is not a setting${nearest(path, [...known])}`);
  };
  for (const [name, value] of Object.entries((document ?? {}) as Record<string, unknown>)) {
    if (!parts.has(name)) add(name, value);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    else
      problems.push(
        `${name} must hold settings, such as ${keys.find(({ path }) => path.startsWith(`${name}.`))?.path}`,
      );
  }
  return values;
}

/** Without `BULWARK_CONFIG`: the file in the current directory. */
const fileHere = () => (existsSync('bulwark.yaml') ? 'bulwark.yaml' : undefined);

function readDocument(path: string | undefined): unknown {
  if (path === undefined) return {};
  try {
    const document: unknown = parse(readFileSync(path, 'utf8')) ?? {};
    if (typeof document !== 'object' || Array.isArray(document))
      throw new StartupError(`The configuration file ${path} must hold settings, one a line: name: value.`);
    return document;
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    const why = cause instanceof YAMLParseError ? yamlProblem(cause) : (cause as Error).message;
    throw new StartupError(`The configuration file ${path} cannot be read: ${why}`, { cause });
  }
}

function unknownVariables(env: Env, keys: readonly Key[]): string[] {
  const known = [...keys.map(({ variable }) => variable), ...otherVariables];
  return Object.keys(env)
    .filter(
      (name) => name.startsWith('BULWARK_') && !name.startsWith('BULWARK_TEST_') && !known.includes(name),
    )
    .map((name) => `${name} is not a setting${nearest(name, known)}`);
}

function valueOf(key: Key, env: Env, file: ReadonlyMap<string, unknown>, problems: string[]): unknown {
  const { path, variable, setting } = key;
  // An empty variable counts as unset: compose files and shells pass it for "nothing".
  const fromEnv = env[variable] === '' ? undefined : env[variable];
  const ours = fromEnv ?? file.get(path) ?? undefined;
  const sent = ours ?? (setting.alsoFrom && (env[setting.alsoFrom] || undefined));
  if (sent === undefined) return setting.preset;
  const result = setting.schema.safeParse(sent);
  if (result.success) return result.data;
  const from = ours === undefined ? setting.alsoFrom : fromEnv === undefined ? path : variable;
  problems.push(`${from} ${z.flattenError(result.error).formErrors[0]}`);
  return setting.preset;
}

/**
 * The configuration from the environment, then the file named by `BULWARK_CONFIG` (else `bulwark.yaml` where the program
 * was started, if there is one), then the defaults.
 * @throws StartupError with one line for each wrong or unknown key.
 */
export function loadConfig<S extends Sections>(sections: S, env: Env): ConfigOf<S> {
  const keys = keysOf(sections);
  const problems = unknownVariables(env, keys);
  const file = flatten(readDocument(env['BULWARK_CONFIG'] ?? fileHere()), keys, problems);
  const config: Record<string, Record<string, unknown>> = {};
  for (const key of keys) (config[key.section] ??= {})[key.name] = valueOf(key, env, file, problems);
  if (problems.length > 0)
    throw new StartupError(['The configuration is not valid:', ...problems].join('\n  - '));
  const { '': top, ...parts } = config;
  return { ...top, ...parts } as ConfigOf<S>;
}
