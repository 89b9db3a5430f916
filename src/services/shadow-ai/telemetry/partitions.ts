import type { Database, Queries } from '#base/db/database.ts';
import { sqlState } from '#base/db/errors.ts';

const dayMs = 86_400_000;
/** Older days share a table: nobody fills the database with tables by sending events of every day since 2000. */
const mostDays = 400;

/** Tables that are kept in parts, one for each day. */
const divided = ['event_blocks', 'connections'] as const;

/** The tables of a day. */
export interface DayTable {
  readonly names: readonly string[];
  readonly startMs: number;
}

const dayOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
const iso = (ms: number): string => new Date(ms).toISOString();

const tableOf = (whole: string, startMs: number): string =>
  `${whole}_${iso(startMs).slice(0, 10).replaceAll('-', '')}`;

/** Makes the tables of days before their first events come. */
export class DayTables {
  readonly #db: Database;
  readonly #known = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Sees to it that there is a table for each of the moments. What has none is kept with the old days. */
  async open(moments: Iterable<number>, nowMs: number): Promise<void> {
    const oldest = dayOf(nowMs) - mostDays * dayMs;
    const missing = new Set<number>();
    for (const ms of moments) {
      const day = dayOf(ms);
      if (day >= oldest && !this.#known.has(day)) missing.add(day);
    }
    for (const day of missing) {
      for (const whole of divided) await this.#create(whole, day);
      this.#known.add(day);
    }
  }

  async #create(whole: string, startMs: number): Promise<void> {
    const name = tableOf(whole, startMs);
    const there = await this.#db.query(`select 1 as one where to_regclass($1) is not null`, [
      `shadow_ai.${name}`,
    ]);
    if (there.length > 0) return;
    try {
      await this.#db.script(
        `create table if not exists shadow_ai.${name} partition of shadow_ai.${whole}
           for values from ('${iso(startMs)}') to ('${iso(startMs + dayMs)}')`,
      );
    } catch (error) {
      // Another process has just made it, or events of a day that was deleted have come late and stand with the old ones.
      if (!['42P07', '23505', '23514', '42P17'].includes(sqlState(error) ?? '')) throw error;
    }
  }
}

/** The tables of days that are over before the moment. */
export async function dayTablesBefore(db: Queries, moment: Date): Promise<DayTable[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'shadow_ai.event_blocks'::regclass and c.relname ~ '^event_blocks_[0-9]{8}$' order by c.relname`,
  );
  return rows
    .map(({ name }) => startOf(name))
    .map((startMs) => ({ startMs, names: divided.map((whole) => tableOf(whole, startMs)) }))
    .filter(({ startMs }) => startMs + dayMs <= moment.getTime());
}

function startOf(name: string): number {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`);
}
