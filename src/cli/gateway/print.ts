/** Prints gateways, their state and their calls as text. */
import type { Received } from '#base/contract/operation.ts';
import type { attachmentOperations } from '#services/agent-gateway/contract/attachments.ts';
import type { gatewayOperations } from '#services/agent-gateway/contract/gateways.ts';
import type { oversightOperations } from '#services/agent-gateway/contract/oversight.ts';
import type { ClientSetup } from '#services/agent-gateway/contract/clients.ts';
import { plain } from '#base/log/plain.ts';
import type { Gateway } from './open.ts';

type Status = Received<(typeof gatewayOperations)['getGatewayStatus']>;
type Attached = Received<(typeof attachmentOperations)['attachServer']>;
type Call = Received<(typeof oversightOperations)['listCalls']>['calls'][number];

export function printGateways(gateways: readonly Gateway[]): void {
  if (gateways.length === 0) console.log('No gateways. `bulwark gateway create <name>` makes one.');
  for (const { id, name, guard_mode: mode, action_guard_policy_id: policy } of gateways)
    console.log(`${id}  ${plain(name)}  ${policy === null ? 'no action guard' : `${policy}, ${mode}`}`);
}

export function printAttached({
  mcp_server_id: id,
  tool_prefix: prefix,
  attached,
}: Pick<Attached, 'mcp_server_id' | 'tool_prefix'> & { attached: boolean }): void {
  if (attached)
    console.log(
      `${id} is attached; its tools are named ${prefix === '' ? 'as it names them' : `${prefix}…`}.`,
    );
}

export function printStatus(status: Status): void {
  const { uptime_seconds: uptime } = status;
  const since = uptime === null ? '' : ` for ${Math.round(uptime)} s, ${status.sessions} sessions`;
  console.log(`${plain(status.name)} is ${status.status}${since}.`);
  console.log(`endpoint  ${status.mcp_url}`);
  for (const problem of status.problems) console.log(`problem   ${plain(problem)}`);
  for (const server of status.servers) {
    const version = server.protocol_version === null ? '' : `  ${server.protocol_version}`;
    const error = server.error === null ? '' : `  ${plain(server.error)}`;
    console.log(`server    ${server.server_id}  ${plain(server.name)}  ${server.state}${version}${error}`);
  }
}

/** A call that was held for a person is none that was blocked. */
const outcomeOf = ({ outcome }: Call): string => (outcome === 'approval_denied' ? 'held, denied' : outcome);

export function printCalls(calls: readonly Call[], total: number): void {
  for (const call of calls.toReversed()) {
    const mark = call.allowed ? ' ' : '!';
    console.log(
      `${mark} ${call.timestamp}  ${outcomeOf(call).padEnd(15)}  ${plain(call.tool_name)}  ${plain(call.principal)}  ` +
        `${call.latency_ms.toFixed(1)} ms, guard ${call.guard_latency_ms.toFixed(1)} ms`,
    );
    if (call.reason !== '') console.log(`    ${plain(call.reason)}`);
  }
  if (total > calls.length) console.log(`${calls.length} of ${total}; --limit and --offset show others.`);
  if (total === 0) console.log('No calls.');
}

/** The text alone goes to standard output, so that it can be written to a file. */
export function printSetup({ name, place, text, note }: ClientSetup): void {
  process.stderr.write(`${name}: ${place}\n${note === undefined ? '' : `${note}\n`}\n`);
  console.log(text);
}
