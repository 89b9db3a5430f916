/** Delivers queued messages: in order per destination, to many destinations at once, each by one process at a time. */
import { openChanges } from '../../db/changes.ts';
import { newUuid } from '../../ids.ts';
import { leaseMs, sendAll, type DeliveryDeps } from './deliver.ts';
import * as store from './store.ts';

export interface SenderDeps extends DeliveryDeps {
  /** Concurrent destinations; default: 20. */
  readonly concurrency?: number;
}

const longestIdleMs = 10_000;
const shortestIdleMs = 50;
const idleAfterErrorMs = 1000;

/** Starts sending; disposing it waits for attempts in progress. */
export async function startWebhookSender(deps: SenderDeps): Promise<AsyncDisposable> {
  const sender = new WebhookSender(deps);
  const { db, log } = deps;
  const notice = () => sender.notice();
  const changes = await openChanges({ db, log, channel: store.dueChannel, onChange: notice, onGap: notice });
  sender.start();
  return {
    async [Symbol.asyncDispose]() {
      await sender.stop();
      await changes[Symbol.asyncDispose]();
    },
  };
}

class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #concurrency: number;
  readonly #sending = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Whether something may have become due since the last look. */
  #isDue = true;
  #wake = () => {};

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.#concurrency = deps.concurrency ?? 20;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Something may be due. */
  notice(): void {
    this.#isDue = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    await Promise.all(this.#sending);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isDue = false;
      const idleMs = await this.#sendDue();
      if (!this.#isDue && !signal.aborted) await this.#idle(idleMs);
    }
  }

  /** Starts to send what is due; returns after how long to look again. */
  async #sendDue(): Promise<number> {
    const { db, clock } = this.#deps;
    try {
      if (this.#sending.size < this.#concurrency) await this.#claim();
      const next = await store.nextDue(db);
      if (next === undefined) return longestIdleMs;
      return Math.min(longestIdleMs, Math.max(shortestIdleMs, next.getTime() - clock.now()));
    } catch (err) {
      this.#warn(err);
      return idleAfterErrorMs;
    }
  }

  async #claim(): Promise<void> {
    const { db, clock } = this.#deps;
    const nowMs = clock.now();
    const lease = newUuid(nowMs);
    const claimed = await store.claimDue(db, {
      lease,
      now: new Date(nowMs),
      until: new Date(nowMs + leaseMs),
      limit: this.#concurrency - this.#sending.size,
    });
    for (const destination of claimed) {
      const done: Promise<void> = sendAll(this.#deps, destination, lease, this.#stopping.signal)
        .catch((err: unknown) => this.#warn(err))
        .finally(() => {
          this.#sending.delete(done);
          this.notice();
        });
      this.#sending.add(done);
    }
  }

  async #idle(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #warn(err: unknown): void {
    this.#deps.log.warn({ err }, 'webhooks are delayed: database error');
  }
}
