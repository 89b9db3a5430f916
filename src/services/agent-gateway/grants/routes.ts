import { toIsoTime } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { HttpApp, HttpReply } from '#base/http/server.ts';
import type { Caller } from '#identity/caller.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import { clientMetadata } from '#mcp/oauth/client.ts';
import type { grantOperations } from '../contract/grants.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Page } from '../oauth/page-frame.ts';
import { takeRawBodies } from '../oauth/raw-bodies.ts';
import { confirmationPage, messagePage } from './page.ts';
import type { SignIn } from './sign-in.ts';
import { viewUserAuthorization } from './view.ts';

/** Redirect URI for all authorization servers. */
export const callbackPath = '/api/mcp-servers/callback';
/** Our client metadata document; its URL is our client id where authorization servers support such documents. */
export const metadataPath = '/api/mcp-servers/client-metadata.json';

export interface GrantRoutesDeps {
  readonly signIn: SignIn;
  readonly userNames: UserNames;
}

export const grantHandlers = ({
  signIn,
  userNames,
}: GrantRoutesDeps): Handlers<typeof grantOperations, Caller> => ({
  async authorizeServer({ caller, params }) {
    const { secrets, expiresAt } = await signIn.begin(caller, params.server_id);
    return {
      authorization_url: secrets.url,
      issuer: secrets.server.issuer,
      scope: secrets.scope,
      expires_at: toIsoTime(expiresAt),
    };
  },
  async disconnectServer({ caller, params, request }) {
    const { name } = await signIn.disconnect({ caller, request }, params.server_id);
    return { message: `The authorization for the MCP server "${name}" was deleted.` };
  },
  async listAuthorizations({ caller, params, query }) {
    const { grants, total } = await signIn.listOfUsers(caller, params.server_id, query);
    const nameOf = await userNames(grants.flatMap(({ holder, grantedBy }) => [holder, grantedBy]));
    return { items: grants.map((grant) => viewUserAuthorization(grant, nameOf)), total };
  },
  async removeAuthorization({ caller, params, request }) {
    const { server_id: serverId, user_id: userId } = params;
    const { name } = await signIn.disconnectUser({ caller, request }, serverId, userId);
    return { message: `The user's authorization for the MCP server "${name}" was deleted.` };
  },
});

export interface CallbackDeps extends Omit<GrantRoutesDeps, 'userNames'> {
  readonly events: Pick<AgentGatewayEvents, 'authorized'>;
  readonly redirectUri: () => string;
  /** The URL of the document itself. */
  readonly metadataUrl: () => string | undefined;
}

const answerNames = new Set(['state', 'code', 'iss', 'error', 'error_description', 'response']);

/** The parameters of the authorization response. Duplicates are refused, since it is unclear which one counts. */
function answerOf(parameters: URLSearchParams): URLSearchParams {
  const sent = [...parameters].filter(([name]) => answerNames.has(name));
  if (new Set(sent.map(([name]) => name)).size !== sent.length)
    throw new AppError(422, 'invalid', 'The answer of the authorization server has a parameter twice.');
  return new URLSearchParams(sent);
}

const show = (reply: HttpReply, { status, headers, body }: Page) =>
  reply.code(status).headers(headers).send(body);

const queryOf = (url: string) => new URLSearchParams(url.split('?').slice(1).join('?'));

/** The redirect URI, for browsers: a confirmation page, and a page with the outcome. */
export function addCallback(app: HttpApp, { signIn, events, redirectUri, metadataUrl }: CallbackDeps): void {
  app.get(metadataPath, { config: { operation: 'client_metadata' } }, (_request, reply) =>
    reply.send({
      client_id: metadataUrl() ?? null,
      ...clientMetadata(redirectUri()),
      token_endpoint_auth_method: 'none',
    }),
  );

  const refused = async (answer: URLSearchParams) => {
    await signIn.abandon(answer.get('state') ?? '');
    const why = answer.get('error_description') ?? answer.get('error') ?? '';
    return messagePage('Nothing was connected', `The authorization server answered: ${why.slice(0, 300)}`);
  };

  void app.register((scope, _options, done) => {
    // Registered in this scope only, regardless of body types accepted elsewhere in the service.
    takeRawBodies(scope);
    scope.setErrorHandler((error: unknown, request, reply) => {
      const { statusCode = 500 } = error as { statusCode?: number };
      const status = error instanceof AppError ? error.status : statusCode;
      if (status === 500) request.log.error({ request_id: request.id, err: error }, 'a sign-in failed');
      const text =
        error instanceof AppError ? error.detail : 'The gateway cannot go on. Its log may have more.';
      void show(reply, messagePage('Nothing was connected', text, status));
    });

    scope.get(callbackPath, { config: { operation: 'sign_in_callback' } }, async (request, reply) => {
      const answer = answerOf(queryOf(request.url));
      const { consent, server } = await signIn.preview(answer.get('state') ?? '');
      if (answer.has('error')) return show(reply, await refused(answer));
      const { authorization_endpoint: from, token_endpoint: to } = consent.secrets.server;
      return show(
        reply,
        confirmationPage({
          action: redirectUri(),
          serverName: server.name,
          serverUrl: server.connectionUrl ?? '',
          username: consent.username,
          tenantName: consent.tenantName,
          authorizationEndpoint: from ?? '',
          tokenEndpoint: to ?? '',
          parameters: answer,
        }),
      );
    });

    scope.post(callbackPath, { config: { operation: 'sign_in_confirmed' } }, async (request, reply) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const answer = answerOf(form);
      if (form.get('confirm') !== 'yes') {
        await signIn.abandon(answer.get('state') ?? '');
        return show(reply, messagePage('Nothing was connected', 'You can close this page.'));
      }
      const { server, consent } = await signIn.finish(answer, { id: request.id, ip: request.ip });
      events.authorized(server.serverId, consent.userId);
      return show(
        reply,
        messagePage(
          'The MCP server is connected',
          `The gateway can now use ${server.name}. You can close this page.`,
        ),
      );
    });
    done();
  });
}
