import { join } from 'node:path';
import { readEnv } from '#base/config/read-env.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { PlatformContext } from '#base/context.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { addDocs } from '#base/http/docs.ts';
import { addMetrics } from '#base/http/metrics-route.ts';
import { mount, refuseOtherMethods, type MountOptions } from '#base/http/mount.ts';
import { createRateLimit } from '#base/http/rate-limit.ts';
import { createHttpServer, type HttpApp, serverSettings } from '#base/http/server.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { createMetrics, type Metrics } from '#base/metrics/metrics.ts';
import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { sealingSecret } from '#base/secrets/shared-keys.ts';
import { openVault } from '#base/secrets/vault.ts';
import { oauthFetch } from '#mcp/oauth/http.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { openPresence } from '#identity/presence.ts';
import { accessHandlers } from './management/access/routes.ts';
import { addressOf, advertisedAddress } from './address.ts';
import { openApprovals } from './guarding/approvals/approvals.ts';
import { createCallLog } from './audit/call-log.ts';
import { oversightHandlers } from './management/oversight/routes.ts';
import { deleteCallsBefore, insertCalls } from './audit/store.ts';
import type { agentGatewaySections } from './config.ts';
import { accessOperations } from './contract/access.ts';
import { gatewayOperations } from './contract/gateways.ts';
import { protocolOperations } from './contract/mcp.ts';
import { oauthOperations } from './contract/oauth.ts';
import { healthOperations, oversightOperations } from './contract/oversight.ts';
import { attachmentOperations } from './contract/attachments.ts';
import { grantOperations } from './contract/grants.ts';
import { serverOperations } from './contract/servers.ts';
import { addPublicKeys } from './assertions/routes.ts';
import { createAuthenticateClient } from './endpoint/authenticate.ts';
import { createLegacyEndpoint } from './endpoint/legacy.ts';
import type { LiveDeps } from './endpoint/live-gateway.ts';
import { openLiveGateways } from './endpoint/live-gateways.ts';
import { createModernEndpoint } from './endpoint/modern.ts';
import { originCheck } from './endpoint/origin.ts';
import { openPeers } from './endpoint/peers.ts';
import { addEndpoint } from './endpoint/routes.ts';
import { createEvents } from './events.ts';
import { followUsers } from './follow-users.ts';
import { createGateways } from './registry/gateways/gateways.ts';
import { gatewayHandlers } from './management/gateways/routes.ts';
import { openGrants } from './grants/open-grants.ts';
import { addCallback, grantHandlers } from './grants/routes.ts';
import { createAskActionGuard, createCheckPolicySet } from './guarding/action-guard.ts';
import { createOutputCheck } from './guarding/output-check.ts';
import { createAttachments } from './management/servers/attachments.ts';
import { createDiscovery } from './management/servers/discovery.ts';
import { attachmentHandlers, serverHandlers } from './management/servers/routes.ts';
import { createServers } from './registry/servers/servers.ts';
import { serverStore } from './registry/servers/store.ts';
import { managementHandlers } from './oauth/management.ts';
import { openOAuth } from './oauth/open-oauth.ts';
import { openOnBehalf } from './on-behalf/open-on-behalf.ts';
import { createDial } from './upstreams/dial.ts';

/** The tables of this service. */
export const agentGatewayMigrations: MigrationSet = {
  schema: 'agent_gateway',
  folder: join(import.meta.dirname, 'migrations'),
};

export interface AgentGatewayContext extends PlatformContext {
  readonly config: PlatformContext['config'] & ConfigOf<typeof agentGatewaySections>;
  readonly identity: Identity;
  /** Other services, where they run in this process. */
  readonly calls: ServiceCalls<Caller>;
  /** Made here unless another service has made one already. */
  readonly engine?: TextEngine;
}

export interface AgentGateway extends AsyncDisposable {
  readonly app: HttpApp;
}

/** In flight to one server at a time, over all gateways; more wait. */
const maxCalls = 1024;

const operations = {
  ...gatewayOperations,
  ...accessOperations,
  ...attachmentOperations,
  ...serverOperations,
  ...grantOperations,
  ...oversightOperations,
  ...oauthOperations,
};

