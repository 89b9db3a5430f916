import type { RequestFacts } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';

type Change =
  | `gateway_${'created' | 'updated' | 'deleted' | 'started' | 'stopped'}`
  | `mcp_server_${'registered' | 'updated' | 'deleted' | 'attached' | 'detached' | 'disconnected'}`
  | 'tool_change_approved'
  | 'approval_decided'
  | 'oauth_client_removed'
  | 'oauth_consent_ended';

interface ChangeFacts {
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly details: Readonly<Record<string, string>>;
}

/** The metrics and log fields of a call. */
interface EndedCall {
  readonly method: string;
  readonly outcome: string;
  readonly allowed: boolean;
  readonly gatewayId: string;
  readonly toolName: string;
  readonly reason: string;
  readonly principal: string;
}

/** Logging and metrics of the service, one function per event. */
export interface AgentGatewayEvents {
  /** A change of gateways or servers by a user. */
  changed(event: Change, facts: ChangeFacts): Promise<void>;
  /** A call has ended, with any outcome. */
  called(call: EndedCall): void;
  /** A tool's definition differs from its pin. */
  toolChanged(gatewayId: string, serverId: string, toolName: string): void;
  /** Instructions were found in a tool's output. */
  outputFlagged(gatewayId: string, toolName: string, reason: string): void;
  serverFailed(gatewayId: string, serverId: string, error: Error): void;
  /** A call failed with an internal error. */
  failedCall(gatewayId: string, method: string, error: unknown): void;
  serverNoise(gatewayId: string, serverId: string, line: string): void;
  /** A user consented, and the gateway has an authorization at the server. */
  authorized(serverId: string, userId: string): void;
  /** The authorization server of an MCP server refused to renew a token. */
  grantLost(serverId: string, error: Error): void;
}

export function createEvents(
  log: Logger,
  metrics: Metrics | undefined,
  audit: Identity['audit'],
): AgentGatewayEvents {
  const calls = metrics?.counter({
    name: 'bulwark_gateway_calls_total',
    help: 'Calls through gateways.',
    labelNames: ['method', 'outcome'],
  });
  const changes = metrics?.counter({
    name: 'bulwark_gateway_tool_changes_total',
    help: 'Tools that changed after they were first seen.',
    labelNames: [],
  });
  const flagged = metrics?.counter({
    name: 'bulwark_gateway_outputs_flagged_total',
    help: 'Answers of tools that carried instructions.',
    labelNames: [],
  });
  const failures = metrics?.counter({
    name: 'bulwark_gateway_server_failures_total',
    help: 'Connections to MCP servers that failed.',
    labelNames: [],
  });
  return {
    changed: (event, { caller, request, details }) =>
      audit({ event, caller, request, details: { ...details } }),
    called({ method, outcome, allowed, gatewayId, toolName, reason, principal }) {
      calls?.inc({ method, outcome });
      if (!allowed)
        log.info(
          { gateway_id: gatewayId, tool: toolName.slice(0, 200), outcome, reason, principal },
          'call refused',
        );
    },
    toolChanged(gatewayId, serverId, toolName) {
      changes?.inc();
      log.warn(
        { gateway_id: gatewayId, server_id: serverId, tool: toolName.slice(0, 200) },
        'a tool has changed',
      );
    },
    outputFlagged(gatewayId, toolName, reason) {
      flagged?.inc();
      log.warn(
        { gateway_id: gatewayId, tool: toolName.slice(0, 200), reason },
        'a tool’s answer carries instructions',
      );
    },
    serverFailed(gatewayId, serverId, error) {
      failures?.inc();
      log.warn({ gateway_id: gatewayId, server_id: serverId, err: error }, 'an MCP server is not available');
    },
    failedCall(gatewayId, method, error) {
      log.error({ gateway_id: gatewayId, method, err: error }, 'a call failed');
    },
    authorized(serverId, userId) {
      log.info({ server_id: serverId, user_id: userId }, 'an MCP server was connected');
    },
    grantLost(serverId, error) {
      log.warn({ server_id: serverId, err: error }, 'an authorization server refused to renew a token');
    },
    serverNoise(gatewayId, serverId, line) {
      log.debug({ gateway_id: gatewayId, server_id: serverId, line }, 'output of an MCP server');
    },
  };
}
