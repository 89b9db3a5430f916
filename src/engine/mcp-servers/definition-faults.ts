/** What is wrong with a server's definition that somebody sent: nothing of it may be dropped in silence. */
import { inCommonNames, readServerConfig, transportKind, withoutNulls } from './configurations.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (name: string): string => `'${name.slice(0, 60)}'`;

/** A value of `env` or `headers`: what is written as a text. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
const unstorable = 'has NUL characters or half characters in';

/** Names that requests set themselves, or that only concern one connection. */
const ownHeader =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i;

/** Why a header cannot be sent with a request; undefined where it can. */
export function headerFault(name: string, value: string): string | undefined {
  if (name === '') return "has a header without a name in 'headers'";
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name))
    return `has a header ${shown(name)} in 'headers' whose name cannot be sent`;
  if (ownHeader.test(name))
    return `has the header ${shown(name)} in 'headers', which each request sets itself; leave it out`;
  // What HTTP allows in a value: no line breaks, no other control characters, nothing beyond Latin-1.
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
    ? undefined
    : `has a header ${shown(name)} in 'headers' whose value cannot be sent: it has line breaks, control characters or letters that HTTP does not carry`;
}

function variableFault(name: string, value: string): string | undefined {
  if (name === '' || name.includes('=')) return `has a variable ${shown(name)} in 'env', which is no name`;
  return isStorable(name) && isStorable(value) ? undefined : `${unstorable} 'env' (${shown(name)})`;
}

/** @param of what is wrong with one of them */
function mapFault(
  field: 'headers' | 'env',
  value: unknown,
  of: (name: string, value: string) => string | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return `has '${field}' that are no object of names and texts`;
  for (const [name, each] of Object.entries(value)) {
    if (each === null) continue;
    if (!isScalar(each)) return `has ${shown(name)} in '${field}' with a value that is no text`;
    const fault = of(name, String(each));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function textFault(field: 'url' | 'command', value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return `has a '${field}' that is no text`;
  if (value.trim() === '') return `has an empty '${field}'`;
  return isStorable(value) ? undefined : `${unstorable} '${field}'`;
}

function argumentsFault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    return "has 'args' that are no list of texts";
  return value.every((each) => isStorable(each)) ? undefined : `${unstorable} 'args'`;
}

/** `transport` wins over `type`, and must fit what is there. */
function transportFault({ transport, type, url, command }: Record<string, unknown>): string | undefined {
  for (const [field, value] of [
    ['transport', transport],
    ['type', type],
  ] as const)
    if (value !== undefined && typeof value !== 'string') return `has a '${field}' that is no text`;
  const [field, value] = transport === undefined ? ['type', type] : ['transport', transport];
  if (value === undefined) return undefined;
  const kind = transportKind(value);
  if (kind === undefined) return `has a '${field}' that is neither sse nor http`;
  const said = `has the ${field} ${kind}, which contradicts`;
  // Where there are both, or none, that is what is wrong.
  if ((url === undefined) === (command === undefined) || (kind === 'stdio') === (url === undefined))
    return undefined;
  return url === undefined
    ? `${said} 'command'; leave it out, or give the 'url' of the server`
    : `${said} 'url'; leave it out, or give http or sse`;
}

/**
 * Why a definition is not taken, as words behind the name of the server; undefined where it is. A field that is null is
 * one that was not given.
 */
export function definitionFault(given: unknown): string | undefined {
  if (!isObject(given)) return 'is no object';
  const own = withoutNulls(given);
  const {
    url,
    command,
    args,
    env,
    transport,
    type,
    allow_network: network,
  } = withoutNulls(inCommonNames(own) as typeof own);
  const fault =
    textFault('url', url) ??
    textFault('command', command) ??
    argumentsFault(args) ??
    transportFault({ transport, type, url, command }) ??
    // Names of other clients beside them are read as well; what stands in `headers` itself is looked at as it was sent.
    mapFault('headers', own['headers'], headerFault) ??
    mapFault('env', env, variableFault);
  if (fault !== undefined) return fault;
  if (network !== undefined && typeof network !== 'boolean')
    return "has an 'allow_network' that is neither true nor false";
  const read = readServerConfig(given);
  return typeof read === 'string' ? read : undefined;
}
