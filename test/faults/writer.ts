/**
 * Writes numbered rows as fast as possible and prints them: `node test/faults/writer.ts <settings as JSON> <from>
 * <count>`.
 *
 * Prints `open <ms>` once the database is ready, then the number of each row after its write was acknowledged, one
 * per line. Every third row is written in a transaction with a second table, so that a half-applied transaction would
 * show.
 */
import { writeSync } from 'node:fs';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';

const [settings = '{}', from = '1', count = '2000'] = process.argv.slice(2);
const begun = performance.now();
await using db = await openDatabase(JSON.parse(settings) as DatabaseSettings);
await db.script(`
  create schema if not exists faults;
  create table if not exists faults.rows (n int primary key, body text not null);
  create table if not exists faults.pairs (n int primary key)`);
// Written without any buffering of ours: what the reader has seen was acknowledged, and nothing else.
const say = (line: string) => writeSync(1, `${line}\n`);
say(`open ${Math.round(performance.now() - begun)}`);

const last = Number(from) + Number(count);
for (let n = Number(from); n < last; n++) {
  const body = `row ${n} `.repeat(20);
  if (n % 3 === 0)
    await db.transaction(async (tx) => {
      await tx.query('insert into faults.rows values ($1, $2)', [n, body]);
      await tx.query('insert into faults.pairs values ($1)', [n]);
    });
  else await db.query('insert into faults.rows values ($1, $2)', [n, body]);
  say(String(n));
}