const info = {
  title: 'Bulwark agent gateway',
  description:
    'One guarded MCP endpoint in front of many MCP servers. A gateway’s endpoint, `/api/gateways/{gateway_id}/mcp`, ' +
    'speaks the Model Context Protocol from 2024-11-05 to 2026-07-28, and below it stands the gateway’s OAuth ' +
    'authorization server, which clients find by themselves. Gateways and servers can be seen by everybody of ' +
    'their tenant, and changed by who made them and by administrators; another tenant’s id answers 404.',
};

/** The agent gateway on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createAgentGateway(ctx: AgentGatewayContext): Promise<AgentGateway> {
  const { config, identity } = ctx;
  const log = ctx.log.child({ service: 'agent_gateway' });
  const metrics = config.metrics.enabled ? createMetrics('agent_gateway') : undefined;
  const app = createHttpServer({
    service: 'agent_gateway',
    log,
    metrics,
    tracing: ctx.tracing,
    ...serverSettings(config),
  });
  const checkOrigin = originCheck(config.host, config.agentGateway.publicUrl);
  app.addHook('onRequest', (request, _reply, done) => {
    checkOrigin(request.headers);
    done();
  });
  const { port, base } = addressOf(app, config);
  await using stack = new AsyncDisposableStack();
  const outbound = stack.use(openOutbound({ ...config, connections: maxCalls }));
  const features = await createFeatures({ ...ctx, log }, { metrics, outbound, port, base, stack });

  const countRequest = createRateLimit(config.rateLimit.requestsPerMinute, ctx.clock);
  const counted = <C extends Caller | undefined>(caller: C): C => {
    if (caller !== undefined) countRequest(caller.apiKeyId ?? caller.userId);
    return caller;
  };
  const options: MountOptions<Caller> = {
    strictAnswers: ctx.strictAnswers,
    authenticate: async (operation, headers) => counted(await identity.authenticate(operation, headers)),
  };
  const apiKeys = false;
  identity.mount(app, { apiKeys });
  mount(app, operations, features.handlers, options);
  mount(
    app,
    healthOperations,
    {
      getHealth: () => ({ status: 'ok' as const, version: ctx.version, environment: config.environment }),
    },
    options,
  );
  addCallback(app, features.callback);
  addPublicKeys(app, features.assertions);
  const { oauth } = features;
  const metadataUrl = (gatewayId: string) => oauth.addressesOf(gatewayId).metadata;
  const authenticateClient = createAuthenticateClient({
    identity,
    accessTokens: oauth.accessTokens,
    metadataUrl,
  });
  addEndpoint(app, {
    ...features.endpoint,
    db: ctx.db,
    metadataUrl,
    authenticate: authenticateClient,
    count: counted,
  });
  oauth.addRoutes(app);
  refuseOtherMethods(app, protocolOperations);
  addMetrics(app, config.metrics.path, metrics);
  addDocs(
    app,
    toOpenApiDocument(
      { ...operations, ...protocolOperations, ...identity.operations({ apiKeys }), ...healthOperations },
      { ...info, version: ctx.version },
    ),
  );
  const { peers } = features.endpoint;
  // Without a database of its own for all, there is no other process.
  if (ctx.db.kind === 'postgres')
    app.addHook('onListen', () => peers.begin(advertisedAddress(config, port())));
  // Streams that stay open would keep the server from closing: gateways end before it.
  app.addHook('preClose', () => features.stopAll());
  const owned = stack.move();
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await owned.disposeAsync();
    },
  };
}

interface Surroundings {
  readonly metrics: Metrics | undefined;
  readonly outbound: Outbound;
  readonly port: () => number;
  readonly base: () => string;
  readonly stack: AsyncDisposableStack;
}

/** Everything behind the routes. */
async function createFeatures(
  ctx: AgentGatewayContext,
  { metrics, outbound, port, base, stack }: Surroundings,
) {
  const { config, db, jobs, clock, log, identity, version } = ctx;
  const settings = config.agentGateway;
  const events = createEvents(log, metrics, identity.audit);
  const vault = await openVault(config);
  const store = serverStore(vault);
  const fetch = oauthFetch(outbound);
  const grants = openGrants({ db, clock, vault, outbound, fetch, identity, events, settings, base });
  const { assertions, exchange, credentialsFor } = openOnBehalf({
    ...ctx,
    vault,
    fetch,
    base,
    grants: grants.credentials,
    keyDays: settings.identityKeyDays,
  });
  const oauth = stack.use(await openOAuth({ ...ctx, vault, outbound, base, settings }));
  const callLog = stack.use(createCallLog((entries) => insertCalls(db, entries), log));
  await scheduleRetention({
    jobName: 'agent-gateway-call-retention',
    days: settings.callRetentionDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteCallsBefore(db, moment, limit),
  });
  const approvals = stack.use(await openApprovals({ db, clock, timeoutMs: settings.approvalTimeoutMs }));
  const dial = createDial({
    outbound,
    version,
    connectTimeoutMs: settings.connectTimeoutMs,
    messageBytes: settings.messageBytes,
    credentialsFor,
    searchPath: settings.stdioPath ?? readEnv()['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  });
  const actionGuard = {
    calls: ctx.calls,
    baseUrl: settings.actionGuardUrl ?? `http://127.0.0.1:${config.port.actionGuard}`,
    tokenFor: (caller: Caller) => identity.tokenFor(caller),
  };
  const liveDeps: LiveDeps = {
    db,
    clock,
    dial,
    events,
    approvals,
    callLog,
    askActionGuard: createAskActionGuard(actionGuard),
    checkOutput: createOutputCheck(ctx.engine ?? (await loadTextEngine())),
    tracing: ctx.tracing,
    signIn: { patienceMs: settings.approvalTimeoutMs, consent: grants.consent },
    limits: settings,
  };
  const presence = stack.use(
    openPresence({ clock, identity, onError: (error) => events.failedCall('', 'presence', error) }),
  );
  stack.use(
    oauth.grants.onEnded((grantId) => presence.endThose(({ oauth: grant }) => grant?.grantId === grantId)),
  );
  const peers = stack.use(
    openPeers({
      db,
      clock,
      secret: await sealingSecret(config),
      onError: (error) => events.failedCall('', 'peers', error),
    }),
  );
  const legacy = createLegacyEndpoint({
    newSessionId: () => peers.newSessionId(),
    version,
    clock,
    idleMs: settings.sessionIdleSeconds * 1000,
    perUser: settings.sessionsPerUser,
    presence,
  });
  const live = await openLiveGateways({
    db,
    servers: store,
    liveDeps,
    onStop: (gone) => legacy.endAll(gone),
  });
  stack.use(live);
  const gateways = createGateways({ db, clock, live, checkPolicySet: createCheckPolicySet(actionGuard) });
  const servers = createServers({
    db,
    clock,
    store,
    outbound,
    live,
    forgetGrant: grants.forget,
    stdioServers: settings.stdioServers,
  });
  const callback = grants.callback(servers, store, (serverId, userId) =>
    live.userGrantChanged(serverId, userId),
  );
  stack.use(followUsers({ identity, events, exchange, consents: oauth.grants, signIn: callback.signIn }));
  const discovery = createDiscovery({ db, clock, dial, timeoutMs: settings.callTimeoutMs });
  const attachments = createAttachments({ db, clock, store, gateways, servers, discovery, live });
  const serverRoutes = { db, servers, attachments, discovery, signIn: callback.signIn, events };
  return {
    endpoint: { live, legacy, peers, modern: createModernEndpoint(version, presence) },
    assertions,
    callback,
    oauth,
    stopAll: () => live[Symbol.asyncDispose](),
    handlers: {
      ...gatewayHandlers({
        gateways,
        live,
        servers: store,
        db,
        clock,
        events,
        sessionsOf: (running) => legacy.count(running),
        mcpUrl: (gatewayId) => `${base()}/api/gateways/${gatewayId}/mcp`,
        port,
      }),
      ...accessHandlers({ db, gateways, servers: store }),
      ...serverHandlers(serverRoutes),
      ...attachmentHandlers(serverRoutes),
      ...grantHandlers(callback),
      ...oversightHandlers({ db, clock, gateways, approvals, live, events }),
      ...managementHandlers({ db, clock, gateways, grants: oauth.grants, events }),
    },
  };
}
