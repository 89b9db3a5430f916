/**
 * `kill -9` of the MCP scan with a full queue: after the restart each scan ends exactly once, with its own result.
 *
 * Runs on the embedded database, and on PostgreSQL where `BULWARK_TEST_DATABASE=postgres` says so.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type DatabaseSettings } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { formWith, zipOf } from '#services/mcp-scan/fixtures/archives.ts';
import { serve, type Served } from './serve.ts';

const perRound = 24;
const rounds = 2;
const scans = perRound * rounds;
const env = { BULWARK_MCP_SCAN_WORKERS: '2' };

const stop = async ({ child }: Served, signal: 'SIGTERM' | 'SIGKILL') => {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};

/** A witness outside of the program: the database itself notes each end of a scan. */
async function witness(settings: DatabaseSettings): Promise<void> {
  await using db = await openDatabase(settings);
  await db.script(`create schema faults; create table faults.ends (scan_id bigint, outcome text);
    create function faults.note() returns trigger language plpgsql as $$
      begin
        if new.outcome is not null then insert into faults.ends values (new.scan_id, new.outcome); end if;
        return new;
      end $$;
    create trigger note_end after update of outcome on mcp_scan.scans for each row execute function faults.note();`);
}

const sourceOf = (i: number) => ({
  'server.py': `@mcp.tool()\ndef tool_${i}(name: str):\n    return open("/data/" + name).read()\n`,
  'more.py': Array.from({ length: 400 }, (_, line) => `def f${line}(a):\n    return a + ${i}\n`).join(''),
});

/** The scans that a killed service has left half done. */
async function interrupted(settings: DatabaseSettings): Promise<number[]> {
  await using db = await openDatabase(settings);
  const rows = await db.query<{ id: number }>(
    `select scan_id as id from mcp_scan.scans join runs.runs using (run_id) where status = 'running'`,
  );
  return rows.map(({ id }) => id);
}

async function ended({ call }: Served, ids: readonly number[]): Promise<number> {
  const { scans: found } = await call('/scans?page_size=100&status=completed,failed');
  return found.filter(({ id }: { id: number }) => ids.includes(id)).length;
}

test('scans survive kill -9 with a full queue', { timeout: 300_000 }, async (t) => {
  await using database = await makeTestDatabase();
  const { settings } = database;
  await stop(await serve('mcp-scan', settings, env), 'SIGTERM');
  await witness(settings);

  const ids: number[] = [];
  let halfDone: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const served = await serve('mcp-scan', settings, env);
    // A scan that is interrupted twice is given up, so those of the round before end first.
    while ((await ended(served, halfDone)) < halfDone.length) await sleep(20);
    for (let i = 0; i < perRound; i += 1) {
      const made = await served.call('/process', formWith(await zipOf(sourceOf(ids.length)), `s${i}.zip`));
      ids.push(made.scan_id);
    }
    const enough = (await ended(served, ids)) + 5;
    while ((await ended(served, ids)) < Math.min(enough, ids.length)) await sleep(20);
    await stop(served, 'SIGKILL');
    halfDone = await interrupted(settings);
    t.diagnostic(`round ${round}: ${halfDone.length} scans were interrupted`);
  }
  const served = await serve('mcp-scan', settings, env);
  try {
    const before = await ended(served, ids);
    t.diagnostic(`${before} of ${scans} had ended before the last start`);
    while ((await ended(served, ids)) < scans) await sleep(100);
    for (const [i, id] of ids.entries()) {
      const scan = await served.call(`/scan/${id}`);
      assert.equal(scan.status, 'completed', scan.error_message);
      assert.deepEqual(
        scan.result_data.tools.map(({ name }: { name: string }) => name),
        [`tool_${i}`],
      );
      const { queue_position: position } = await served.call(`/scan/${id}/status`);
      assert.equal(position, null);
    }
    const queue = await served.call('/queue/status');
    assert.deepEqual([queue.queue_size, queue.processing_count], [0, 0]);
  } finally {
    await stop(served, 'SIGTERM');
  }
  await using db = await openDatabase(settings);
  const ends = await db.query<{ scanId: number; times: number }>(
    'select scan_id as "scanId", count(*) as times from faults.ends group by scan_id order by scan_id',
  );
  assert.deepEqual(
    ends.map(({ scanId, times }) => [scanId, times]),
    ids.toSorted((a, b) => a - b).map((id) => [id, 1]),
    'each scan ended exactly once',
  );
});
