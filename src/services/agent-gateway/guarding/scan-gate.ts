/** Asks the MCP scan about a server before it is attached to a gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Elsewhere, ServiceCalls } from '#base/contract/calls.ts';
import type { Received } from '#base/contract/operation.ts';
import { AppError, conflict } from '#base/errors.ts';
import { isAtLeast, severities, type Severity } from '#findings/severity.ts';
import type { Caller } from '#identity/caller.ts';
import { createOperations } from '#services/mcp-scan/contract/create.ts';
import { scanOperations } from '#services/mcp-scan/contract/scans.ts';
import type { ScanGate } from '../registry/gateways/gateway.ts';
import type { McpServer } from '../registry/servers/server.ts';

export interface ScanGateDeps {
  readonly calls: ServiceCalls<Caller>;
  /** URL of the MCP scan if it runs in another process. */
  readonly baseUrl: string;
  readonly tokenFor: (caller: Caller) => Promise<string>;
  /** How long an attachment waits for a scan. */
  readonly timeoutMs: number;
}

/** What the gate says of a server that it lets pass. */
export interface Gated {
  readonly scanId: number | null;
  readonly outcome: 'passed' | 'warned';
  /** Why it warns; null where it does not. */
  readonly message: string | null;
}

type ScanSummary = NonNullable<Received<typeof scanOperations.findScanOfServer>['scan']>;

const pollMs = 250;
const callTimeoutMs = 20_000;

/** What is wrong with a server, in a sentence; undefined where nothing is. */
type Verdict = { readonly scanId: number | null; readonly problem: string | undefined };

const definitionOf = ({ transport, connectionUrl, command, args, env }: McpServer) =>
  connectionUrl === null
    ? { command: command ?? '', args: [...args], env }
    : { url: connectionUrl, transport };

function countsOf({ severities: counts }: ScanSummary, level: Severity): string {
  const over = severities.filter((each) => isAtLeast(each, level) && (counts[each] ?? 0) > 0);
  return over.map((each) => `${counts[each]} ${each}`).join(', ');
}

function judge(scan: ScanSummary, level: Severity): Verdict {
  const { id: scanId, status, error_message: error } = scan;
  if (status === 'completed') {
    const counts = countsOf(scan, level);
    return { scanId, problem: counts === '' ? undefined : `Scan ${scanId} has found ${counts}` };
  }
  if (status === 'failed')
    return { scanId, problem: `Scan ${scanId} of it has failed: ${error ?? 'no reason was given.'}` };
  if (status === 'needs_auth')
    return {
      scanId,
      problem: `Scan ${scanId} waits for an access token, which POST /scan/${scanId}/authenticate of the MCP scan takes`,
    };
  return { scanId, problem: `Scan ${scanId} of it has not ended yet; attach the server again when it has` };
}

export class ScanGates {
  readonly #deps: ScanGateDeps;

  constructor(deps: ScanGateDeps) {
    this.#deps = deps;
  }

  /**
   * The newest scan of the server decides; where there is none, or it has failed, one is made.
   * @returns null where the gate is off
   * @throws AppError 409 where the mode is `block` and the server is not known to be better than the level; 503 where it
   * cannot be asked
   */
  async check(caller: Caller, { mode, level }: ScanGate, server: McpServer): Promise<Gated | null> {
    if (mode === 'off') return null;
    const { scanId, problem } = await this.#verdict(caller, server, level, mode === 'block');
    if (problem === undefined) return { scanId, outcome: 'passed', message: null };
    if (mode === 'block')
      throw conflict(
        `The server ${server.name} was not attached: this gateway lets no server pass with findings from the severity ${level} on (scan_gate). ${problem}${/[.!?]$/.test(problem) ? '' : '.'}`,
      );
    return { scanId, outcome: 'warned', message: problem };
  }

  async #verdict(caller: Caller, server: McpServer, level: Severity, isStrict: boolean): Promise<Verdict> {
    try {
      return judge(await this.#scanOf(caller, server), level);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isStrict && error.status >= 500)
        throw new AppError(
          503,
          'scan_unavailable',
          `The server ${server.name} was not attached: it must be scanned first (scan_gate), and the MCP scan does not answer. Try again later.`,
          { cause: error },
        );
      return { scanId: null, problem: `It could not be scanned: ${error.message}` };
    }
  }

  get #elsewhere(): Elsewhere<Caller> {
    const { baseUrl, tokenFor } = this.#deps;
    return { baseUrl, tokenFor, timeoutMs: callTimeoutMs };
  }

  async #find(caller: Caller, server: McpServer): Promise<ScanSummary | null> {
    const body = { server_config: definitionOf(server) };
    const { calls } = this.#deps;
    return (await calls.call(scanOperations.findScanOfServer, caller, { body }, this.#elsewhere)).scan;
  }

  async #scanOf(caller: Caller, server: McpServer): Promise<ScanSummary> {
    const known = await this.#find(caller, server);
    if (known?.status === 'completed' || known?.status === 'needs_auth') return known;
    const scanId = known === null || known.status === 'failed' ? await this.#start(caller, server) : known.id;
    await this.#ended(caller, scanId);
    const scan = await this.#find(caller, server);
    if (scan === null) throw conflict(`Scan ${scanId} of it was deleted.`);
    return scan;
  }

  async #start(caller: Caller, server: McpServer): Promise<number> {
    const { calls } = this.#deps;
    const mcpServers = { [server.name.slice(0, 200)]: definitionOf(server) };
    // They are encrypted here, and in no file.
    const body = { mcpServers, secrets_are_kept: true };
    const { scans, failed_repos: failed } = await calls.call(
      createOperations.processConfig,
      caller,
      { body },
      this.#elsewhere,
    );
    const [scan] = scans;
    if (scan === undefined) throw conflict(failed[0]?.error ?? 'The MCP scan refused it.');
    return scan.scan_id;
  }

  /** Returns when the scan has ended, waits for a token, or the time is up. */
  async #ended(caller: Caller, scanId: number): Promise<void> {
    const { calls, timeoutMs } = this.#deps;
    const endAt = performance.now() + timeoutMs;
    const input = { params: { scan_id: scanId } };
    while (performance.now() < endAt) {
      const { status } = await calls.call(scanOperations.getScanStatus, caller, input, this.#elsewhere);
      if (status !== 'pending' && status !== 'processing') return;
      await sleep(pollMs);
    }
  }
}
