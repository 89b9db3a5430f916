import { join } from 'node:path';
import { readEnv } from '#base/config/read-env.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import { refuseOtherMethods } from '#base/http/mount.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { openOutbound, type Outbound } from '#base/net/outbound.ts';
import { sealingSecret } from '#base/secrets/shared-keys.ts';
import { openVault } from '#base/secrets/vault.ts';
import { oauthFetch } from '#mcp/oauth/http.ts';
import { loadTextEngine, type TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import { openPresence } from '#identity/presence.ts';
import { accessHandlers } from './management/access/routes.ts';
import { addressOf, advertisedAddress } from './address.ts';
import { openApprovals } from './guarding/approvals/approvals.ts';
import { deleteApprovalsBefore } from './guarding/approvals/store.ts';
import { openCallLog } from './audit/open-call-log.ts';
import { oversightHandlers } from './management/oversight/routes.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import type { agentGatewaySections } from './config.ts';
import { accessOperations } from './contract/access.ts';
import { setUserOperations } from '#services/action-guard/contract/set-users.ts';
import { gatewayOperations } from './contract/gateways.ts';
import { protocolOperations } from './contract/mcp.ts';
import { oauthOperations } from './contract/oauth.ts';
import { healthOperations } from './contract/health.ts';
import { oversightOperations } from './contract/oversight.ts';
import { attachmentOperations } from './contract/attachments.ts';
import { grantOperations } from './contract/grants.ts';
import { serverOperations } from './contract/servers.ts';
import { addPublicKeys } from './assertions/routes.ts';
import { createAuthenticateClient } from './endpoint/authenticate.ts';
import { LegacyEndpoint } from './endpoint/legacy.ts';
import type { LiveDeps } from './endpoint/live-gateway.ts';
import { openLiveGateways } from './endpoint/live-gateways.ts';
import { ModernEndpoint } from './endpoint/modern.ts';
import { originCheck } from './endpoint/origin.ts';
import { openPeers } from './endpoint/peers.ts';
import { addEndpoint } from './endpoint/routes.ts';
import { AgentGatewayEvents } from './events.ts';
import { createGatewayNotices } from './gateway-notices.ts';
import { followUsers } from './follow-users.ts';
import { openGateways, setUserHandlers } from './management/gateways/open-gateways.ts';
import { gatewayHandlers } from './management/gateways/routes.ts';
import { openGrants } from './grants/open-grants.ts';
import { addCallback, grantHandlers } from './grants/routes.ts';
import { createAskActionGuard, createApprovalsAtGuard } from './guarding/action-guard.ts';
import { ScanGates } from './guarding/scan-gate.ts';
import { createOutputCheck } from './guarding/output-check.ts';
import { Attachments } from './management/servers/attachments.ts';
import { createDiscovery } from './management/servers/discovery.ts';
import { attachmentHandlers, serverHandlers } from './management/servers/routes.ts';
import { Servers } from './registry/servers/servers.ts';
import { managementHandlers } from './oauth/management.ts';
import { openOAuth } from './oauth/open-oauth.ts';
import { openOnBehalf } from './on-behalf/open-on-behalf.ts';
import { createDial } from './upstreams/dial.ts';

/** The tables of this service. */
export const agentGatewayMigrations: MigrationSet = {
  schema: 'agent_gateway',
  folder: join(import.meta.dirname, 'migrations'),
};

export { agentGatewaySealed } from './sealed-columns.ts';

export interface AgentGatewayContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof agentGatewaySections>;
  /** Other services that run in this process. */
  readonly calls: ServiceCalls<Caller>;
  /** Created here unless another service already has. */
  readonly engine?: TextEngine;
}

export type AgentGateway = RunningService;

/** Maximum concurrent requests to one server, over all gateways; more wait. */
const maxCalls = 1024;

const operations = {
  ...gatewayOperations,
  ...setUserOperations,
  ...accessOperations,
  ...attachmentOperations,
  ...serverOperations,
  ...grantOperations,
  ...oversightOperations,
  ...oauthOperations,
};

const info = {
  name: 'agent_gateway',
  title: 'Bulwark agent gateway',
  description:
    'One guarded MCP endpoint in front of many MCP servers. A gateway’s endpoint, `/api/gateways/{gateway_id}/mcp`, ' +
    'supports the Model Context Protocol from 2024-11-05 to 2026-07-28. Each gateway has an OAuth authorization ' +
    'server below that path, which clients discover. Gateways and servers are private or shared with their tenant; ' +
    'only their owner and administrators can change them. Ids of other tenants return 404.',
  apiKeys: false,
  takesFiles: false,
};

/** Opens the agent gateway. Its migrations and those of identity must have run. Dispose it before the database. */
export async function createAgentGateway(ctx: AgentGatewayContext): Promise<AgentGateway> {
  const { config, identity } = ctx;
  await using service = openService(ctx, info);
  const { app, log } = service;
  const checkOrigin = originCheck(config.host, config.agentGateway.publicUrl);
  app.addHook('onRequest', (request, _reply, done) => {
    checkOrigin(request.headers);
    done();
  });
  const { port, base } = addressOf(app, config);
  const outbound = service.own(openOutbound({ ...config, connections: maxCalls }));
  const features = await createFeatures({ ...ctx, log }, { service, outbound, port, base });

  service.add(operations, features.handlers);
  service.add(healthOperations, {
    getHealth: () => ({ status: 'ok' as const, version: ctx.version, environment: config.environment }),
  });
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
    count(caller) {
      const counting = service.counted(caller);
      return counting instanceof Promise ? counting : undefined;
    },
  });
  oauth.addRoutes(app);
  refuseOtherMethods(app, protocolOperations);
  service.describe(protocolOperations);
  // The embedded database is used by one process only.
  if (ctx.db.kind === 'postgres')
    app.addHook('onListen', () => features.endpoint.peers.begin(advertisedAddress(config, port())));
  // Open streams would keep the HTTP server from closing, so gateways are stopped first.
  app.addHook('preClose', () => features.stopAll());
  return service.open();
}

