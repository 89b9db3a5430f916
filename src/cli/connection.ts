import { isCancel, password as askPassword } from '@clack/prompts';
import { createClient } from '#base/contract/client.ts';
import { readEnv } from '#base/config/read-env.ts';
import { AppError } from '#base/errors.ts';
import { authOperations } from '#identity/contract/auth.ts';

export interface ConnectionOptions {
  url?: string;
}

export interface SignInOptions extends ConnectionOptions {
  username?: string;
  tenant?: string;
}

/** An empty variable counts as not set, as in the configuration. */
const fromEnv = (name: string): string | undefined => readEnv()[name] || undefined;

/** The policy guard's address: `--url`, then `BULWARK_URL`, then the local default. */
export const baseUrlOf = (options: ConnectionOptions): string =>
  (options.url ?? fromEnv('BULWARK_URL') ?? 'http://127.0.0.1:8100').replace(/\/+$/, '');

/** The action guard's address: `--url`, then `BULWARK_ACTION_GUARD_URL`, then the local default. */
export const actionGuardUrlOf = (options: ConnectionOptions): string =>
  (options.url ?? fromEnv('BULWARK_ACTION_GUARD_URL') ?? 'http://127.0.0.1:8200').replace(/\/+$/, '');

/** The agent gateway's address: `--url`, then `BULWARK_AGENT_GATEWAY_URL`, then the local default. */
export const agentGatewayUrlOf = (options: ConnectionOptions): string =>
  (options.url ?? fromEnv('BULWARK_AGENT_GATEWAY_URL') ?? 'http://127.0.0.1:8300').replace(/\/+$/, '');

/** The API key that asks guards. @throws AppError 401 that says how to get one */
export function apiKey(): string {
  const key = fromEnv('BULWARK_API_KEY');
  if (key === undefined)
    throw new AppError(
      401,
      'no_key',
      'Set BULWARK_API_KEY to an API key; `bulwark keys create <name>` makes one.',
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
      `Set BULWARK_PASSWORD to the password of ${username}, or run this in a terminal.`,
    );
  const typed = await askPassword({ message: `Password of ${username}` });
  if (isCancel(typed)) throw new AppError(400, 'no_password', 'No password was given.');
  return typed;
}

/** Signs in and gives the headers of a signed-in call: `BULWARK_TOKEN` as it is, else by user name and password. */
export async function signIn(options: SignInOptions): Promise<() => Record<string, string>> {
  const token = fromEnv('BULWARK_TOKEN');
  if (token !== undefined) return () => ({ authorization: `Bearer ${token}` });
  const username = options.username ?? fromEnv('BULWARK_USERNAME') ?? 'admin';
  const tenant = options.tenant ?? fromEnv('BULWARK_TENANT') ?? 'system';
  const auth = createClient(authOperations, { baseUrl: baseUrlOf(options) });
  const session = await auth.login({
    body: { username, password: await passwordOf(username), tenant_name: tenant },
  });
  return () => ({ authorization: `Bearer ${session.access_token}` });
}

/** Headers of a call by API key where `BULWARK_API_KEY` is set, else of somebody who signs in. */
export async function keyOrSignIn(options: SignInOptions): Promise<() => Record<string, string>> {
  const key = fromEnv('BULWARK_API_KEY');
  return key === undefined ? signIn(options) : () => ({ 'x-api-key': key });
}
