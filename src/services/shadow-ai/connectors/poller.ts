import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict } from '#base/errors.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Ingest } from '../telemetry/ingest.ts';
import { type Incoming, readRow, RowProblem } from '../telemetry/read-row.ts';
import { findSecrets } from './connectors.ts';
import { readSettings } from './credentials.ts';
import { hunt } from './edr-a.ts';
import { advance, type Connector, endPoll, leaseDueConnector, makeDue } from './store.ts';

const jobName = 'shadow-ai-poll';
/** How often due connectors are looked for. */
const tickSeconds = 10;
/** A process that died gives its connector free after so long. */
const leaseMs = 15 * 60_000;
/** The first poll looks back so far. */
const firstMs = 86_400_000;
/** Watermarks move in steps of at most so long, so that a crash costs little. */
const stepMs = 3_600_000;
const batchRows = 1000;

interface Deps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly vault: Vault;
  readonly ingest: Ingest;
}

/** Polls the connectors of all tenants, each when it is due, by one process at a time. */
export async function openPoller(deps: Deps): Promise<{ pollNow(configId: string): Promise<void> }> {
  const { db, jobs, clock } = deps;
  await jobs.define(jobName, { timeoutSeconds: 3600, retries: 0 }, async ({ signal }) => {
    while (!signal.aborted) {
      const connector = await leaseDueConnector(db, new Date(clock.now()), leaseMs);
      if (connector === undefined) return;
      await poll(deps, connector, signal);
    }
  });
  await jobs.schedule(jobName, { everySeconds: tickSeconds });
  return {
    async pollNow(configId) {
      await makeDue(db, configId, new Date(clock.now()));
      await jobs.send(jobName, {});
    },
  };
}

async function poll(deps: Deps, connector: Connector, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  let error: string | undefined;
  let waitMs = intervalOf(connector);
  try {
    const refused = await takeIn(deps, connector, signal);
    if (refused > 0)
      error = `${refused} rows were not understood and left out; the form of the source may have changed.`;
  } catch (cause) {
    error = cause instanceof AppError ? cause.detail : 'The poll failed; the log has more.';
    if (cause instanceof AppError)
      waitMs = Math.max(waitMs, Number(cause.headers['retry-after'] ?? 0) * 1000 || 0);
    log.warn(
      { err: cause, config_id: connector.configId, tenant_id: connector.tenantId },
      'polling a connector failed',
    );
  }
  const at = new Date(clock.now());
  await endPoll(db, connector.configId, { at, dueAt: new Date(at.getTime() + waitMs), error });
}

function intervalOf({ settings }: Connector): number {
  try {
    return readSettings(settings).pollIntervalSeconds * 1000;
  } catch {
    return 60_000;
  }
}

/** From the watermark, less the overlap for what arrives late, until now. @returns how many rows were not understood */
async function takeIn(deps: Deps, connector: Connector, signal: AbortSignal): Promise<number> {
  const { db, clock, outbound, vault, ingest } = deps;
  const settings = readSettings(connector.settings);
  const secrets = findSecrets(vault, connector);
  if (secrets === undefined)
    throw conflict('The credentials cannot be decrypted with the key of this deployment; enter them again.');
  const access = {
    outbound,
    fields: connector.fields,
    secrets,
    settings,
    signal,
  };
  const to = { tenantId: connector.tenantId, connectorId: `${connector.kind}:${connector.configId}` };
  const endMs = clock.now();
  let refused = 0;
  const overlapMs = settings.overlapSeconds * 1000;
  let fromMs = connector.watermark === null ? endMs - firstMs : connector.watermark.getTime() - overlapMs;
  while (fromMs < endMs) {
    const untilMs = Math.min(fromMs + stepMs + overlapMs, endMs);
    let events = 0;
    for await (const rows of hunt(access, new Date(fromMs), new Date(untilMs))) {
      const read = readAll(rows, clock.now());
      refused += rows.length - read.length;
      for (let i = 0; i < read.length; i += batchRows) await ingest.ingest(read.slice(i, i + batchRows), to);
      events += read.length;
    }
    await advance(db, connector.configId, new Date(untilMs), events);
    fromMs = untilMs;
  }
  return refused;
}

const readAll = (rows: readonly object[], nowMs: number): Incoming[] =>
  rows.flatMap((row) => {
    try {
      return [readRow(row, nowMs)];
    } catch (error) {
      if (error instanceof RowProblem) return [];
      throw error;
    }
  });
