/** The services of the house, a line each. */
import type { Alerts } from '#alerts/alerts.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import type { EffectiveSetting } from '#base/config/effective.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { PlatformContext } from '#base/context.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import type { GrpcServer } from '#base/grpc/server.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { sealedWebhooks } from '#base/events/webhooks/secrets.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { actionGuardMigrations, createActionGuard } from '#services/action-guard/service.ts';
import {
  agentGatewayMigrations,
  agentGatewaySealed,
  createAgentGateway,
} from '#services/agent-gateway/service.ts';
import { createMcpScan, mcpScanMigrations, mcpScanSealed } from '#services/mcp-scan/service.ts';
import { createModelScan, modelScanMigrations, modelScanSealed } from '#services/model-scan/service.ts';
import { createPolicyGuard, policyGuardMigrations } from '#services/policy-guard/service.ts';
import { createRedTeam, redTeamMigrations, redTeamSealed } from '#services/red-team/service.ts';
import { createShadowAi, shadowAiMigrations, shadowAiSealed } from '#services/shadow-ai/service.ts';
import {
  createVideoModeration,
  videoModerationMigrations,
  videoModerationSealed,
} from '#services/video-moderation/service.ts';
import { createFrontDoor } from './front-door/front-door.ts';
import type { sections, ServiceName } from './settings.ts';

export interface Service extends AsyncDisposable {
  readonly app: HttpApp;
  readonly grpc?: GrpcServer;
  /** Another server of the service, on a port of its own. */
  readonly second?: {
    readonly name: string;
    readonly app: HttpApp;
    readonly portKey: keyof PlatformConfig['port'];
  };
  /** A guard of the caller's to try things with. */
  firstGuard?(caller: Caller): Promise<string>;
}

interface ServiceContext extends PlatformContext {
  readonly config: ConfigOf<typeof sections>;
  readonly identity: Identity;
  /** Every setting of this process, without secrets. */
  readonly settings: readonly EffectiveSetting[];
  readonly engine: TextEngine;
  /** Operations that services of this process answer for each other. */
  readonly calls: ServiceCalls<Caller>;
  readonly alerts: Alerts;
  /** With the one sender of this process. */
  readonly webhooks: Webhooks;
  /** Undefined where none is configured. */
  readonly languageModel: LanguageModel | undefined;
  /** The services beside the dashboard that it leads to. */
  readonly serviceNames: readonly string[];
  /** Where a service listens, in this process or in another by the configured port. */
  readonly addressOf: (service: string) => string;
}

interface Entry {
  readonly portKey: keyof PlatformConfig['port'];
  /** Set for a service that speaks gRPC as well. */
  readonly grpcPortKey?: keyof PlatformConfig['port'];
  /** Undefined where it has no tables of its own. */
  readonly migrations?: MigrationSet;
  /** Its secrets at rest; undefined where it has none. */
  readonly sealed?: readonly SealedColumn[];
  readonly create: (context: ServiceContext) => Promise<Service>;
}

export const services: Readonly<Record<ServiceName, Entry>> = {
  'policy-guard': {
    portKey: 'policyGuard',
    grpcPortKey: 'policyGuardGrpc',
    migrations: policyGuardMigrations,
    create: createPolicyGuard,
  },
  'action-guard': {
    portKey: 'actionGuard',
    migrations: actionGuardMigrations,
    create: createActionGuard,
  },
  'agent-gateway': {
    portKey: 'agentGateway',
    migrations: agentGatewayMigrations,
    sealed: agentGatewaySealed,
    create: createAgentGateway,
  },
  'shadow-ai': {
    portKey: 'shadowAi',
    migrations: shadowAiMigrations,
    sealed: shadowAiSealed,
    create: createShadowAi,
  },
  'mcp-scan': {
    portKey: 'mcpScan',
    migrations: mcpScanMigrations,
    sealed: mcpScanSealed,
    create: createMcpScan,
  },
  'video-moderation': {
    portKey: 'videoModeration',
    grpcPortKey: 'videoModerationGrpc',
    migrations: videoModerationMigrations,
    sealed: videoModerationSealed,
    create: createVideoModeration,
  },
  'model-scan': {
    portKey: 'modelScan',
    migrations: modelScanMigrations,
    sealed: modelScanSealed,
    create: createModelScan,
  },
  'red-team': {
    portKey: 'redTeam',
    migrations: redTeamMigrations,
    sealed: redTeamSealed,
    create: createRedTeam,
  },
  dashboard: { portKey: 'dashboard', create: createFrontDoor },
};

/** All secrets at rest, of services that run in other processes too. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedWebhooks,
  ...Object.values(services).flatMap(({ sealed = [] }) => sealed),
];
