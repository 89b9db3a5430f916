import { randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict } from '#base/errors.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Ingest } from '../telemetry/ingest.ts';
import { Intake } from '../telemetry/intake.ts';
import { readSettings } from './credentials.ts';
import { findSecrets } from './secrets.ts';
import { sourceKinds } from './sources/kinds.ts';
import type { Access } from './sources/source.ts';
import { type Connector, getConnector } from './store.ts';
import {
  endPoll,
  leaseDueStream,
  type LeasedStream,
  makeDue,
  noteClockSkew,
  renewLease,
} from './stream-store.ts';
import { LeaseLost, readStream } from './read-stream.ts';

const jobName = 'shadow-ai-poll';
/** How often due streams are looked for. */
const tickSeconds = 10;
/** A process that died gives its streams free after so long; one that lives renews its leases. */
const leaseMs = 60_000;
const renewMs = 15_000;
/** Streams that a process reads at a time. */
const atOnce = 4;
/** After a failure it waits longer and longer, up to so long. */
const longestWaitMs = 15 * 60_000;

export interface PollerDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly vault: Vault;
  readonly ingest: Ingest;
  readonly apiHosts: readonly string[];
}

/** Polls the streams of all connectors, each when it is due, by one process at a time. */
export async function openPoller(deps: PollerDeps): Promise<{ pollNow(configId: string): Promise<void> }> {
  const { db, jobs, clock } = deps;
  await jobs.define(jobName, { timeoutSeconds: 3600, retries: 0 }, async ({ signal }) => {
    const work = async () => {
      while (!signal.aborted) {
        const lease = { leaseId: randomUUID(), now: new Date(clock.now()), leaseMs };
        const stream = await leaseDueStream(db, lease);
        if (stream === undefined) return;
        await poll(deps, stream, signal);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  });
  await jobs.schedule(jobName, { everySeconds: tickSeconds });
  return {
    async pollNow(configId) {
      await makeDue(db, configId, new Date(clock.now()));
      await jobs.send(jobName, {});
    },
  };
}

/** Failures in a row of each stream in this process, for the waits between them. */
const failures = new Map<string, number>();

async function poll(deps: PollerDeps, stream: LeasedStream, ended: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const connector = await getConnector(db, stream.configId);
  const lost = new AbortController();
  const timer = setInterval(() => {
    void renewLease(db, stream, { now: new Date(clock.now()), leaseMs })
      .then((held) => {
        if (!held) lost.abort(new LeaseLost());
      })
      // The database has a moment to come back: the lease holds four times as long.
      .catch((err: unknown) => log.warn({ err, config_id: stream.configId }, 'renewing a lease failed'));
  }, renewMs);
  const name = `${stream.configId}:${stream.stream}`;
  let error: string | undefined;
  let waitMs = intervalOf(connector, stream.stream);
  try {
    const signal = AbortSignal.any([ended, lost.signal]);
    error = await takeIn(deps, connector, stream, signal);
    failures.delete(name);
  } catch (cause) {
    if (lost.signal.aborted || cause instanceof LeaseLost) return;
    error = cause instanceof AppError ? cause.detail : 'The poll failed; the log has more.';
    const times = (failures.get(name) ?? 0) + 1;
    failures.set(name, times);
    waitMs = Math.max(Math.min(longestWaitMs, waitMs * 2 ** (times - 1)), waitMs, askedToWaitMs(cause));
    log.warn(
      { err: cause, config_id: connector.configId, tenant_id: connector.tenantId, stream: stream.stream },
      'polling a connector failed',
    );
  } finally {
    clearInterval(timer);
  }
  const at = new Date(clock.now());
  await endPoll(db, stream, { at, dueAt: new Date(at.getTime() + waitMs), error });
}

const askedToWaitMs = (cause: unknown): number =>
  cause instanceof AppError ? Number(cause.headers['retry-after'] ?? 0) * 1000 || 0 : 0;

function intervalOf({ kind, settings }: Connector, stream: string): number {
  const slowest = sourceKinds[kind].slowestMs?.[stream] ?? 0;
  try {
    return Math.max(slowest, readSettings(settings).pollIntervalSeconds * 1000);
  } catch {
    return Math.max(slowest, 60_000);
  }
}

/** What a source of the connector is asked with. @throws AppError 409 where its secrets cannot be opened */
export function accessOf(
  { outbound, clock, vault, apiHosts }: Pick<PollerDeps, 'outbound' | 'clock' | 'vault' | 'apiHosts'>,
  connector: Connector,
  signal: AbortSignal,
): Access {
  const secrets = findSecrets(vault, connector);
  if (secrets === undefined)
    throw conflict('The credentials cannot be decrypted with the key of this deployment; enter them again.');
  const { fields } = connector;
  return { outbound, clock, apiHosts, fields, secrets, settings: readSettings(connector.settings), signal };
}

/** @returns what is to be told of a poll that went to its end. */
async function takeIn(
  deps: PollerDeps,
  connector: Connector,
  stream: LeasedStream,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { db, clock, ingest } = deps;
  const access = accessOf(deps, connector, signal);
  const source = await sourceKinds[connector.kind].open(access);
  await noteClockSkew(db, connector.configId, source.skewMs());
  const to = { tenantId: connector.tenantId, connectorId: `${connector.kind}:${connector.configId}` };
  const overlapMs = access.settings.overlapSeconds * 1000;
  const firstMs = access.settings.historyDays * 86_400_000;
  const intake = () => new Intake(ingest, to);
  const { refused } = await readStream({ db, clock, source, stream, overlapMs, firstMs, intake });
  return refused === 0
    ? undefined
    : `${refused} rows were not understood and left out; the form of the source may have changed.`;
}
