/** Routes of a gateway's authorization server for clients: documents, registration, authorization, tokens. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import { createRateLimit } from '#base/limits/rate-limit.ts';
import type { HttpApp, HttpReply, HttpRequest } from '#base/http/server.ts';
import { networkOf } from '#identity/throttle/network.ts';
import { wellKnown } from './addresses.ts';
import { metadataProblem, normalizedMetadata } from './client-metadata.ts';
import { keepNewestUnused } from './client-store.ts';
import { koaRequest } from './koa-request.ts';
import { takeRawBodies } from './raw-bodies.ts';
import { scopes } from './scopes.ts';
import type { AuthorizationServer, FindServer } from './servers.ts';

export interface ProtocolRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly findServer: FindServer;
  /** Requests per minute from one network, per process. */
  readonly registrationsPerMinute: number;
}

/** Cheap requests per minute from one network, per process. */
const requestsPerMinute = 600;
/** Maximum number of registered but unused clients of a gateway. */
const unusedClients = 1000;

const endpoint = '/api/gateways/:gateway_id/mcp';

/** Errors of dynamic registration (RFC 7591 §3.2.2), by the codes that ours have. */
const registrationErrors: ReadonlySet<string> = new Set(['invalid_redirect_uri', 'invalid_client_metadata']);

const ownName = (error: unknown): string | undefined =>
  error instanceof AppError && registrationErrors.has(error.code) ? error.code : undefined;

/** OAuth error responses, with the message also in the field that our other errors use. */
function sendOAuthError(error: unknown, request: HttpRequest, reply: HttpReply): void {
  const { statusCode, message } = error as { statusCode?: number; message: string };
  const status = error instanceof AppError ? error.status : (statusCode ?? 500);
  if (status >= 500)
    request.log.error({ request_id: request.id, err: error }, 'an authorization server failed');
  const words = status < 500 ? message : 'Internal error of the authorization server. See its log.';
  const names: Record<number, string> = {
    400: 'invalid_request',
    403: 'access_denied',
    404: 'not_found',
    413: 'invalid_request',
    415: 'invalid_request',
  };
  void reply
    .code(status)
    .headers(error instanceof AppError ? error.headers : {})
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: ownName(error) ?? names[status] ?? (status < 500 ? 'temporarily_unavailable' : 'server_error'),
        error_description: words,
        detail: words,
      }),
    );
}

/** Passes a request to the provider, which sends the response. */
async function forward(
  { provider, addresses }: AuthorizationServer,
  request: HttpRequest,
  reply: HttpReply,
  { path, body }: { path: string; body?: string | undefined },
): Promise<void> {
  const { method, headers } = request;
  const sent = koaRequest(addresses, { method, path, headers, body });
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  await provider.callback()(sent, reply.raw);
}

const queryOf = ({ url }: HttpRequest): string => {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
};

/** Clients that name no scopes request all of them (RFC 6749 §3.3); the user can still deselect some. */
function withScopes(query: string): string {
  const sent = new URLSearchParams(query);
  if ((sent.get('scope') ?? '') !== '') return query;
  sent.set('scope', scopes.join(' '));
  return `?${sent.toString()}`;
}

const bodyOf = ({ body }: HttpRequest): string | undefined => (typeof body === 'string' ? body : undefined);

const invalidMetadata = (words: string) =>
  new AppError(
    400,
    words.includes('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    words,
  );

/** Validates and normalises a registration request. */
function registrationOf(body: string | undefined): string {
  let sent: unknown;
  try {
    sent = JSON.parse(body ?? '');
  } catch (cause) {
    throw new AppError(400, 'invalid_client_metadata', 'The body must be a JSON object.', { cause });
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw invalidMetadata('The body must be a JSON object.');
  const metadata = sent as Record<string, unknown>;
  const problem = metadataProblem(metadata);
  if (problem !== undefined) throw invalidMetadata(`The registration is refused: ${problem}.`);
  return JSON.stringify(normalizedMetadata(metadata));
}

const gatewayIdOf = (request: HttpRequest) => (request.params as { gateway_id: string }).gateway_id;

/** Readable by pages of any origin (CORS). */
const openDocument = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' };

export function addProtocolRoutes(app: HttpApp, deps: ProtocolRoutesDeps): void {
  const { db, clock, findServer, registrationsPerMinute } = deps;
  const countRequest = createRateLimit(requestsPerMinute, clock);
  const countRegistration = createRateLimit(registrationsPerMinute, clock);

  void app.register(async (own: HttpApp) => {
    takeRawBodies(own);
    own.setErrorHandler(sendOAuthError);
    own.addHook('onRequest', async (request: HttpRequest) => {
      countRequest(networkOf(request.ip));
    });

    const resource = async (request: HttpRequest, reply: HttpReply) => {
      const { addresses } = await findServer(gatewayIdOf(request));
      return reply.headers(openDocument).send({
        resource: addresses.issuer,
        authorization_servers: [addresses.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      });
    };
    /** The same path at the provider, with the query if there is one. */
    const passOn =
      (pathOf: (request: HttpRequest) => string) => async (request: HttpRequest, reply: HttpReply) =>
        forward(await findServer(gatewayIdOf(request)), request, reply, {
          path: pathOf(request),
          body: bodyOf(request),
        });

    const config = { operation: 'oauth' };
    for (const place of [`${wellKnown.resource}${endpoint}`, `${endpoint}${wellKnown.resource}`])
      own.get(place, { config }, resource);
    for (const name of [wellKnown.server, wellKnown.openId])
      for (const url of [`${name}${endpoint}`, `${endpoint}${name}`])
        own.route({ method: ['GET', 'OPTIONS'], url, config, handler: passOn(() => name) });

    own.route({
      method: ['GET', 'OPTIONS'],
      url: `${endpoint}/jwks`,
      config,
      handler: passOn(() => '/jwks'),
    });
    own.get(
      `${endpoint}/authorize`,
      { config },
      passOn((request) => `/authorize${withScopes(queryOf(request))}`),
    );
    own.get(
      `${endpoint}/authorize/:uid`,
      { config },
      passOn(({ params }) => `/authorize/${encodeURIComponent((params as { uid: string }).uid)}`),
    );
    for (const path of ['/token', '/revoke'])
      own.route({
        method: ['POST', 'OPTIONS'],
        url: `${endpoint}${path}`,
        config,
        handler: passOn(() => path),
      });

    own.post(`${endpoint}/register`, { config }, async (request, reply) => {
      countRegistration(networkOf(request.ip));
      const gatewayId = gatewayIdOf(request);
      const server = await findServer(gatewayId);
      const body = registrationOf(bodyOf(request));
      await keepNewestUnused(db, gatewayId, unusedClients - 1);
      await forward(server, request, reply, { path: '/register', body });
    });
  });
}
