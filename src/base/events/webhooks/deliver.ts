/** Delivers the messages of one destination that this process holds the lease of. */
import type { Clock } from '../../clock.ts';
import type { Database, Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log/log.ts';
import type { Outbound } from '../../net/outbound.ts';
import type { Vault } from '../../secrets/vault.ts';
import { defaultRetries, pauseAfter, readRetryAfter, type RetryPolicy } from './retry.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import * as store from './store.ts';

export interface DeliveryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Vault;
  /** Checks users' URLs (SSRF protection). */
  readonly outbound: Pick<Outbound, 'request'>;
  readonly retries?: RetryPolicy;
  /** Time without a successful delivery after which a destination is disabled; default: five days. */
  readonly disableAfterMs?: number;
}

/** One attempt. */
interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  readonly retryAfterMs: number | undefined;
}

const answerTimeoutMs = 15_000;
/** Longer than any attempt: an expired lease means that its process is gone. */
export const leaseMs = 60_000;
const fiveDaysMs = 5 * 86_400_000;

/** Sends the queued messages of one destination in order, until none is left, one fails, or the process stops. */
export async function sendAll(
  deps: DeliveryDeps,
  destination: store.Destination,
  lease: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  const { destinationId } = destination;
  try {
    while (!signal.aborted) {
      const message = await store.firstWaiting(db, destinationId);
      if (message === undefined || !(await attempt(deps, destination, message, lease))) return;
    }
  } finally {
    await store.releaseLease(db, destinationId, lease);
  }
}

/** Returns whether to continue with the next message. */
async function attempt(
  deps: DeliveryDeps,
  destination: store.Destination,
  message: store.Message,
  lease: string,
): Promise<boolean> {
  const { db, clock } = deps;
  const { destinationId } = destination;
  const beginMs = clock.now();
  // Read again: the destination may have been changed, disabled or deleted since the last message.
  const current = await store.findDestination(db, destinationId);
  if (current === undefined || current.disabledAt !== null) return false;
  const outcome = await post(deps, current, message);
  const endMs = clock.now();
  return db.transaction(async (tx) => {
    // Another process took over the lease and will record its own result.
    if (!(await store.holdLease(tx, destinationId, lease, new Date(endMs + leaseMs)))) return false;
    await store.insertAttempt(tx, {
      messageId: message.messageId,
      attempt: message.attempts + 1,
      at: new Date(beginMs),
      status: outcome.status,
      error: outcome.error,
      latencyMs: Math.max(0, Math.round(endMs - beginMs)),
    });
    return settle(deps, tx, current, message, outcome);
  });
}

async function post(
  { clock, vault, outbound }: DeliveryDeps,
  destination: store.Destination,
  { messageId, body }: store.Message,
): Promise<Outcome> {
  const secrets = openSecrets(vault, destination, clock.now());
  // Never unsigned: the receiver could not verify who sent it.
  if (secrets.length === 0)
    return { status: null, error: 'The secret cannot be decrypted; replace it.', retryAfterMs: undefined };
  const signed = signedHeaders({ messageId, sentAt: new Date(clock.now()), body, secrets });
  try {
    const answer = await outbound.request(destination.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Bulwark-Webhooks', ...signed },
      body,
      headTimeoutMs: answerTimeoutMs,
      signal: AbortSignal.timeout(answerTimeoutMs + 10_000),
    });
    // The body is not needed.
    answer.body.destroy();
    const { status, headers } = answer;
    const isDone = status >= 200 && status < 300;
    return {
      status,
      error: isDone ? null : `The receiver answered with status ${status}.`,
      retryAfterMs: isDone ? undefined : readRetryAfter(headers['retry-after'], clock),
    };
  } catch (error) {
    const detail = error instanceof AppError ? error.detail : 'The receiver did not answer in time.';
    return { status: null, error: detail, retryAfterMs: undefined };
  }
}

/** Records the result of an attempt; returns whether to continue with the next message. */
async function settle(
  deps: DeliveryDeps,
  tx: Queries,
  destination: store.Destination,
  message: store.Message,
  { status, error, retryAfterMs }: Outcome,
): Promise<boolean> {
  const { clock, log, retries = defaultRetries, disableAfterMs = fiveDaysMs } = deps;
  const { destinationId, failingSince } = destination;
  const at = new Date(clock.now());
  if (error === null) {
    await store.finishMessage(tx, message, 'delivered', { reason: null, at });
    return true;
  }
  const isGone = status === 410;
  const failsTooLong = failingSince !== null && at.getTime() - failingSince.getTime() >= disableAfterMs;
  if (isGone || failsTooLong) {
    const reason = isGone
      ? 'The receiver refuses further messages (410 Gone).'
      : `Nothing has been delivered for ${Math.round(disableAfterMs / 3_600_000)} hours. ${error}`;
    await store.setDisabled(tx, destinationId, { at, reason });
    const dead = await store.killWaiting(tx, destinationId, reason, at);
    log.warn({ destination_id: destinationId, messages: dead, reason }, 'a webhook destination was disabled');
    return false;
  }
  const attempts = message.attempts + 1;
  if (attempts >= retries.attempts) {
    const reason = `It was tried ${attempts} times. ${error}`;
    await store.finishMessage(tx, message, 'dead', { reason, at });
    log.warn(
      { destination_id: destinationId, webhook_id: message.messageId, reason },
      'a webhook message failed permanently',
    );
    return true;
  }
  const nextAt = new Date(at.getTime() + pauseAfter(attempts, retries, retryAfterMs));
  await store.putOff(tx, destinationId, nextAt, at);
  return false;
}
