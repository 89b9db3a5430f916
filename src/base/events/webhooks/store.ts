import type { Database, Queries } from '../../db/database.ts';

/** Notification channel; the payload is the id of a destination with due messages. */
export const dueChannel = 'webhooks_due';

export interface Destination {
  readonly destinationId: string;
  readonly owner: string;
  readonly url: string;
  /** Sealed. */
  readonly secrets: Uint8Array;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly waiting: number;
}

export interface Message {
  readonly messageId: string;
  readonly destinationId: string;
  readonly seq: number;
  readonly body: string;
  readonly status: 'waiting' | 'delivered' | 'dead';
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface Attempt {
  readonly messageId: string;
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly latencyMs: number;
}

const destinationColumns = `destination_id as "destinationId", owner, url, secrets, created_at as "createdAt",
  disabled_at as "disabledAt", disabled_reason as "disabledReason", failing_since as "failingSince", waiting`;
const messageColumns = `message_id as "messageId", destination_id as "destinationId", seq, body, status, reason,
  attempts, created_at as "createdAt", finished_at as "finishedAt"`;

type Row<T> = T & Record<string, unknown>;

export async function insertDestination(
  db: Queries,
  { destinationId, owner, url, secrets, createdAt }: Destination,
): Promise<void> {
  await db.query(
    `insert into events.webhook_destinations (destination_id, owner, url, secrets, created_at)
     values ($1, $2, $3, $4, $5)`,
    [destinationId, owner, url, secrets, createdAt],
  );
}

/** @param lock locks the row until the transaction ends */
export async function findDestination(
  db: Queries,
  destinationId: string,
  lock = false,
): Promise<Destination | undefined> {
  const [row] = await db.query<Row<Destination>>(
    `select ${destinationColumns} from events.webhook_destinations where destination_id = $1
     ${lock ? 'for update' : ''}`,
    [destinationId],
  );
  return row;
}

export const deleteDestination = (db: Queries, destinationId: string) =>
  db.query('delete from events.webhook_destinations where destination_id = $1', [destinationId]);

export const saveSecrets = (tx: Queries, destinationId: string, secrets: Uint8Array) =>
  tx.query('update events.webhook_destinations set secrets = $2 where destination_id = $1', [
    destinationId,
    secrets,
  ]);

export async function setDisabled(
  tx: Queries,
  destinationId: string,
  disabled: { at: Date; reason: string } | null,
): Promise<void> {
  await tx.query(
    `update events.webhook_destinations set disabled_at = $2, disabled_reason = $3, failing_since = null
     where destination_id = $1`,
    [destinationId, disabled?.at ?? null, disabled?.reason ?? null],
  );
}

/** Cancels all queued messages. */
export async function killWaiting(
  tx: Queries,
  destinationId: string,
  reason: string,
  at: Date,
): Promise<number> {
  const rows = await tx.query(
    `update events.webhook_messages set status = 'dead', reason = $2, finished_at = $3
     where destination_id = $1 and status = 'waiting' returning 1 as done`,
    [destinationId, reason, at],
  );
  await tx.query(
    'update events.webhook_destinations set waiting = 0, next_at = null where destination_id = $1',
    [destinationId],
  );
  return rows.length;
}

interface NewMessage {
  readonly messageId: string;
  readonly destinationId: string;
  readonly body: string;
  readonly at: Date;
  /** The reason if it will not be sent. */
  readonly deadReason: string | undefined;
}

/** The destination must be locked, so that numbers appear in order. No-op if a message with this id exists. */
export async function insertMessage(tx: Queries, message: NewMessage): Promise<void> {
  const { messageId, destinationId, body, at, deadReason } = message;
  const inserted = await tx.query(
    `insert into events.webhook_messages
       (message_id, destination_id, seq, body, status, reason, created_at, finished_at)
     select $1, $2, last_seq + 1, $3, $4, $5::text, $6, $7 from events.webhook_destinations where destination_id = $2
     on conflict (message_id) do nothing returning 1 as done`,
    [
      messageId,
      destinationId,
      body,
      deadReason === undefined ? 'waiting' : 'dead',
      deadReason ?? null,
      at,
      deadReason === undefined ? null : at,
    ],
  );
  if (inserted.length === 0) return;
  await tx.query(
    `update events.webhook_destinations set last_seq = last_seq + 1,
       waiting = waiting + $2, next_at = case when $2 = 1 then coalesce(next_at, $3) else next_at end
     where destination_id = $1`,
    [destinationId, deadReason === undefined ? 1 : 0, at],
  );
}

export interface Claim {
  readonly lease: string;
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
}

/** Claims destinations with due messages that no other process is sending to. */
export const claimDue = (db: Database, { lease, now, until, limit }: Claim) =>
  db.query<Row<Destination>>(
    `update events.webhook_destinations set lease = $1, leased_until = $3
     where destination_id in (
       select destination_id from events.webhook_destinations
       where next_at <= $2 and disabled_at is null and (leased_until is null or leased_until <= $2)
       order by next_at limit $4 for update skip locked)
     returning ${destinationColumns}`,
    [lease, now, until, limit],
  );

/** The next due time among destinations that are unclaimed or whose lease has expired. */
export async function nextDue(db: Queries): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(greatest(next_at, leased_until)) as at from events.webhook_destinations
     where next_at is not null and disabled_at is null`,
  );
  return row?.at ?? undefined;
}

export async function firstWaiting(db: Queries, destinationId: string): Promise<Message | undefined> {
  const [row] = await db.query<Row<Message>>(
    `select ${messageColumns} from events.webhook_messages
     where destination_id = $1 and status = 'waiting' order by seq limit 1`,
    [destinationId],
  );
  return row;
}

/** Renews the lease if this sender still has it; locks the row until the transaction ends. */
export async function holdLease(
  tx: Queries,
  destinationId: string,
  lease: string,
  until: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update events.webhook_destinations set leased_until = $3
     where destination_id = $1 and lease = $2 and disabled_at is null returning 1 as held`,
    [destinationId, lease, until],
  );
  return rows.length === 1;
}

