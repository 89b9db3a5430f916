import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Cache } from '../cache/cache.ts';
import type { Database, Queries } from '../db/database.ts';

/** Metrics that a process has once, however many services run in it. */
export interface ProcessMetrics {
  /** Adds them to the first registry that asks; the others go without. */
  addTo(registry: Registry): void;
}

interface Watched {
  readonly db: Pick<Database, 'connections'> & Queries;
  readonly cache: Pick<Cache, 'backend' | 'totals'>;
}

/** Node's own figures, the database's connections, the job queue and the cache. */
export function createProcessMetrics({ db, cache }: Watched): ProcessMetrics {
  let added = false;
  return {
    addTo(registry) {
      if (added) return;
      added = true;
      collectDefaultMetrics({ register: registry });
      addConnections(registry, db);
      addJobs(registry, db);
      addCache(registry, cache);
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
      // Metrics must be there when the database is not.
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
