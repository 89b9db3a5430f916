/** Durable long-running work: runs survive the process, are executed exactly once, and can be paused, resumed and watched. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../log/log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { runMetrics } from './metrics.ts';
import type { Outcome, Run } from './run.ts';
import { KindHere, type KindOptions, type RunKind } from './run-kind.ts';
import { countByStatus } from './queue-store.ts';
import { renewLeases } from './claim-store.ts';
import { channel, type RunChange } from './rows.ts';
import type { RunChanges } from './watch.ts';

export interface RunSettings {
  readonly log: Logger;
  /** Time for runs to stop at shutdown; default 5,000. */
  readonly graceMs?: number;
  /** A process without a heartbeat for this long loses its runs to others; default 30,000. */
  readonly leaseMs?: number;
  /** Polling interval, in case a notification is lost; default 5,000. */
  readonly pollMs?: number;
}

export interface Runs extends AsyncDisposable {
  /**
   * Registers the code for runs of this kind, executed after `start`. A kind belongs to one service. The
   * code returns the outcome; after a crash or a pause it is executed again from its checkpoint.
   */
  define<Input, Result, Checkpoint = never>(
    kind: string,
    options: KindOptions<Input, Result> & { readonly metrics?: Metrics | undefined },
    run: (run: Run<Input, Checkpoint>) => Promise<Outcome<Result>>,
  ): RunKind<Input, Result>;
  /** Starts executing all kinds, including those defined later. */
  start(): Promise<void>;
}

/** Embedded databases on which this process has recovered runs of a crashed one. */
const takenBack = new WeakSet<Database>();

/** Creates the runs of `db`, which must have the migrations of `migrations.ts`. Dispose it before the database. */
export const createRuns = (db: Database, settings: RunSettings): Runs => new ProcessRuns(db, settings);

type AnyKind = KindHere<unknown, unknown, unknown>;

class ProcessRuns implements Runs, RunChanges {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #leaseMs: number;
  readonly #graceMs: number;
  readonly #pollMs: number;
  readonly #kinds = new Map<string, AnyKind>();
  readonly #watching = new Map<string, Set<() => void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  /** Background work triggered by a request must not inherit its transaction or trace. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #listening: Promise<AsyncDisposable> | undefined;
  #started: Promise<void> | undefined;
  #first = false;
  #stopping: Promise<void> | undefined;
  #renewedAtMs = performance.now();
  #polling: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;

  constructor(db: Database, { log, graceMs = 5_000, leaseMs = 30_000, pollMs = 5_000 }: RunSettings) {
    this.#db = db;
    this.#log = log;
    this.#graceMs = graceMs;
    this.#leaseMs = leaseMs;
    this.#pollMs = pollMs;
  }

  define<Input, Result, Checkpoint>(
    kind: string,
    { metrics, ...options }: KindOptions<Input, Result> & { readonly metrics?: Metrics | undefined },
    run: (run: Run<Input, Checkpoint>) => Promise<Outcome<Result>>,
  ): RunKind<Input, Result> {
    if (this.#kinds.has(kind)) throw new Error(`The runs "${kind}" are defined already.`);
    const db = this.#db;
    const around = {
      db,
      log: this.#log,
      leaseMs: this.#leaseMs,
      graceMs: this.#graceMs,
      changes: this as RunChanges,
    };
    const observed = metrics && runMetrics(metrics, kind, () => countByStatus(db, kind));
    const made = new KindHere(around, kind, options, run, (ended) => observed?.ended(ended));
    this.#kinds.set(kind, made as unknown as AnyKind);
    if (this.#started !== undefined)
      this.#started
        .then(() => made.begin(this.#first))
        .catch((err: unknown) => this.#log.error({ err }, 'runs cannot be executed yet; retrying'));
    return made;
  }

  async start(): Promise<void> {
    this.#started ??= this.#outside(() => this.#start());
    await this.#started;
  }

  async #start(): Promise<void> {
    this.#first = this.#db.kind === 'pglite' && !takenBack.has(this.#db);
    takenBack.add(this.#db);
    await this.#listen();
    for (const kind of this.#kinds.values()) await kind.begin(this.#first);
    const every = (ms: number, act: () => void) => this.#timers.push(setInterval(act, ms).unref());
    every(this.#pollMs, () => {
      this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    });
    every(this.#leaseMs / 10, () => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    });
  }

  async subscribe(id: string, onChange: () => void): Promise<Disposable> {
    const here = this.#watching.get(id) ?? new Set();
    this.#watching.set(id, here.add(onChange));
    const poll = setInterval(onChange, this.#pollMs);
    await this.#outside(() => this.#listen());
    return {
      [Symbol.dispose]: () => {
        clearInterval(poll);
        here.delete(onChange);
        if (here.size === 0 && this.#watching.get(id) === here) this.#watching.delete(id);
      },
    };
  }

  #listen(): Promise<AsyncDisposable> {
    this.#listening ??= this.#db
      .listen(
        channel,
        (payload) => this.#outside(() => this.#heard(JSON.parse(payload) as RunChange)),
        () => this.#outside(() => this.#missed()),
      )
      .catch((error: unknown) => {
        this.#listening = undefined;
        throw error;
      });
    return this.#listening;
  }

  #heard(change: RunChange): void {
    this.#kinds.get(change.kind)?.changed(change);
    for (const onChange of this.#watching.get(change.id) ?? []) onChange();
  }

  /** Notifications may have been missed. */
  #missed(): void {
    for (const kind of this.#kinds.values()) kind.pump();
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    for (const each of this.#watching.values()) for (const onChange of each) onChange();
  }

  async #poll(): Promise<void> {
    for (const kind of this.#kinds.values()) {
      try {
        await kind.recover();
      } catch (err) {
        this.#log.warn({ err }, 'runs of crashed processes could not be recovered; retrying soon');
      }
      kind.pump();
    }
  }

  /** Renews the claims of this process, and detects lost ones. */
  async #renew(): Promise<void> {
    const kinds = [...this.#kinds.values()];
    const claims = kinds.flatMap((kind) => [...kind.claims]);
    const beganAtMs = performance.now();
    try {
      const standing = claims.length === 0 ? new Map() : await renewLeases(this.#db, claims, this.#leaseMs);
      this.#renewedAtMs = beganAtMs;
      const asked = new Set(claims);
      for (const kind of kinds) kind.standing(standing, asked);
    } catch (err) {
      this.#log.warn({ err }, 'the leases of runs could not be renewed; retrying soon');
      // By now other processes may have claimed and started them.
      if (performance.now() - this.#renewedAtMs > this.#leaseMs)
        for (const kind of kinds) kind.standing(new Map(), new Set(claims));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#started?.catch(() => undefined);
    await Promise.all([...this.#kinds.values()].map((kind) => kind[Symbol.asyncDispose]()));
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#polling, this.#renewing]);
    await (await this.#listening?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
