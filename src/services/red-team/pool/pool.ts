import type { EnvironmentHandle } from '#engine/red-team/session/sandbox-session.ts';

/** Why the pool lends nothing, as a sentence that says what to do. */
export class PoolError extends Error {}

/** An instance that the pool owns, wherever it runs. */
export interface PooledInstance extends AsyncDisposable {
  readonly handle: EnvironmentHandle;
  /** Whether it still answers. */
  isHealthy(): Promise<boolean>;
}

/** Starts instances of environments: in this process, as child processes, in containers. */
export interface Driver {
  start(environment: string): Promise<PooledInstance>;
}

/** Instances of several environments, for one task at a time. */
export interface Lease {
  readonly environments: ReadonlyMap<string, EnvironmentHandle>;
  /** Gives the instances back. An expired lease was given back already. */
  release(): Promise<void>;
  /** Aborted when the lease ends, by release or expiry. */
  readonly ended: AbortSignal;
}

export interface LeaseRequest {
  environments: readonly string[];
  /** After this time the instances are taken back. */
  expiresAfterMs: number;
  signal: AbortSignal;
}

interface Waiting extends LeaseRequest {
  grant: (instances: Map<string, PooledInstance>) => void;
  refuse: (reason: Error) => void;
}

interface Shelf {
  free: PooledInstance[];
  total: number;
  starting: number;
}

/** What `GET /environments` of the pool manager answers for one environment. */
export interface ShelfStatus {
  environment: string;
  instances: number;
  free: number;
  starting: number;
}

const mostWaiting = 10_000;

/**
 * Lends instances of environments. Requests are served in the order of their arrival; one that needs several
 * environments gets all of them at once or waits, so that two requests never hold what the other needs.
 */
export class Pool implements AsyncDisposable {
  readonly #driver: Driver;
  readonly #shelves = new Map<string, Shelf>();
  readonly #queue: Waiting[] = [];
  readonly #leases = new Set<Lease>();
  #closed = false;
  #isReady = false;
  #opened: Promise<void> | undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** Starts the instances; resolves when all answer. What is leased meanwhile waits for this. */
  open(counts: ReadonlyMap<string, number>): Promise<void> {
    this.#opened = this.#open(counts);
    return this.#opened;
  }

