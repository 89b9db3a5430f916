import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';

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

/** The counters of the service; none of them exists where metrics are off. */
const countersIn = (metrics: Metrics | undefined) => ({
  calls: metrics?.counter({
    name: 'bulwark_gateway_calls_total',
    help: 'Calls through gateways.',
    labelNames: ['method', 'outcome'],
  }),
  changes: metrics?.counter({
    name: 'bulwark_gateway_tool_changes_total',
    help: 'Tools that changed after they were first seen.',
    labelNames: [],
  }),
  described: metrics?.counter({
    name: 'bulwark_gateway_descriptions_flagged_total',
    help: 'Descriptions of tools, prompts and resources that speak to the model.',
    labelNames: [],
  }),
  flagged: metrics?.counter({
    name: 'bulwark_gateway_outputs_flagged_total',
    help: 'Answers of tools that carried instructions.',
    labelNames: [],
  }),
  failures: metrics?.counter({
    name: 'bulwark_gateway_server_failures_total',
    help: 'Connections to MCP servers that failed.',
    labelNames: [],
  }),
});

/** Logging and metrics of the service, one method per event. */
export class AgentGatewayEvents {
  readonly #log: Logger;
  readonly #counters: ReturnType<typeof countersIn>;
  readonly #waits: (gatewayId: string) => void;

  /** @param waits called when something at a gateway waits for a decision */
  constructor(
    log: Logger,
    metrics: Metrics | undefined,
    waits: (gatewayId: string) => void = () => undefined,
  ) {
    this.#log = log;
    this.#counters = countersIn(metrics);
    this.#waits = waits;
  }

  /** A call has ended, with any outcome. */
  called({ method, outcome, allowed, gatewayId, toolName, reason, principal }: EndedCall): void {
    this.#counters.calls?.inc({ method, outcome });
    if (allowed) return;
    const fields = { gateway_id: gatewayId, tool: shortened(toolName), outcome, reason, principal };
    this.#log.info(fields, 'call refused');
  }

  /** A tool's definition differs from its pin. */
  toolChanged(gatewayId: string, serverId: string, toolName: string): void {
    this.#counters.changes?.inc();
    this.#waits(gatewayId);
    const fields = { gateway_id: gatewayId, server_id: serverId, tool: shortened(toolName) };
    this.#log.warn(fields, 'a tool has changed');
  }

  /** A definition speaks to the model behind its user's back. */
  descriptionFlagged(gatewayId: string, serverId: string, name: string, reason: string): void {
    this.#counters.described?.inc();
    this.#waits(gatewayId);
    const fields = { gateway_id: gatewayId, server_id: serverId, tool: shortened(name), reason };
    this.#log.warn(fields, 'the description of a tool speaks to the model');
  }

  /** Instructions were found in a tool's output. */
  outputFlagged(gatewayId: string, toolName: string, reason: string): void {
    this.#counters.flagged?.inc();
    const fields = { gateway_id: gatewayId, tool: shortened(toolName), reason };
    this.#log.warn(fields, 'a tool’s answer carries instructions');
  }

  serverFailed(gatewayId: string, serverId: string, error: Error): void {
    this.#counters.failures?.inc();
    const fields = { gateway_id: gatewayId, server_id: serverId, err: error };
    this.#log.warn(fields, 'an MCP server is not available');
  }

  /** A call failed with an internal error. */
  failedCall(gatewayId: string, method: string, error: unknown): void {
    this.#log.error({ gateway_id: gatewayId, method, err: error }, 'a call failed');
  }

  serverNoise(gatewayId: string, serverId: string, line: string): void {
    this.#log.debug({ gateway_id: gatewayId, server_id: serverId, line }, 'output of an MCP server');
  }

  /** A user consented, and the gateway has an authorization at the server. */
  authorized(serverId: string, userId: string): void {
    this.#log.info({ server_id: serverId, user_id: userId }, 'an MCP server was connected');
  }

  /** The authorization server of an MCP server refused to renew a token. */
  grantLost(serverId: string, error: Error): void {
    const fields = { server_id: serverId, err: error };
    this.#log.warn(fields, 'an authorization server refused to renew a token');
  }
}

/** Servers choose the names of their tools. */
const shortened = (toolName: string) => toolName.slice(0, 200);
