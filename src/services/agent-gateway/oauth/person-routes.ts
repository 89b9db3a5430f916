/** Routes of a gateway's authorization server for users: sign-in and consent pages. */
import { AppError } from '#base/errors.ts';
import type { Clock } from '#base/clock.ts';
import { createRateLimit } from '#base/limits/rate-limit.ts';
import type { HttpApp, HttpReply, HttpRequest } from '#base/http/server.ts';
import { networkOf } from '#identity/throttle/network.ts';
import { federatedPath } from './addresses.ts';
import { federatedCookie, type FederatedSignIn } from './federated-sign-in.ts';
import type { Interactions, Shown, Visit } from './interaction.ts';
import { koaRequest } from './koa-request.ts';
import { failurePage } from './pages.ts';
import { takeRawBodies } from './raw-bodies.ts';
import type { FindServer } from './servers.ts';

export interface PersonRoutesDeps {
  readonly clock: Clock;
  readonly findServer: FindServer;
  readonly interactions: Interactions;
  readonly federated: FederatedSignIn;
}

const requestsPerMinute = 300;
const place = '/api/gateways/:gateway_id/mcp/interaction/:uid';

function sendFailure(error: unknown, request: HttpRequest, reply: HttpReply): void {
  const { statusCode } = error as { statusCode?: number };
  const status = error instanceof AppError ? error.status : (statusCode ?? 500);
  if (status >= 500) request.log.error({ request_id: request.id, err: error }, 'a page of signing in failed');
  const words = error instanceof AppError ? error.detail : 'Internal error. See the log of the service.';
  const shown = failurePage(words, status);
  void reply
    .code(status)
    .headers(error instanceof AppError ? error.headers : {})
    .headers(shown.headers)
    .send(shown.body);
}

function show(reply: HttpReply, shown: Shown): HttpReply {
  if ('location' in shown)
    return reply.header('referrer-policy', 'same-origin').redirect(shown.location, 303);
  return reply.code(shown.status).headers(shown.headers).send(shown.body);
}

const cookieOf = ({ headers }: HttpRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${federatedCookie}=([\\w-]{1,100})`).exec(headers.cookie ?? '')?.[1];

const factsOf = ({ id, ip, headers }: HttpRequest): Visit['facts'] => ({
  id,
  ip,
  userAgent: headers['user-agent'],
  cookie: undefined,
  lastEventId: undefined,
});

/** CSRF protection: forms are accepted only from our own pages, by the browser's Origin header. */
function checkSameOrigin({ method, headers }: HttpRequest): void {
  const site = headers['sec-fetch-site'];
  if (method === 'POST' && site !== undefined && site !== 'same-origin')
    throw new AppError(403, 'forbidden', 'This form is not from a page of this service.');
}

export function addPersonRoutes(app: HttpApp, deps: PersonRoutesDeps): void {
  const { clock, findServer, interactions, federated } = deps;
  const countRequest = createRateLimit(requestsPerMinute, clock);

  const visitOf = async (request: HttpRequest, reply: HttpReply): Promise<Visit> => {
    const { gateway_id: gatewayId, uid } = request.params as { gateway_id: string; uid: string };
    const server = await findServer(gatewayId);
    const { method, headers, body } = request;
    return {
      server,
      uid,
      request: koaRequest(server.addresses, { method, path: `/interaction/${uid}`, headers }),
      response: reply.raw,
      form: new URLSearchParams(typeof body === 'string' ? body : ''),
      facts: factsOf(request),
    };
  };
  const answer = (act: (visit: Visit) => Promise<Shown>) => async (request: HttpRequest, reply: HttpReply) =>
    show(reply, await act(await visitOf(request, reply)));

  void app.register(async (own: HttpApp) => {
    takeRawBodies(own);
    own.setErrorHandler(sendFailure);
    own.addHook('onRequest', async (request: HttpRequest) => {
      checkSameOrigin(request);
      countRequest(networkOf(request.ip));
    });
    const config = { operation: 'oauth_page' };
    own.get(
      place,
      { config },
      answer((visit) => interactions.show(visit)),
    );
    own.post(
      `${place}/sign-in`,
      { config },
      answer((visit) => interactions.signIn(visit)),
    );
    own.post(
      `${place}/consent`,
      { config },
      answer((visit) => interactions.decide(visit)),
    );
    own.post(
      `${place}/switch`,
      { config },
      answer((visit) => interactions.switchAccount(visit)),
    );

    own.get(`${place}/issuer`, { config }, async (request, reply) => {
      const visit = await visitOf(request, reply);
      const { cookie, ...shown } = await federated.begin(visit);
      const { pathname, protocol } = new URL(visit.server.addresses.federated);
      const secure = protocol === 'https:' ? '; Secure' : '';
      void reply.header(
        'set-cookie',
        `${federatedCookie}=${cookie}; Path=${pathname}; Max-Age=600; HttpOnly; SameSite=Lax${secure}`,
      );
      return show(reply, shown);
    });
    own.get(`${place}/signed-in`, { config }, async (request, reply) => {
      const { handle } = request.query as { handle?: unknown };
      return show(reply, await federated.signedIn(await visitOf(request, reply), String(handle)));
    });
    own.get(federatedPath, { config }, async (request, reply) => {
      const at = request.url.indexOf('?');
      const parameters = new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
      const { gatewayId, path } = await federated.comeBack(parameters, cookieOf(request));
      const { addresses } = await findServer(gatewayId);
      return show(reply, { location: `${addresses.issuer}${path}` });
    });
  });
}
