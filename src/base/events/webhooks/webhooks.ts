/** Webhooks by the Standard Webhooks specification, stored in the database until they are delivered. */
import type { Clock } from '../../clock.ts';
import type { Database, Queries } from '../../db/database.ts';
import { invalid, notFound } from '../../errors.ts';
import { newUuid } from '../../ids.ts';
import type { Outbound } from '../../net/outbound.ts';
import type { Vault } from '../../secrets/vault.ts';
import { openSecrets, sealSecrets } from './secrets.ts';
import { isWebhookSecret, newWebhookSecret } from './signature.ts';
import * as store from './store.ts';

export interface NewDestination {
  /** The owner, in a format chosen by the caller. */
  readonly owner: string;
  readonly url: string;
  /** Default: a new one. */
  readonly secret?: string | undefined;
}

export interface Sending {
  /** Idempotency id: a second message with it is ignored. Default: a new one. */
  readonly messageId?: string;
  /** The message is committed with it; other senders to this destination wait until it ends. */
  readonly tx?: Queries | undefined;
}

/** A message with its delivery status. */
export interface Delivery extends Omit<store.Message, 'body' | 'seq'> {
  readonly log: readonly Omit<store.Attempt, 'messageId'>[];
}

export type DestinationView = Omit<store.Destination, 'secrets'>;

export interface WebhooksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outbound: Pick<Outbound, 'assertAllowed'>;
  /** Queue limit per destination; default: 10,000. Messages beyond it are not sent. */
  readonly mostWaiting?: number;
}

const mostBytes = 256 * 1024;
const mostSecrets = 3;
const defaultMostWaiting = 10_000;

export class Webhooks {
  readonly #deps: WebhooksDeps;

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the id and the secret, which cannot be read again
   * @throws AppError 422 for a forbidden address or an invalid secret
   */
  async add({
    owner,
    url,
    secret = newWebhookSecret(),
  }: NewDestination): Promise<{ readonly destinationId: string; readonly secret: string }> {
    const { db, clock, vault, outbound } = this.#deps;
    outbound.assertAllowed(url);
    if (!isWebhookSecret(secret))
      throw invalid('A webhook secret must be whsec_ followed by 24 to 64 bytes in base64.');
    const destinationId = newUuid(clock.now());
    await store.insertDestination(db, {
      destinationId,
      owner,
      url,
      secrets: sealSecrets(vault, destinationId, [{ secret, untilMs: null }]),
      createdAt: new Date(clock.now()),
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      waiting: 0,
    });
    return { destinationId, secret };
  }

  async find(destinationId: string): Promise<DestinationView | undefined> {
    const found = await store.findDestination(this.#deps.db, destinationId);
    if (found === undefined) return undefined;
    const { secrets: _, ...view } = found;
    return view;
  }

  /** Ends all that waits. */
  async remove(destinationId: string): Promise<void> {
    await store.deleteDestination(this.#deps.db, destinationId);
  }

  /** Creates a new secret; the old ones stay valid for the overlap. */
  rotate(destinationId: string, overlapMs: number): Promise<string> {
    const { db, clock, vault } = this.#deps;
    return db.transaction(async (tx) => {
      const untilMs = clock.now() + overlapMs;
      const before = openSecrets(vault, await lockDestination(tx, destinationId), clock.now());
      const secret = newWebhookSecret();
      const after = [
        { secret, untilMs: null },
        ...before.slice(0, mostSecrets - 1).map((old) => ({ secret: old, untilMs })),
      ];
      await store.saveSecrets(tx, destinationId, sealSecrets(vault, destinationId, after));
      return secret;
    });
  }

  /** Re-enables a disabled destination for new messages. */
  enable(destinationId: string): Promise<void> {
    return this.#deps.db.transaction(async (tx) => {
      await lockDestination(tx, destinationId);
      await store.setDisabled(tx, destinationId, null);
    });
  }

  /**
   * Queues an object to be sent as JSON, in order; survives restarts.
   * @returns its `webhook-id`
   * @throws AppError 404 for an unknown destination, 422 for more than 256 KiB
   */
  async send(destinationId: string, body: object, sending: Sending = {}): Promise<string> {
    const { db, clock } = this.#deps;
    const { messageId = `msg_${newUuid(clock.now())}`, tx } = sending;
    const text = JSON.stringify(body);
    if (Buffer.byteLength(text) > mostBytes)
      throw invalid(`A webhook message may have at most ${mostBytes} bytes.`);
    const add = async (queries: Queries) => {
      const deadReason = this.#refusal(await lockDestination(queries, destinationId));
      const at = new Date(clock.now());
      await store.insertMessage(queries, { messageId, destinationId, body: text, at, deadReason });
      if (deadReason === undefined)
        await queries.query('select pg_notify($1, $2)', [store.dueChannel, destinationId]);
    };
    await (tx === undefined ? db.transaction(add) : add(tx));
    return messageId;
  }

  /** The newest messages of a destination with their attempts. */
  async deliveries(destinationId: string, limit: number): Promise<Delivery[]> {
    const { db } = this.#deps;
    const messages = await store.listMessages(db, destinationId, limit);
    const attempts = Map.groupBy(
      await store.listAttempts(
        db,
        messages.map(({ messageId }) => messageId),
      ),
      ({ messageId }) => messageId,
    );
    return messages.map(({ body: _body, seq: _seq, ...message }) => ({
      ...message,
      log: (attempts.get(message.messageId) ?? []).map(({ messageId: _messageId, ...each }) => each),
    }));
  }

  /** For {@link scheduleRetention}: deletes messages that finished before the moment. */
  deleteBefore(moment: Date, limit: number): Promise<number> {
    return store.deleteFinishedBefore(this.#deps.db, moment, limit);
  }

  /** Why a message for the destination is not sent; undefined if it is. */
  #refusal({ disabledAt, disabledReason, waiting }: store.Destination): string | undefined {
    const { mostWaiting = defaultMostWaiting } = this.#deps;
    if (disabledAt !== null) return `The destination is disabled: ${disabledReason ?? ''}`;
    return waiting >= mostWaiting
      ? `The queue of this destination is full (${mostWaiting} messages).`
      : undefined;
  }
}

async function lockDestination(tx: Queries, destinationId: string): Promise<store.Destination> {
  const destination = await store.findDestination(tx, destinationId, true);
  if (destination === undefined) throw notFound('The webhook’s destination');
  return destination;
}