export const releaseLease = (db: Queries, destinationId: string, lease: string) =>
  db.query(
    `update events.webhook_destinations set lease = null, leased_until = null
     where destination_id = $1 and lease = $2`,
    [destinationId, lease],
  );

export async function insertAttempt(tx: Queries, each: Attempt): Promise<void> {
  const { messageId, attempt, at, status, error, latencyMs } = each;
  await tx.query(
    `insert into events.webhook_attempts (message_id, attempt, at, status, error, latency_ms)
     values ($1, $2, $3, $4, $5, $6)`,
    [messageId, attempt, at, status, error, latencyMs],
  );
  await tx.query('update events.webhook_messages set attempts = $2 where message_id = $1', [
    messageId,
    attempt,
  ]);
}

/** Finishes the message; the next one is due at once. */
export async function finishMessage(
  tx: Queries,
  { messageId, destinationId }: Pick<Message, 'messageId' | 'destinationId'>,
  status: 'delivered' | 'dead',
  { reason, at }: { reason: string | null; at: Date },
): Promise<void> {
  await tx.query(
    'update events.webhook_messages set status = $2, reason = $3, finished_at = $4 where message_id = $1',
    [messageId, status, reason, at],
  );
  await tx.query(
    `update events.webhook_destinations set waiting = greatest(0, waiting - 1),
       next_at = case when waiting > 1 then $3::timestamptz end,
       failing_since = case when $2 = 'delivered' then null else coalesce(failing_since, $3) end
     where destination_id = $1`,
    [destinationId, status, at],
  );
}

export const putOff = (tx: Queries, destinationId: string, nextAt: Date, failedAt: Date) =>
  tx.query(
    `update events.webhook_destinations set next_at = $2, failing_since = coalesce(failing_since, $3)
     where destination_id = $1`,
    [destinationId, nextAt, failedAt],
  );

/** Newest first. */
export const listMessages = (db: Queries, destinationId: string, limit: number): Promise<Message[]> =>
  db.query<Row<Message>>(
    `select ${messageColumns} from events.webhook_messages where destination_id = $1 order by seq desc limit $2`,
    [destinationId, limit],
  );

export const listAttempts = (db: Queries, messageIds: readonly string[]): Promise<Attempt[]> =>
  db.query<Row<Attempt>>(
    `select message_id as "messageId", attempt, at, status, error, latency_ms as "latencyMs"
     from events.webhook_attempts where message_id = any($1) order by message_id, attempt`,
    [messageIds],
  );

export async function deleteFinishedBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from events.webhook_messages where message_id in (
       select message_id from events.webhook_messages where finished_at < $1 limit $2) returning 1 as done`,
    [moment, limit],
  );
  return rows.length;
}