  /** Whether all instances have started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  async #open(counts: ReadonlyMap<string, number>): Promise<void> {
    for (const [environment, count] of counts)
      this.#shelves.set(environment, { free: [], total: count, starting: count });
    await Promise.all(
      [...counts].map(async ([environment, count]) => {
        const shelf = this.#shelves.get(environment) as Shelf;
        await Promise.all(
          Array.from({ length: count }, async () => {
            const instance = await this.#driver.start(environment);
            if (this.#closed) return instance[Symbol.asyncDispose]();
            shelf.free.push(instance);
            shelf.starting -= 1;
          }),
        );
      }),
    );
    this.#isReady = true;
  }

  status(): ShelfStatus[] {
    return [...this.#shelves].map(([environment, { free, total, starting }]) => ({
      environment,
      instances: total,
      free: free.length,
      starting,
    }));
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get leases(): number {
    return this.#leases.size;
  }

  /**
   * Waits for one instance of each environment.
   * @throws PoolError for an environment without instances, and where too many wait; the signal's reason
   */
  async lease(request: LeaseRequest): Promise<Lease> {
    request.signal.throwIfAborted();
    if (!this.#isReady) await this.#opened;
    request.signal.throwIfAborted();
    if (this.#closed) throw new PoolError('The environment pool is shutting down.');
    const missing = request.environments.filter((id) => (this.#shelves.get(id)?.total ?? 0) === 0);
    if (missing.length > 0)
      throw new PoolError(`The pool has no instance of ${missing.join(', ')}. Add it to the pool file.`);
    if (this.#queue.length >= mostWaiting) throw new PoolError('Too many tasks wait for environments.');
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, PooledInstance>>();
    const waiting: Waiting = { ...request, grant: resolve, refuse: reject };
    const giveUp = () => {
      const at = this.#queue.indexOf(waiting);
      if (at < 0) return; // granted in the same turn
      this.#queue.splice(at, 1);
      reject(request.signal.reason as Error);
    };
    request.signal.addEventListener('abort', giveUp, { once: true });
    this.#queue.push(waiting);
    this.#serve();
    const instances = await promise.finally(() => request.signal.removeEventListener('abort', giveUp));
    return this.#lend(instances, request.expiresAfterMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0))
      waiting.refuse(new PoolError('The environment pool is shutting down.'));
    await Promise.all([...this.#leases].map((lease) => lease.release()));
    await Promise.all(
      [...this.#shelves.values()].flatMap(({ free }) =>
        free.map((instance) => instance[Symbol.asyncDispose]()),
      ),
    );
  }

  /** Grants what can be granted; a request that has to wait reserves its place before those that came later. */
  #serve(): void {
    const available = new Map([...this.#shelves].map(([id, shelf]) => [id, shelf.free.length]));
    const granted = this.#queue.filter((waiting) => {
      const ready = waiting.environments.every((id) => (available.get(id) ?? 0) > 0);
      for (const id of waiting.environments) available.set(id, (available.get(id) ?? 0) - 1);
      return ready;
    });
    for (const waiting of granted) {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      waiting.grant(
        new Map(
          waiting.environments.map((id) => [id, this.#shelves.get(id)?.free.shift() as PooledInstance]),
        ),
      );
    }
  }

  #lend(instances: Map<string, PooledInstance>, expiresAfterMs: number): Lease {
    const end = new AbortController();
    let released: Promise<void> | undefined;
    const lease: Lease = {
      environments: new Map(
        [...instances].map(([id, instance]) => [id, untilEnded(instance.handle, end.signal)]),
      ),
      ended: end.signal,
      release: () => {
        released ??= this.#takeBack(lease, instances, end, timer);
        return released;
      },
    };
    const timer = setTimeout(() => void lease.release(), expiresAfterMs);
    timer.unref();
    this.#leases.add(lease);
    return lease;
  }

  async #takeBack(
    lease: Lease,
    instances: Map<string, PooledInstance>,
    end: AbortController,
    timer: NodeJS.Timeout,
  ): Promise<void> {
    clearTimeout(timer);
    end.abort(new Error('The lease of the environments has ended.'));
    this.#leases.delete(lease);
    await Promise.all([...instances].map(([id, instance]) => this.#putBack(id, instance)));
  }

  /** Starts a new instance in place of one that no longer answers. */
  async #putBack(environment: string, instance: PooledInstance): Promise<void> {
    const shelf = this.#shelves.get(environment) as Shelf;
    if (await instance.isHealthy().catch(() => false)) shelf.free.push(instance);
    else {
      shelf.starting += 1;
      await disposed(instance);
      if (!this.#closed) await this.#replace(environment, shelf);
      shelf.starting -= 1;
    }
    this.#serve();
  }

  async #replace(environment: string, shelf: Shelf): Promise<void> {
    try {
      shelf.free.push(await this.#driver.start(environment));
    } catch {
      shelf.total -= 1;
    }
  }
}

/** Ends an instance that may be broken: what it says of its end does not matter. */
async function disposed(instance: PooledInstance): Promise<void> {
  try {
    await instance[Symbol.asyncDispose]();
  } catch {
    // It is replaced in any case.
  }
}

/** A handle that refuses calls after the end of its lease, instead of touching the next session's state. */
function untilEnded(handle: EnvironmentHandle, ended: AbortSignal): EnvironmentHandle {
  const guarded =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      ended.throwIfAborted();
      return work(...args);
    };
  return {
    sinks: handle.sinks,
    reset: guarded((seed, additions) => handle.reset(seed, additions)),
    tools: guarded(() => handle.tools()),
    call: guarded((tool, args) => handle.call(tool, args)),
    changes: guarded(() => handle.changes()),
    rows: guarded((table) => handle.rows(table)),
  };
}