interface Surroundings {
  readonly service: OpenService;
  readonly outbound: Outbound;
  readonly port: () => number;
  readonly base: () => string;
}

/** Creates everything behind the routes. */
async function createFeatures(ctx: AgentGatewayContext, { service, outbound, port, base }: Surroundings) {
  const { config, db, jobs, clock, log, identity, version } = ctx;
  const settings = config.agentGateway;
  const { audit, userNames } = identity;
  const notices = createGatewayNotices({ db, log, changes: ctx.changes });
  const events = new AgentGatewayEvents(log, service.metrics, notices.decides);
  const vault = await openVault(config);
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
  const oauth = service.own(await openOAuth({ ...ctx, vault, outbound, base, settings }));
  const callLog = service.own(
    await openCallLog(ctx, {
      days: settings.callRetentionDays,
      metrics: service.metrics,
      written: notices.called,
    }),
  );
  await scheduleRetention({
    jobName: 'agent-gateway-approval-retention',
    days: settings.callRetentionDays,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteApprovalsBefore(db, moment, limit),
  });
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
  const failing = (what: string) => (error: unknown) => events.failedCall('', what, error);
  const peers = service.own(
    openPeers({
      db,
      clock,
      secret: await sealingSecret(config),
      onError: failing('peers'),
    }),
  );
  const approvals = service.own(
    await openApprovals({
      db,
      clock,
      timeoutMs: settings.approvalTimeoutMs,
      processId: peers.processId,
      onError: failing('approvals'),
      atGuard: createApprovalsAtGuard(actionGuard),
      onChanged: notices.decides,
    }),
  );
  const liveDeps: Omit<LiveDeps, 'announce'> = {
    db,
    clock,
    dial,
    events,
    approvals,
    callLog,
    count: ctx.alerts?.count,
    askActionGuard: createAskActionGuard(actionGuard),
    checkOutput: createOutputCheck(ctx.engine ?? (await loadTextEngine())),
    tracing: ctx.tracing,
    rateLimits: service.rateLimits,
    signIn: { patienceMs: settings.approvalTimeoutMs, consent: grants.consent },
    limits: settings,
  };
  const presence = service.own(openPresence({ clock, identity, onError: failing('presence') }));
  service.own(
    oauth.grants.onEnded((grantId) => presence.endThose(({ oauth: grant }) => grant?.grantId === grantId)),
  );
  const legacy = new LegacyEndpoint({
    newSessionId: () => peers.newSessionId(),
    version,
    clock,
    idleMs: settings.sessionIdleSeconds * 1000,
    perUser: settings.sessionsPerUser,
    presence,
  });
  const live = service.own(
    await openLiveGateways({ db, vault, liveDeps, onStop: (gone) => legacy.endAll(gone) }),
  );
  const stored = { db, clock, audit };
  const gateways = openGateways({ ...stored, live }, actionGuard, ctx.calls, ctx.alerts);
  const servers = new Servers({
    ...stored,
    vault,
    outbound,
    live,
    forgetGrant: grants.forget,
    stdioServers: settings.stdioServers,
  });
  const callback = grants.callback(servers, (serverId, userId) => live.userGrantChanged(serverId, userId));
  service.own(followUsers({ identity, events, exchange, consents: oauth.grants, signIn: callback.signIn }));
  const discovery = createDiscovery({
    db,
    clock,
    dial,
    timeoutMs: settings.callTimeoutMs,
    onFound: (serverId) => live.listsChanged(serverId),
  });
  const scanGates = new ScanGates({
    calls: ctx.calls,
    baseUrl: settings.mcpScanUrl ?? `http://127.0.0.1:${config.port.mcpScan}`,
    tokenFor: (caller) => identity.tokenFor(caller),
    timeoutMs: settings.scanGateTimeoutMs,
    clock: stored.clock,
  });
  const attachments = new Attachments({ ...stored, vault, gateways, servers, discovery, live, scanGates });
  const serverRoutes = { db, servers, attachments, discovery, signIn: callback.signIn, userNames };
  return {
    endpoint: {
      live,
      legacy,
      peers,
      modern: new ModernEndpoint(version, presence, () => peers.newSessionId()),
    },
    assertions,
    callback,
    oauth,
    stopAll: () => live.stopAll(config.shutdown.timeoutMs),
    handlers: {
      ...gatewayHandlers({
        gateways,
        live,
        vault,
        db,
        clock,
        userNames,
        sessionsOf: (running) => legacy.count(running),
        mcpUrl: (gatewayId) => `${base()}/api/gateways/${gatewayId}/mcp`,
        port,
      }),
      ...setUserHandlers(gateways),
      ...accessHandlers({ db, vault, gateways, userNames }),
      ...serverHandlers(serverRoutes),
      ...attachmentHandlers(serverRoutes),
      ...grantHandlers({ ...callback, userNames }),
      ...oversightHandlers({ db, clock, gateways, approvals, callLog, live, audit, userNames }),
      ...managementHandlers({ db, clock, gateways, grants: oauth.grants, audit, userNames }),
    },
  };
}
