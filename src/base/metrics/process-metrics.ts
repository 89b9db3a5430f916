import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Cache } from '../cache/cache.ts';
import type { Database, Queries } from '../db/database.ts';
import type { RateLimits } from '../limits/rate-limits.ts';

/** Process-wide metrics, exported once however many services run in it. */
export interface ProcessMetrics {
  /** Registers them with the first registry only. */
  addTo(registry: Registry): void;
}

interface Watched {
  readonly db: Pick<Database, 'connections'> & Queries;
  readonly cache: Pick<Cache, 'backend' | 'totals'>;
  readonly rateLimits?: Pick<RateLimits, 'backend' | 'isShared'> | undefined;
}

/** Node's metrics, database connections, the job queue, the cache and rate limits. */
export function createProcessMetrics({ db, cache, rateLimits }: Watched): ProcessMetrics {
  let added = false;
  return {
    addTo(registry) {
      if (added) return;
      added = true;
      collectDefaultMetrics({ register: registry });
      addConnections(registry, db);
      addJobs(registry, db);
      addCache(registry, cache);
      if (rateLimits !== undefined) addRateLimits(registry, rateLimits);
    },
  };
}

function addConnections(registry: Registry, db: Watched['db']): void {
  new Gauge({
    name: 'bulwark_database_connections',
    help: 'Connections to the database of this process by state, and statements that wait for one.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { open, idle, waiting, most } = db.connections();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'most' }, most);
    },
  });
}

function addJobs(registry: Registry, db: Queries): void {
  new Gauge({
    name: 'bulwark_jobs',
    help: 'Background jobs that have not ended, of all processes.',
    labelNames: ['name', 'state'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      // Metrics must work without the database.
      const rows = await countJobs(db).catch(() => []);
      for (const { name, state, count } of rows) this.set({ name, state }, count);
    },
  });
}

async function countJobs(db: Queries): Promise<{ name: string; state: string; count: number }[]> {
  const [queue] = await db.query<{ there: string | null }>(`select to_regclass('jobs.job')::text as there`);
  if (typeof queue?.there !== 'string') return [];
  return db.query(
    `select name, state::text as state, count(*) as count from jobs.job
      where state in ('created', 'retry', 'active') group by 1, 2`,
  );
}

function addCache(registry: Registry, cache: Watched['cache']): void {
  new Gauge({
    name: 'bulwark_cache_lookups',
    help: 'Lookups in the cache since the start of this process.',
    labelNames: ['backend', 'outcome'] as const,
    registers: [registry],
    collect() {
      const { hits, misses } = cache.totals();
      this.set({ backend: cache.backend, outcome: 'hit' }, hits);
      this.set({ backend: cache.backend, outcome: 'miss' }, misses);
    },
  });
  new Gauge({
    name: 'bulwark_cache_entries',
    help: 'Entries of the cache in the memory of this process; 0 where it is in Redis.',
    labelNames: ['backend'] as const,
    registers: [registry],
    collect() {
      this.set({ backend: cache.backend }, cache.totals().entries);
    },
  });
}

function addRateLimits(registry: Registry, rateLimits: NonNullable<Watched['rateLimits']>): void {
  new Gauge({
    name: 'bulwark_rate_limits_shared',
    help: 'Whether this process counts rate limits together with others (1), or alone (0).',
    labelNames: ['backend'] as const,
    registers: [registry],
    collect() {
      this.set({ backend: rateLimits.backend }, Number(rateLimits.isShared));
    },
  });
}
