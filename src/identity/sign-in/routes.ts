import type { HandlerInput, Handlers } from '#base/http/mount.ts';
import type { Caller } from '../caller.ts';
import type { authApiOperations, authOperations } from '../contract/auth.ts';
import type { Register } from './register.ts';
import type { SignIn } from './sign-in.ts';
import { toWire } from './view.ts';

type Input<Name extends keyof typeof authOperations> = HandlerInput<(typeof authOperations)[Name], Caller>;

const login =
  (signIn: SignIn) =>
  async ({ body, request }: Pick<Input<'login'>, 'body' | 'request'>) => {
    const { username, password, tenant_name: tenantName } = body;
    return toWire(await signIn.login({ username, password, tenantName }, request));
  };

const refresh =
  (signIn: SignIn) =>
  async ({ body, request }: Pick<Input<'refresh'>, 'body' | 'request'>) =>
    toWire(await signIn.refresh(body.refresh_token, request));

export const authHandlers = ({
  signIn,
  register,
}: {
  signIn: SignIn;
  register: Register;
}): Handlers<typeof authOperations, Caller> => ({
  login: login(signIn),
  refresh: refresh(signIn),
  logout: async ({ body, request }) => {
    await signIn.logout(body.refresh_token, request);
    return { message: 'You are signed out.' };
  },
  me: ({ caller }) => ({ id: caller.userId, username: caller.username }),
  register: async ({ body, caller, request }) => {
    const { username, password, tenant_name: tenantName, roles, email } = body;
    const user = await register({ username, password, tenantName, roles, email }, caller, request);
    return { id: user.id, username: user.username, tenant_name: user.tenantName };
  },
});

export const authApiHandlers = (signIn: SignIn): Handlers<typeof authApiOperations, Caller> => ({
  authApiLogin: login(signIn),
  authApiRefresh: refresh(signIn),
});
