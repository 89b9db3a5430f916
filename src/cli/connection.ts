import { isCancel, password as askPassword } from '@clack/prompts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#base/config/load.ts';
import { createClient } from '#base/contract/client.ts';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import { authOperations } from '#identity/contract/auth.ts';
import { sections } from '../settings.ts';
import { findAddress, otherAddress, type Address } from './addresses.ts';

export interface ConnectionOptions {
  url?: string;
}

export interface SignInOptions extends ConnectionOptions {
  /** The service that signs in; default: the policy guard. */
  baseUrl?: string;
  username?: string;
  tenant?: string;
}

/** An empty variable counts as not set, as in the configuration. */
const fromEnv = (name: string): string | undefined => readEnv()[name] || undefined;

let asked: { readonly service: Parameters<typeof findAddress>[0]; readonly address: Address } | undefined;

const addressOf = (service: Parameters<typeof findAddress>[0], { url }: ConnectionOptions): string => {
  asked = { service, address: findAddress(service, url) };
  return asked.address.url;
};

/** The policy guard's address; see {@link findAddress}. */
export const baseUrlOf = (options: ConnectionOptions): string => addressOf('policy-guard', options);

/** The action guard's. */
export const actionGuardUrlOf = (options: ConnectionOptions): string => addressOf('action-guard', options);

/** The agent gateway's. */
export const agentGatewayUrlOf = (options: ConnectionOptions): string => addressOf('agent-gateway', options);

/** Video moderation's. */
export const videoModerationUrlOf = (options: ConnectionOptions): string =>
  addressOf('video-moderation', options);

/** The model safety scan's. */
export const modelScanUrlOf = (options: ConnectionOptions): string => addressOf('model-scan', options);

/** The red-teaming platform's. */
export const redTeamUrlOf = (options: ConnectionOptions): string => addressOf('red-team', options);

/** Shadow AI's. */
export const shadowAiUrlOf = (options: ConnectionOptions): string => addressOf('shadow-ai', options);

/** What the user needs to know about the service after an error of its client. */
export function aboutAddress({ code, status }: AppError): string {
  if (asked === undefined) return '';
  const { service, address } = asked;
  // Another service or installation may have responded; any other refusal was understood.
  if (code === 'refused')
    return [401, 403, 404].includes(status) ? ` (${address.url} answered ${status}.)` : '';
  return ['unreachable', 'timed_out', 'unexpected_answer'].includes(code)
    ? ` ${otherAddress(service, address)}`
    : '';
}

/** The API key for calling guards, else that of this machine. @throws AppError 401 that explains how to get one */
export function apiKey(): string {
  const key = fromEnv('BULWARK_API_KEY') ?? localKey();
  if (key === undefined)
    throw new AppError(
      401,
      'no_key',
      'Set BULWARK_API_KEY to an API key; `bulwark keys create <name>` creates one.',
    );
  return key;
}

async function passwordOf(username: string): Promise<string> {
  const given = fromEnv('BULWARK_PASSWORD');
  if (given !== undefined) return given;
  if (!process.stdin.isTTY)
    throw new AppError(
      400,
      'no_password',
      `Set BULWARK_PASSWORD to the password of ${username}, or BULWARK_TOKEN to an access token, or run this in a terminal.` +
        (fromEnv('BULWARK_API_KEY') === undefined
          ? ''
          : ' BULWARK_API_KEY is set, and the service takes no API keys for this.'),
    );
  const typed = await askPassword({ message: `Password of ${username}` });
  if (isCancel(typed)) throw new AppError(400, 'no_password', 'No password was given.');
  return typed;
}

/** Signs in and returns the headers of an authenticated call: with `BULWARK_TOKEN`, else by user name and password. */
export async function signIn(options: SignInOptions): Promise<() => Record<string, string>> {
  const token = fromEnv('BULWARK_TOKEN');
  if (token !== undefined) return () => ({ authorization: `Bearer ${token}` });
  const username = options.username ?? fromEnv('BULWARK_USERNAME') ?? 'admin';
  const tenant = options.tenant ?? fromEnv('BULWARK_TENANT') ?? 'system';
  const auth = createClient(authOperations, { baseUrl: options.baseUrl ?? baseUrlOf(options) });
  const session = await auth.login({
    body: { username, password: await passwordOf(username), tenant_name: tenant },
  });
  return () => ({ authorization: `Bearer ${session.access_token}` });
}

/**
 * For what takes few keys: of somebody whose token, password or name is given, else by `BULWARK_API_KEY` where it is set.
 * The service's error names the required scope.
 */
export async function signInOrKey(options: SignInOptions): Promise<() => Record<string, string>> {
  const person = options.username ?? fromEnv('BULWARK_TOKEN') ?? fromEnv('BULWARK_PASSWORD');
  return person === undefined ? keyOrSignIn(options) : signIn(options);
}

/** The API key that `bulwark up` keeps for the person at this machine; undefined where there is none. */
function localKey(): string | undefined {
  try {
    const { dataDir } = loadConfig(sections, readEnv());
    return readFileSync(join(dataDir, 'secrets', 'local-api-key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** As {@link keyOrSignIn}; without credentials, the key of this machine is used where it can be read. */
export async function keyOrLocalKey(options: SignInOptions): Promise<() => Record<string, string>> {
  const named = options.username ?? fromEnv('BULWARK_TOKEN') ?? fromEnv('BULWARK_PASSWORD');
  const key = named === undefined && fromEnv('BULWARK_API_KEY') === undefined ? localKey() : undefined;
  return key === undefined ? signInOrKey(options) : () => ({ 'x-api-key': key });
}

/** Headers of a call by API key where `BULWARK_API_KEY` is set, else of somebody who signs in. */
export async function keyOrSignIn(options: SignInOptions): Promise<() => Record<string, string>> {
  const key = fromEnv('BULWARK_API_KEY');
  return key === undefined ? signIn(options) : () => ({ 'x-api-key': key });
}
