import { AppError } from '#base/errors.ts';
import { AnswerWithHeaders, type Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { unauthorized } from '#identity/challenges.ts';
import type { TokenPair } from '#identity/sign-in/sign-in.ts';
import { accessTokenSeconds } from '#identity/tokens/access-tokens.ts';
import type { sessionOperations } from './contract.ts';
import { dropCookie, keepCookie, readCookie } from './cookie.ts';
import type { FrontDoorContext } from './context.ts';
import { createExchange } from './sessions.ts';

export function sessionHandlers({
  config,
  identity,
  version,
  serviceNames,
  addressOf,
}: FrontDoorContext): Handlers<typeof sessionOperations, Caller | undefined> {
  const { signIn } = identity;
  const exchange = createExchange(signIn);
  const secure = config.dashboard.publicUrl?.startsWith('https:') ?? false;
  const opened = ({ accessToken, refreshToken }: TokenPair) =>
    new AnswerWithHeaders(
      { access_token: accessToken, expires_in: accessTokenSeconds },
      { 'set-cookie': keepCookie(refreshToken, secure) },
    );

  return {
    signIn: async ({ body: { username, password, tenant_name: tenantName }, request }) =>
      opened(await signIn.login({ username, password, tenantName }, request)),
    refreshSession: async ({ request }) => {
      if (!config.auth.enabled) return { access_token: null, expires_in: accessTokenSeconds };
      const refreshToken = readCookie(request.cookie);
      if (refreshToken === undefined)
        throw unauthorized('missing_auth', 'There is no session here. Sign in.');
      try {
        return opened(await exchange(refreshToken, request));
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 401) throw error;
        const headers = { ...error.headers, 'set-cookie': dropCookie(secure) };
        throw new AppError(401, error.code, error.detail, { cause: error, headers });
      }
    },
    signOut: async ({ request }) => {
      const refreshToken = readCookie(request.cookie);
      if (refreshToken !== undefined) await signIn.logout(refreshToken, request);
      return new AnswerWithHeaders({ message: 'You are signed out.' }, { 'set-cookie': dropCookie(secure) });
    },
    getPlatform: () => ({
      version,
      environment: config.environment,
      authentication: config.auth.enabled,
      services: serviceNames.map((name) => ({ name, url: addressOf(name) })),
    }),
  };
}
