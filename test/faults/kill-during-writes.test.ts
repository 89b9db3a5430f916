/**
 * `kill -9` in the middle of writes: every acknowledged row is there after the restart, on both databases.
 *
 * Two rounds by default; the full test is `BULWARK_FAULT_ROUNDS=10 node --test
 * test/faults/kill-during-writes.test.ts`. With `BULWARK_TEST_DATABASE=postgres` it uses PostgreSQL, and our process
 * is killed, not the server.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';

const rounds = Number(process.env['BULWARK_FAULT_ROUNDS'] ?? 2);
const rowsPerRound = 2_000;
const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const longestStartMs = 60_000;

/**
 * Runs the writer and kills it after this many acknowledged rows; returns the last one and the duration of its start.
 */
async function writeUntilKilled(settings: DatabaseSettings, from: number, killAfter: number) {
  const child = spawn(
    process.execPath,
    [writer, JSON.stringify(settings), String(from), String(rowsPerRound)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let acknowledged = from - 1;
  let startMs = Infinity;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('open ')) startMs = Number(line.slice('open '.length));
    else acknowledged = Number(line);
    // Output written before the kill is already in the pipe, and counts.
    if (acknowledged >= from + killAfter) child.kill('SIGKILL');
  }
  assert.equal(child.signalCode ?? 'SIGKILL', 'SIGKILL', 'the writer was killed while it wrote');
  return { acknowledged, startMs };
}

async function checkRounds(settings: DatabaseSettings, report: (line: string) => void) {
  const starts: number[] = [];
  let next = 1;
  for (let round = 1; round <= rounds; round++) {
    const killAfter = Math.floor(rowsPerRound * (0.1 + 0.85 * Math.random()));
    const { acknowledged, startMs } = await writeUntilKilled(settings, next, killAfter);
    if (round > 1) starts.push(startMs);

    const begun = performance.now();
    await using db = await openDatabase(settings);
    starts.push(performance.now() - begun);
    const [found] = await db.query<{
      rows: number;
      last: number;
      pairs: number;
      halves: number;
      broken: number;
    }>(`
      select count(*) as rows, max(n) as last, (select count(*) from faults.pairs) as pairs,
        count(*) filter (where n % 3 = 0 and not exists (select from faults.pairs p where p.n = r.n)) as halves,
        count(*) filter (where body <> repeat('row ' || n || ' ', 20)) as broken
      from faults.rows r`);
    assert.ok(found);
    assert.ok(
      found.last >= acknowledged,
      `row ${acknowledged} was acknowledged, the last found is ${found.last}`,
    );
    assert.ok(found.last <= acknowledged + 1, 'at most one unacknowledged row exists');
    assert.equal(found.rows, found.last, 'no row is missing');
    assert.equal(found.pairs, Math.floor(found.last / 3), 'no transaction is half applied');
    assert.deepEqual([found.halves, found.broken], [0, 0]);
    const written = acknowledged - next + 1;
    next = found.last + 1;
    report(
      `round ${round}: killed after ${written} of ${rowsPerRound} writes; all ${found.rows} rows are there`,
    );
  }
  const slowest = Math.max(...starts);
  report(`start after a crash: ${Math.round(Math.min(...starts))} to ${Math.round(slowest)} ms`);
  assert.ok(slowest < longestStartMs, `a start took ${slowest} ms`);
}

test('acknowledged writes survive kill -9', async (t) => {
  await using database = await makeTestDatabase();
  await checkRounds(database.settings, (line) => t.diagnostic(line));
});
