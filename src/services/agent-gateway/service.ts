import { join } from 'node:path';
import { readEnv } from '#base/config/read-env.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { PlatformContext } from '#base/context.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { addDocs } from '#base/http/docs.ts';
import { mount, type MountOptions } from '#base/http/mount.ts';
import { createRateLimit } from '#base/http/rate-limit.ts';
import { createHttpServer, type HttpApp } from '#base/http/server.ts';
import { createMetrics, type Metrics } from '#base/metrics/metrics.ts';
import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { openVault } from '#base/secrets/vault.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { openApprovals } from './approvals/approvals.ts';
import { createCallLog } from './audit/call-log.ts';
import { scheduleCallRetention } from './audit/retention.ts';
import { oversightHandlers } from './audit/routes.ts';
import { insertCalls } from './audit/store.ts';
import type { agentGatewaySections } from './config.ts';
import { gatewayOperations } from './contract/gateways.ts';
import { healthOperations, oversightOperations } from './contract/oversight.ts';
import { attachmentOperations } from './contract/attachments.ts';
import { serverOperations } from './contract/servers.ts';
import { createAuthenticateClient } from './endpoint/authenticate.ts';
import { createLegacyEndpoint } from './endpoint/legacy.ts';
import type { LiveDeps } from './endpoint/live-gateway.ts';
import { openLiveGateways } from './endpoint/live-gateways.ts';
import { createModernEndpoint } from './endpoint/modern.ts';
import { originCheck } from './endpoint/origin.ts';
import { addEndpoint } from './endpoint/routes.ts';
import { createEvents } from './events.ts';
import { createGateways } from './gateways/gateways.ts';
import { gatewayHandlers } from './gateways/routes.ts';
import { createAskActionGuard } from './guarding/action-guard.ts';
import { createOutputCheck } from './guarding/output-check.ts';
import { createAttachments } from './servers/attachments.ts';
import { createDiscovery } from './servers/discovery.ts';
import { attachmentHandlers, serverHandlers } from './servers/routes.ts';
import { createServers } from './servers/servers.ts';
import { serverStore } from './servers/store.ts';
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

const operations = {
  ...gatewayOperations,
  ...attachmentOperations,
  ...serverOperations,
  ...oversightOperations,
};

const info = {
  title: 'Bulwark agent gateway',
  description:
    'One guarded MCP endpoint in front of many MCP servers. A gateway’s endpoint, `/api/gateways/{gateway_id}/mcp`, ' +
    'speaks the Model Context Protocol from 2024-11-05 to 2026-07-28. Gateways and servers can be seen by everybody of ' +
    'their tenant, and changed by who made them and by administrators; another tenant’s id answers 404.',
};

/** Where clients reach this service, once it listens. */
function addressOf(app: HttpApp, config: AgentGatewayContext['config']) {
  const port = () => {
    const address = app.server.address();
    return address === null || typeof address === 'string' ? config.port.agentGateway : address.port;
  };
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const base = () => config.agentGateway.publicUrl?.replace(/\/+$/, '') ?? `http://${host}:${port()}`;
  return { port, base };
}

/** The agent gateway on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createAgentGateway(ctx: AgentGatewayContext): Promise<AgentGateway> {
  const { config, identity } = ctx;
  const log = ctx.log.child({ service: 'agent_gateway' });
  const metrics = config.metrics.enabled ? createMetrics('agent_gateway') : undefined;
  const app = createHttpServer({
    service: 'agent_gateway',
    log,
    metrics,
    bodyLimitBytes: config.limits.bodyBytes,
  });
  const { port, base } = addressOf(app, config);
  await using stack = new AsyncDisposableStack();
  const outbound = stack.use(openOutbound(config));
  const features = await createFeatures({ ...ctx, log }, { metrics, outbound, port, base, stack });

  const countRequest = createRateLimit(config.rateLimit.requestsPerMinute, ctx.clock);
  const options: MountOptions<Caller> = {
    strictAnswers: ctx.strictAnswers,
    async authenticate(operation, headers) {
      const caller = await identity.authenticate(operation, headers);
      if (caller !== undefined) countRequest(caller.apiKeyId ?? caller.userId);
      return caller;
    },
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
  const mcpPath = (gatewayId: string) => `/api/gateways/${encodeURIComponent(gatewayId)}/mcp`;
  addEndpoint(app, {
    ...features.endpoint,
    db: ctx.db,
    checkOrigin: originCheck(config.host, config.agentGateway.publicUrl),
    authenticate: createAuthenticateClient({
      identity,
      metadataUrl: (gatewayId) => `${base()}/.well-known/oauth-protected-resource${mcpPath(gatewayId)}`,
    }),
  });
  if (metrics !== undefined)
    app.get(config.metrics.path, async (_, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    );
  addDocs(
    app,
    toOpenApiDocument(
      { ...operations, ...identity.operations({ apiKeys }), ...healthOperations },
      { ...info, version: ctx.version },
    ),
  );
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
  const store = serverStore(await openVault(config));
  const callLog = stack.use(createCallLog((entries) => insertCalls(db, entries), log));
  await scheduleCallRetention({ db, jobs, clock, days: settings.callRetentionDays });
  const approvals = stack.use(await openApprovals({ db, clock, timeoutMs: settings.approvalTimeoutMs }));
  const dial = createDial({
    outbound,
    version,
    connectTimeoutMs: settings.connectTimeoutMs,
    messageBytes: settings.messageBytes,
    searchPath: settings.stdioPath ?? readEnv()['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  });
  const liveDeps: LiveDeps = {
    db,
    clock,
    dial,
    events,
    approvals,
    callLog,
    askActionGuard: createAskActionGuard({
      calls: ctx.calls,
      baseUrl: settings.actionGuardUrl ?? `http://127.0.0.1:${config.port.actionGuard}`,
      tokenFor: (caller) => identity.tokenFor(caller),
    }),
    checkOutput: createOutputCheck(ctx.engine ?? (await loadTextEngine())),
    limits: settings,
  };
  const legacy = createLegacyEndpoint({
    version,
    clock,
    idleMs: settings.sessionIdleSeconds * 1000,
    perUser: settings.sessionsPerUser,
  });
  const live = await openLiveGateways({
    db,
    servers: store,
    liveDeps,
    onStop: (gone) => legacy.endAll(gone),
  });
  stack.use(live);
  const gateways = createGateways({ db, clock, live });
  const servers = createServers({ db, clock, store, outbound, live, stdioServers: settings.stdioServers });
  const discovery = createDiscovery({ db, clock, dial, timeoutMs: settings.callTimeoutMs });
  const attachments = createAttachments({ db, clock, store, gateways, servers, discovery, live });
  const serverRoutes = { db, servers, attachments, discovery, events };
  return {
    endpoint: { live, legacy, modern: createModernEndpoint(version) },
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
      ...serverHandlers(serverRoutes),
      ...attachmentHandlers(serverRoutes),
      ...oversightHandlers({ db, clock, gateways, approvals, live, events }),
    },
  };
}
