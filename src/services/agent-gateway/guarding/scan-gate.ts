/** Asks the MCP scan about a server before it is attached to a gateway. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
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
  readonly clock: Clock;
}

/** What the gate says of a server that it lets pass. */
export interface Gated {
  readonly scanId: number | null;
  readonly outcome: 'passed' | 'warned';
  /** Why it warns; null where it does not. */
  readonly message: string | null;
}

type Known = Received<typeof scanOperations.findScanOfServer>;
type ScanSummary = NonNullable<Known['scan']>;

const pollMs = 250;
const callTimeoutMs = 20_000;

/** What is known of a server, in sentences. */
interface Verdict {
  readonly scanId: number | null;
  /** What is wrong with it; undefined where nothing is. */
  readonly problem?: string;
  /** What is to be known where nothing is wrong, such as that the verdict is an old one. */
  readonly caution?: string;
}

const definitionOf = ({ transport, connectionUrl, command, args, env }: McpServer) =>
  connectionUrl === null
    ? { command: command ?? '', args: [...args], env }
    : { url: connectionUrl, transport };

function countsOf({ severities: counts }: ScanSummary, level: Severity): string {
  const over = severities.filter((each) => isAtLeast(each, level) && (counts[each] ?? 0) > 0);
  return over.map((each) => `${counts[each]} ${each}`).join(', ');
}

const dayMs = 24 * 60 * 60 * 1000;

/** When a scan was made, and how long ago. */
function ageOf({ finished_at: at, upload_time: asked }: ScanSummary, now: number): string {
  const time = new Date(at ?? asked);
  const days = Math.floor((now - time.getTime()) / dayMs);
  const ago = days < 1 ? 'less than a day ago' : days === 1 ? 'a day ago' : `${days} days ago`;
  return `of ${time.toISOString().slice(0, 10)}, ${ago}`;
}

function unfinished({ id, status, error_message: error }: ScanSummary): string {
  if (status === 'failed') return `Scan ${id} of it has failed: ${error ?? 'no reason was given.'}`;
  if (status === 'needs_auth')
    return `Scan ${id} waits for an access token, which POST /scan/${id}/authenticate of the MCP scan takes`;
  return `Scan ${id} of it has not ended yet; attach the server again when it has`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A try that was not completed says nothing of the server: the scan before it decides, and both are told. */
function judge(
  { scan, newer }: { scan: ScanSummary; newer: ScanSummary | null },
  level: Severity,
  now: number,
): Verdict {
  const { id: scanId } = scan;
  if (scan.status !== 'completed') return { scanId, problem: unfinished(scan) };
  const counts = countsOf(scan, level);
  const found = counts === '' ? 'nothing of that severity' : counts;
  const said = `Scan ${scanId} has found ${found} (it is ${ageOf(scan, now)})`;
  const told =
    newer === null
      ? said
      : `${sentence(said)} It is the newest that was completed. ${sentence(unfinished(newer))}`;
  if (counts !== '') return { scanId, problem: told };
  return newer === null ? { scanId } : { scanId, caution: told };
}

export class ScanGates {
  readonly #deps: ScanGateDeps;

  constructor(deps: ScanGateDeps) {
    this.#deps = deps;
  }

  /**
   * The newest completed scan of the server decides; where there is none, one is made.
   * @returns null where the gate is off
   * @throws AppError 409 where the mode is `block` and the server is not known to be better than the level; 503 where it
   * cannot be asked
   */
  async check(caller: Caller, { mode, level }: ScanGate, server: McpServer): Promise<Gated | null> {
    if (mode === 'off') return null;
    const { scanId, problem, caution } = await this.#verdict(caller, server, level, mode === 'block');
    if (problem === undefined)
      return caution === undefined
        ? { scanId, outcome: 'passed', message: null }
        : { scanId, outcome: 'warned', message: caution };
    if (mode === 'block')
      throw conflict(
        `The server ${server.name} was not attached: this gateway lets no server pass with findings from the severity ${level} on (scan_gate). ${sentence(problem)}`,
      );
    return { scanId, outcome: 'warned', message: problem };
  }

  async #verdict(caller: Caller, server: McpServer, level: Severity, isStrict: boolean): Promise<Verdict> {
    try {
      return judge(await this.#scanOf(caller, server), level, this.#deps.clock.now());
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

  async #find(caller: Caller, server: McpServer): Promise<Known> {
    const body = { server_config: definitionOf(server) };
    const { calls } = this.#deps;
    return calls.call(scanOperations.findScanOfServer, caller, { body }, this.#elsewhere);
  }

  async #scanOf(
    caller: Caller,
    server: McpServer,
  ): Promise<{ scan: ScanSummary; newer: ScanSummary | null }> {
    const known = await this.#find(caller, server);
    const newest = known.newer ?? known.scan;
    const isRunning = newest?.status === 'pending' || newest?.status === 'processing';
    if (!isRunning && known.scan !== null && known.scan.status !== 'failed')
      return { scan: known.scan, newer: known.newer };
    const scanId = isRunning ? newest.id : await this.#start(caller, server);
    await this.#ended(caller, scanId);
    const { scan, newer } = await this.#find(caller, server);
    if (scan === null) throw conflict(`Scan ${scanId} of it was deleted.`);
    return { scan, newer };
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
