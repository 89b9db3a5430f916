import { join } from 'node:path';
import type { Operation } from '#base/contract/operation.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import { notFound } from '#base/errors.ts';
import { addCompression } from '#base/http/compression.ts';
import { addDocs } from '#base/http/docs.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount } from '#base/http/mount.ts';
import { addProxy } from '#base/http/proxy.ts';
import { formOverheadBytes } from '#base/http/read-form.ts';
import { createHttpServer, type HttpApp, type HttpRequest, serverSettings } from '#base/http/server.ts';
import { addStaticFiles } from '#base/http/static-files.ts';
import { createRateLimits } from '#base/limits/rate-limits.ts';
import { createMetrics } from '#base/metrics/metrics.ts';
import { countRequests } from '#identity/count-requests.ts';
import { openPresence } from '#identity/presence.ts';
import type { FrontDoorContext } from './context.ts';
import { ChangeStreams } from './changes.ts';
import { changeOperations, deploymentOperations, sessionOperations } from './contract.ts';
import { deploymentHandlers } from './deployment-routes.ts';
import { openDashboardFiles } from './dashboard-files.ts';
import { refuseOtherSites } from './same-site.ts';
import { sessionHandlers } from './session-routes.ts';

export interface FrontDoor extends AsyncDisposable {
  readonly app: HttpApp;
}

const ownDashboard = join(import.meta.dirname, '../../dashboard');

/** No external resources, only our own scripts, and no framing by other sites. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src blob:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** What identity answers here besides sign-in. */
const ownParts = { apiKeys: true, savedViews: true };

/** Sign-in is throttled by client address, so it is handled here, where that address is known. */
const authPath = /^\/services\/[a-z-]+(?=\/(?:auth|auth-api\/api\/v1\/auth)\/)/;

/** The dashboard's server: its files, its session, and every service below `/services/<name>/`. */
export async function createFrontDoor(ctx: FrontDoorContext): Promise<FrontDoor> {
  const { config, identity } = ctx;
  const log = ctx.log.child({ service: 'dashboard' });
  const metrics = config.metrics.enabled ? createMetrics('dashboard', ctx.processMetrics) : undefined;
  const proxiedLimitBytes = Math.max(config.limits.bodyBytes, config.limits.uploadBytes + formOverheadBytes);
  const app = createHttpServer({
    service: 'dashboard',
    log,
    metrics,
    ...serverSettings(config),
    proxiedLimitBytes,
    rewriteUrl: (url) => url.replace(authPath, ''),
  });
  const ownSite = { listensOn: config.host, publicUrl: config.dashboard.publicUrl };
  app.addHook('onRequest', (request, _reply, done) => {
    refuseOtherSites(request, ownSite);
    done();
  });
  await addCompression(app);
  // A service's own port is internal, but the front door may be public: metrics need sign-in here.
  const readMetrics = { ...deploymentOperations.getConfiguration, access: 'jwt_or_key' } as const;
  const admitToMetrics = async ({ headers }: HttpRequest) => {
    await identity.authenticate(readMetrics, headers);
  };
  for (const name of ctx.serviceNames)
    addProxy(app, {
      prefix: `/services/${name}`,
      name,
      upstream: () => ctx.addressOf(name),
      largestBodyBytes: proxiedLimitBytes,
      admit: async (path, request) => {
        if (path === config.metrics.path) await admitToMetrics(request);
      },
    });
  // The red-teaming platform is also reached by its own paths; sign-in at /auth-api is answered here.
  if (ctx.serviceNames.includes('red-team'))
    for (const prefix of ['/api', '/sandbox/mcp'])
      addProxy(app, {
        prefix,
        keepsPrefix: true,
        name: 'red-team',
        upstream: () => ctx.addressOf('red-team'),
        largestBodyBytes: proxiedLimitBytes,
      });
  const rateLimits = ctx.rateLimits ?? createRateLimits({ clock: ctx.clock, log });
  const counted = countRequests(rateLimits, config, 'dashboard');
  identity.mount(app, { ...ownParts, counted });
  mount(app, sessionOperations, sessionHandlers(ctx), {
    strictAnswers: ctx.strictAnswers,
    authenticate: async () => undefined,
  });
  const forUsers = {
    strictAnswers: ctx.strictAnswers,
    authenticate: async (operation: Operation, headers: HttpRequest['headers']) =>
      counted(await identity.authenticate(operation, headers)),
  };
  if (ctx.alerts !== undefined) {
    const { operations, handlers } = ctx.alerts.frontDoor;
    mount(app, operations, handlers, forUsers);
  }
  mount(app, deploymentOperations, deploymentHandlers(ctx.settings), forUsers);
  const onError = (err: unknown) => log.error({ err }, 'a stream of changes cannot be checked');
  const presence = openPresence({ clock: ctx.clock, identity, keepsRoles: true, onError });
  const changes = new ChangeStreams({ db: ctx.db, presence });
  app.addHook('preClose', async () => changes.close());
  mount(app, changeOperations, { streamChanges: ({ caller }) => changes.open(caller) }, forUsers);
  addMetrics(app, config.metrics.path, metrics, admitToMetrics);
  app.get('/health', (_, reply) => reply.send({ status: 'ok', version: ctx.version }));
  addDocs(
    app,
    toOpenApiDocument(
      {
        ...sessionOperations,
        ...deploymentOperations,
        ...changeOperations,
        ...ctx.alerts?.frontDoor.operations,
        ...identity.operations(ownParts),
      },
      {
        title: 'Bulwark front door',
        description: 'Sign-in, alerts of all services, and a proxy to each service.',
        version: ctx.version,
      },
    ),
  );

  const files = await openDashboardFiles(config.dashboard.folder ?? ctx.dashboardFolder ?? ownDashboard, log);
  const page = addStaticFiles(app, { folder: files.folder, pageHeaders });
  app.get('/*', (request, reply) => {
    const isPage = request.headers.accept?.includes('text/html') === true;
    if (!isPage) throw notFound(`The path ${request.url.split('?', 1)[0]?.slice(0, 200)}`);
    const state = files.state();
    if (state === 'built') return page(reply);
    return reply
      .code(state === 'failed' ? 500 : 503)
      .headers({ ...pageHeaders, 'content-type': 'text/html; charset=utf-8', 'retry-after': '2' })
      .send(waitingPage(state));
  });
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await changes[Symbol.asyncDispose]();
      presence[Symbol.dispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

const waitingPage = (state: 'building' | 'failed') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bulwark</title>
${state === 'building' ? '<meta http-equiv="refresh" content="2">' : ''}
<style>body{font:16px system-ui;display:grid;place-content:center;height:100vh;margin:0;color-scheme:light dark}</style></head>
<body><p>${
  state === 'building'
    ? 'The dashboard is being built (once). This page reloads by itself.'
    : 'The dashboard could not be built; see the log. The services are running.'
}</p></body></html>
`;
